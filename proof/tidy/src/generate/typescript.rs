//! `web/sdk/src/generated/protocol.ts`: every type of the wire and the close codes, in one module.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use quizhall_protocol::messages::Direction;
use quizhall_protocol::{CloseCode, Dialect, Role, SUBPROTOCOL, http};
use quizhall_protocol::{FromAny, FromHost, FromPlayer, ToAll, ToHost, ToPlayer, ToScreen, ToSender};
use ts_rs::{Config, TS, TypeVisitor};

use super::asyncapi::advice;
use super::messages::Section;

const HEAD: &str = "// Generated from crates/protocol by `make generate`. Do not edit: a test compares.\n";

/// The whole module.
pub fn module() -> String {
    let mut text = HEAD.to_owned();
    for declaration in declarations() {
        text.push('\n');
        text.push_str(&declaration);
    }
    text.push_str(&unions());
    let _ = writeln!(
        text,
        "\n/** Offer it to receive Quizhall's extension. */\nexport const SUBPROTOCOL = \"{SUBPROTOCOL}\";"
    );
    text.push_str(&close_codes());
    text
}

/// The messages of each section, and both sides of a socket with the extension.
fn unions() -> String {
    let mut text = String::new();
    for section in Section::all() {
        let variants = variants(section.direction);
        let is_own = |variant: &&String| section.names().any(|name| variant.contains(&format!("\"type\": \"{name}\"")));
        let own: Vec<_> = variants.iter().filter(is_own).map(String::as_str).collect();
        let (heading, name) = (section.heading(), section.type_name());
        let _ = write!(text, "\n/** {heading}. */\nexport type {name} = {};\n", own.join(" | "));
    }
    let clients =
        [("Host", "the host", Role::Host), ("Player", "a player", Role::Player), ("Screen", "a screen", Role::Screen)];
    for (client, who, role) in clients {
        for (verb, what, is_inbound) in [("Said", "sends", true), ("Heard", "receives", false)] {
            let types = Section::of_client(role, Dialect::QuizhallV1, is_inbound).map(Section::type_name);
            let types = types.collect::<Vec<_>>().join(" | ");
            let about = format!("What {who} {what}; extension messages only on a socket that negotiated them.");
            let _ = write!(text, "\n/** {about} */\nexport type {verb}By{client} = {types};\n");
        }
    }
    text
}

/// Each message of a direction as a type of TypeScript.
fn variants(direction: Direction) -> Vec<String> {
    let config = config();
    let declaration = match direction {
        Direction::FromHost => FromHost::decl(&config),
        Direction::FromPlayer => FromPlayer::decl(&config),
        Direction::FromAny => FromAny::decl(&config),
        Direction::ToAll => ToAll::decl(&config),
        Direction::ToHost => ToHost::decl(&config),
        Direction::ToPlayer => ToPlayer::decl(&config),
        Direction::ToScreen => ToScreen::decl(&config),
        Direction::ToSender => ToSender::decl(&config),
    };
    let (_, union) = declaration.split_once(" = ").expect("a declaration");
    union.trim_end_matches(';').split(" | ").map(str::to_owned).collect()
}

/// The declarations of types by name, each once. By name, because the order in which ts-rs visits is not fixed.
#[derive(Default)]
struct Declarations(BTreeMap<String, String>);

/// A type, and those it is made of.
impl TypeVisitor for Declarations {
    fn visit<T: TS + ?Sized + 'static>(&mut self) {
        let name = T::name(&config());
        // What TypeScript has itself has no path.
        if T::output_path().is_some() && !self.0.contains_key(&name) {
            self.0.insert(name, declaration::<T>());
            T::visit_dependencies(self);
        }
    }
}

macro_rules! visit {
    ($all:ident: $($type:ty),* $(,)?) => { $($all.visit::<$type>();)* };
}

