//! `web/sdk/src/generated/protocol.ts`: every type of the wire and the close codes, in one module.

use std::fmt::Write as _;

use quizhall_protocol::{CloseCode, SUBPROTOCOL};
use quizhall_protocol::{from_host, from_player, http, shapes, to_all, to_host, to_player, v1};
use ts_rs::{Config, TS};

use super::asyncapi::advice;

const HEAD: &str = "// Generated from crates/protocol by `make generate`. Do not edit: a test compares.\n";

/// Both sides of a socket; what ends in `V1` is there for those who offered the subprotocol.
const UNIONS: &str = "
/** What the host says; extension messages only on a socket that negotiated them. */
export type SaidByHost = FromHost | FromHostV1 | FromAnyV1;

/** What a player says; extension messages only on a socket that negotiated them. */
export type SaidByPlayer = FromPlayer | FromAnyV1;

/** What the host hears; extension messages only on a socket that negotiated them. */
export type HeardByHost = ToAll | ToHost | ToAllV1 | ToHostV1 | ToSenderV1;

/** What a player hears; extension messages only on a socket that negotiated them. */
export type HeardByPlayer = ToAll | ToPlayer | ToAllV1 | ToSenderV1;
";

/// The whole module.
pub fn module() -> String {
    let mut text = HEAD.to_owned();
    for declaration in declarations() {
        text.push('\n');
        text.push_str(&declaration);
    }
    text.push_str(UNIONS);
    let _ = writeln!(
        text,
        "\n/** Offer it to receive Quizhall's extension. */\nexport const SUBPROTOCOL = \"{SUBPROTOCOL}\";"
    );
    text.push_str(&close_codes());
    text
}

macro_rules! declare {
    ($($type:ty),* $(,)?) => { vec![$(declaration::<$type>()),*] };
}

/// Messages first, then what is in them, then the bodies of HTTP. A test checks that no type of the wire is missing.
fn declarations() -> Vec<String> {
    let mut all = declare![
        from_host::FromHost,
        from_host::ReleaseQuestion,
        from_host::OverrideAnswer,
        from_player::FromPlayer,
        from_player::SubmitAnswer,
        to_all::ToAll,
        to_all::LobbyUpdate,
        to_all::QuestionReleased,
        to_all::Leaderboard,
        to_host::ToHost,
        to_host::AnswerCount,
        to_host::RoundReview,
        to_host::OverrideApplied,
        to_player::ToPlayer,
        to_player::AnswerAccepted,
        to_player::RoundScores,
        shapes::Player,
        shapes::Question,
        shapes::LeaderboardEntry,
        shapes::ReviewAnswer,
        shapes::QuestionResult,
    ];
    all.extend(extension());
    all.extend(declare![
        http::join::JoinRequest,
        http::join::JoinResponse,
        http::nodes::Node,
        http::nodes::NodeList,
        http::problem::Problem,
        http::health::Health,
        http::health::Checks,
        http::hosts::NewHost,
        http::hosts::Host,
        http::hosts::CurrentSession,
        http::hosts::HostAccount,
        http::hosts::HostList,
        http::hosts::HostChange,
        http::hosts::SignIn,
        http::hosts::Session,
        http::quizzes::QuizBody,
        http::quizzes::RoundBody,
        http::quizzes::QuestionBody,
        http::quizzes::Quiz,
        http::quizzes::QuizSummary,
        http::quizzes::QuizList,
        http::games::NewGame,
        http::games::Game,
        http::games::GameSummary,
        http::games::GameList,
        http::games::GameChange,
        http::games::PlayerList,
        http::results::Results,
        http::results::RoundResults,
        http::results::QuestionResults,
        http::results::AnswerResult,
    ]);
    all
}

fn extension() -> Vec<String> {
    declare![
        v1::from_host::FromHostV1,
        v1::from_host::MarkAnswers,
        v1::from_host::LockGame,
        v1::from_host::RemovePlayer,
        v1::from_any::FromAnyV1,
        v1::to_all::ToAllV1,
        v1::to_all::GameInfo,
        v1::to_all::RoundStarted,
        v1::to_all::HostStatus,
        v1::to_all::StandingsStatus,
        v1::to_host::ToHostV1,
        v1::to_host::RoomUpdate,
        v1::to_host::RoomPlayer,
        v1::to_host::SeatStatus,
        v1::to_host::PlayersAnswered,
        v1::to_host::AnswersMarked,
        v1::to_host::AnswerMark,
        v1::to_host::MarkingUpdate,
        v1::to_sender::ToSenderV1,
    ]
}

fn declaration<T: TS>() -> String {
    let config = Config::new().with_large_int("number");
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