/// A test checks that no type of the wire is missing.
fn declarations() -> impl Iterator<Item = String> {
    let mut all = Declarations::default();
    visit!(all: FromHost, FromPlayer, FromAny, ToAll, ToHost, ToPlayer, ToScreen, ToSender);
    for direction in Direction::ALL {
        all.0.remove(&format!("{direction:?}"));
    }
    visit![all:
        http::join::JoinRequest,
        http::join::JoinResponse, http::join::JoinOptions,
        http::nodes::NodeList,
        http::problem::Problem,
        http::health::Health,
        http::hosts::NewHost,
        http::hosts::Host,
        http::hosts::CurrentSession,
        http::hosts::HostAccount,
        http::hosts::HostList,
        http::hosts::HostChange,
        http::hosts::SignIn,
        http::hosts::Session,
        http::hosts::SignInMethods,
        http::hosts::OidcAttempt,
        http::me::OwnAccount,
        http::me::PasswordUpdate,
        http::me::OwnSessionList,
        http::me::NewToken,
        http::me::CreatedToken,
        http::me::NamedTokenList,
        http::webhooks::NewWebhook,
        http::webhooks::WebhookList,
        http::webhooks::CreatedWebhook,
        http::webhooks::WebhookChange,
        http::webhooks::WebhookDeliveryList,
        http::webhooks::TestDelivery,
        http::webhooks::NewSecret,
        http::hosts::OidcSignIn,
        http::quizzes::QuizBody,
        http::quizzes::RoundBody,
        http::quizzes::QuestionBody,
        http::quizzes::QuizUpload,
        http::quizzes::Quiz,
        http::quizzes::QuizSummary,
        http::quizzes::QuizList,
        http::quizzes::FoundQuestion,
        http::quizzes::FoundQuestions,
        http::quizzes::QuizHistory,
        http::quizzes::QuestionHistory,
        http::quizzes::AskedIn,
        http::media::Media,
        http::media::MediaSummary,
        http::media::MediaList,
    ];
    visit_games(&mut all);
    all.0.into_values()
}

fn visit_games(all: &mut Declarations) {
    visit![all:
        http::game_options::GameOptions,
        http::game_options::Pace,
        http::game_options::BoardAfter,
        http::games::NewGame,
        http::games::Game,
        http::games::GameList,
        http::games::GameChange,
        http::games::PlayerList,
        http::seats::NewSeatCode, http::seats::TakeSeat,
        http::co_hosts::InviteCoHost,
        http::co_hosts::NewCoHost,
        http::co_hosts::CoHostList,
        http::co_hosts::CurrentCoHost,
        http::screens::NewScreen,
        http::screens::ScreenList,
        http::screens::AllowSpectators,
        http::screens::Watch,
        http::screens::Spectator,
        http::screens::NewPairing,
        http::screens::Pairing,
        http::screens::PairScreen,
        http::screens::PairedScreen,
        http::results::Results,
        http::results::RoundResults,
        http::results::QuestionResults,
        http::results::AnswerResult,
        http::answers::AnswersAsked,
        http::answers::AnswersPage,
        http::what_if::WhatIf,
        http::what_if::WhatIfOutcome,
        http::league::League,
        http::league::LeagueGame,
        http::league::LeagueLine,
        http::moments::GameMoment,
        http::moments::MomentKind,
        http::moments::MomentList,
        http::proof::OwnRef,
        http::proof::SealBody,
        http::shared_results::ResultsLink,
        http::shared_results::ShareResults,
        http::shared_results::SharedResults,
        http::shared_results::SharedStanding,
        http::shared_results::SharedRound,
        http::shared_results::SharedQuestion,
        http::shared_results::OwnAnswer,
    ];
}

fn config() -> Config {
    Config::new().with_large_int("number")
}

fn declaration<T: TS + ?Sized>() -> String {
    let config = config();
    let documentation = T::docs().unwrap_or_default();
    let declaration = T::decl(&config);
    let declaration = declaration.replace(", };", ",\n};");
    let text = compact(&format!("{documentation}export {declaration}\n"));
    let mut inside = false;
    let mut lines = String::new();
    for line in text.lines() {
        let indent = if inside && line != "};" { "  " } else { "" };
        let _ = writeln!(lines, "{indent}{}", line.trim_end());
        inside |= line.ends_with("{ ");
    }
    lines
}

/// A comment of one line, which ts-rs spreads over three, on one.
fn compact(text: &str) -> String {
    let mut compact = text.to_owned();
    while let Some((before, rest)) = compact.split_once("/**\n * ") {
        let Some((comment, after)) = rest.split_once("\n */") else { break };
        compact = format!("{before}/** {} */{after}", comment.replace("\n * ", " "));
    }
    compact
}

fn close_codes() -> String {
    let mut text = String::from(
        "\n/** What to do after a close. */\n\
         export type Advice = \"reconnect\" | \"reconnect_and_resend\" | \"reconnect_now\" | \"stop\";\n\
         \n/** Every close the server chooses, by its number. The reason of a close frame begins with `reason`. */\n\
         export const CLOSE_CODES = {\n",
    );
    for code in CloseCode::ALL {
        let (number, reason, advice) = (code.number(), code.reason(), advice(code.advice()));
        let _ =
            writeln!(text, "  /** {} */\n  {number}: {{ reason: \"{reason}\", advice: \"{advice}\" }},", code.when());
    }
    text.push_str("} as const satisfies Record<number, { reason: string; advice: Advice }>;\n");
    text
}
