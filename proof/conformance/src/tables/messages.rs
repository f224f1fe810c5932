//! The messages that clients send, as the interface describes them, and the one judgement: may this role send it here?
//!
//! Written apart from the table of the protocol, which is what is judged; a test compares which messages there are.

use std::collections::BTreeSet;
use std::fmt::Write;

use quizhall_protocol::{CloseCode, Dialect, Role};

use crate::row::{Check, MessageCase, Row, Sent, Verdict, Wanted};
use crate::stage::cast::Cast;
use crate::stage::substate::SubState;
use quizhall_oracle::Phase::{self, Leaderboard, Lobby, Question, Review};
use quizhall_oracle::shape::SHAPES;

/// A message that a client sends.
#[derive(Debug, Clone, Copy)]
pub struct Message {
    /// Its `type`.
    pub name: &'static str,
    /// The only role that may send it; `None` is any.
    pub sender: Option<Role>,
    /// The first dialect that has it.
    pub since: Dialect,
    /// The phases in which it is valid (messages.md#phases).
    pub phases: &'static [Phase],
    /// The fields of its payload; none means that it has no payload.
    pub fields: &'static [Field],
}

/// A field of a message.
#[derive(Debug)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// What it holds, as far as its mutations are concerned.
    pub kind: Kind,
    /// The right value: of a flag or another kind as JSON, else without its quotes.
    pub right: &'static str,
}

/// What a field holds, as far as its mutations are concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The id of a question.
    Question,
    /// The id of a player.
    Player,
    /// A boolean.
    Flag,
    /// The id of a question, or nothing for the round.
    QuestionOrRound,
    /// A whole number, as of seconds from 5 on.
    Seconds,
    /// A whole number of which 7 is too small.
    Percent,
    /// A text of at least this many characters.
    Text(usize),
    /// Mutated elsewhere.
    Other,
}

/// Whether a message is tried in this sub-state though its type or role decides, which no game changes: three are tried in each.
pub fn is_tried(message: &Message, state: SubState) -> bool {
    state == SubState::OneOpen || ["mark_answers", "submit_answer", "appeal"].contains(&message.name)
}

/// From the start of a game to its end.
const BEGUN: &[Phase] = &[Question, Review, Leaderboard];

const UNTIL_THE_END: &[Phase] = &[Lobby, Question, Review, Leaderboard];

/// Every message that a client sends.
pub const MESSAGES: [Message; 46] = [
    of_host("start_game", &[Lobby], &[]),
    of_host("release_question", &[Question], &[field("questionId", Kind::Question, "$NEXT")]),
    of_host("end_round", &[Question], &[]),
    of_host("override_answer", &[Review], &[PLAYER, OPEN, CORRECT]),
    of_host("release_scores", &[Review], &[]),
    of_host("start_next_round", &[Leaderboard], &[]),
    of_host("end_game", &[Leaderboard], &[]),
    Message {
        sender: Some(Role::Player),
        ..of_host("submit_answer", &[Question], &[OPEN, field("answer", Kind::Text(1), "a second thought")])
    },
    v1(of_host(
        "mark_answers",
        &[Review],
        &[
            OPEN,
            field("answers", Kind::Other, r#"["a first thought"]"#),
            CORRECT,
            HALF,
            field("alike", Kind::Other, "false"),
        ],
    )),
    v1(of_host(
        "accept_answer",
        &[Question, Review],
        &[OPEN, field("text", Kind::Text(1), "a first thought"), CORRECT, HALF],
    )),
    v1(of_host("open_desk", &[Question, Review], &[field("open", Kind::Flag, "false")])),
    v1(of_host(
        "correct_marks",
        &[Question, Review, Leaderboard],
        &[OPEN, field("answers", Kind::Other, r#"["a first thought"]"#), CORRECT],
    )),
    v1(of_host(
        "adjust_points",
        BEGUN,
        &[PLAYER, field("points", Kind::Other, "-5"), field("reason", Kind::Other, r#""A phone under the table""#)],
    )),
    // No points by hand have this id: nothing happens.
    v1(of_host("undo_adjustment", BEGUN, &[field("adjustmentId", Kind::Other, r#""$OPEN""#)])),
    v1(of_host("dismiss_appeal", &[Question, Review, Leaderboard], &[OPEN, PLAYER])),
    v1(Message {
        sender: Some(Role::Player),
        ..of_host("appeal", &[Question, Review, Leaderboard], &[OPEN, field("text", Kind::Other, r#""Look again""#)])
    }),
    // No player of these tables has a captain.
    v1(Message {
        sender: Some(Role::Player),
        ..of_host(
            "suggest_answer",
            &[Question],
            &[field("questionId", Kind::Other, r#""$OPEN""#), field("answer", Kind::Other, r#""a second thought""#)],
        )
    }),
    v1(of_host("undo_marking", &[Question, Review], &[])),
    v1(of_host("lock_game", UNTIL_THE_END, &[field("locked", Kind::Flag, "true")])),
    v1(of_host("remove_player", UNTIL_THE_END, &[PLAYER, field("ban", Kind::Other, "false")])),
    v1(of_host("release_own_scores", &[Review], &[])),
    v1(of_host("show_standings", &[Leaderboard], &[])),
    // No step has this number: nothing happens.
    v1(of_host("next", &Phase::ALL, &[field("number", Kind::Seconds, "4294967295")])),
    // Of the quizzes of these tables no question is without marks: there is nothing to show.
    v1(of_host("show_tally", &[Question, Review, Leaderboard], &[field("questionId", Kind::Other, r#""$OPEN""#)])),
    v1(of_host("set_timer", &[Question], &[OPEN_OR_ROUND, field("seconds", Kind::Seconds, "60")])),
    v1(of_host("add_time", &[Question], &[OPEN_OR_ROUND, field("seconds", Kind::Seconds, "60")])),
    v1(of_host("close_question", &[Question], &[OPEN])),
    v1(of_host("set_close_when_answered", UNTIL_THE_END, &[field("on", Kind::Flag, "true")])),
    v1(of_host("pause_timer", &[Question], &[])),
    v1(of_host("resume_timer", &[Question], &[])),
    v1(of_host(
        "start_autopilot",
        BEGUN,
        &[
            field("answerFor", Kind::Seconds, "600"),
            field("revealFor", Kind::Seconds, "600"),
            field("breakFor", Kind::Seconds, "600"),
            field("holdWithoutHost", Kind::Flag, "true"),
            field("standingsFor", Kind::Other, "600"),
            field("holdForMarking", Kind::Other, "true"),
        ],
    )),
    v1(of_host("stop_autopilot", BEGUN, &[])),
    v1(of_host("set_extra_time", UNTIL_THE_END, &[PLAYER, field("percent", Kind::Percent, "150")])),
    v1(Message { sender: Some(Role::Player), ..of_host("play_joker", UNTIL_THE_END, &[]) }),
    v1(Message { sender: None, ..of_host("ping", &Phase::ALL, &[]) }),
    v1(of_host("reveal_answer", &[Review, Leaderboard], &[OPEN])),
    v1(of_host(
        "start_break",
        &[Lobby, Review, Leaderboard],
        &[field("seconds", Kind::Seconds, "600"), field("text", Kind::Other, r#""Drinks""#)],
    )),
    v1(of_host("end_break", &[Lobby, Review, Leaderboard], &[])),
    v1(of_host(
        "tie_break",
        &[Leaderboard],
        &[
            field("playerIds", Kind::Other, r#"["$PLAYER","$PLAYER"]"#),
            field("text", Kind::Text(1), "How many keys has a piano?"),
            field("number", Kind::Other, "88"),
        ],
    )),
    v1(of_host("end_tie_break", &[Leaderboard], &[])),
    v1(of_host("edit_question", UNTIL_THE_END, &[OPEN, field("text", Kind::Other, r#""In other words?""#)])),
    v1(of_host("withdraw_question", &[Question, Review, Leaderboard], &[OPEN])),
    v1(of_host("rename_player", UNTIL_THE_END, &[PLAYER, field("displayName", Kind::Other, r#""Zoe""#)])),
    v1(of_host("add_seat", UNTIL_THE_END, &[field("displayName", Kind::Other, r#""Zoe""#)])),
    v1(of_host("enter_answer", &[Question, Review], &[PLAYER, OPEN, field("answer", Kind::Text(1), "Bern")])),
    v1(Message {
        sender: Some(Role::Player),
        ..of_host("answer_tie_break", UNTIL_THE_END, &[field("number", Kind::Other, "85")])
    }),
];

const OPEN: Field = field("questionId", Kind::Question, "$OPEN");
const OPEN_OR_ROUND: Field = field("questionId", Kind::QuestionOrRound, "$OPEN");
const PLAYER: Field = field("playerId", Kind::Player, "$PLAYER");
const CORRECT: Field = field("correct", Kind::Flag, "true");
const HALF: Field = field("half", Kind::Other, "false");

const fn of_host(name: &'static str, phases: &'static [Phase], fields: &'static [Field]) -> Message {
    Message { name, sender: Some(Role::Host), since: Dialect::Interface, phases, fields }
}

const fn v1(message: Message) -> Message {
    Message { since: Dialect::QuizhallV1, ..message }
}

const fn field(name: &'static str, kind: Kind, right: &'static str) -> Field {
    Field { name, kind, right }
}

/// The messages that a dialect introduces.
pub fn since(dialect: Dialect) -> impl Iterator<Item = &'static Message> {
    MESSAGES.iter().filter(move |message| message.since == dialect)
}

/// Types that only the server sends, each once.
pub fn server_only() -> Vec<&'static str> {
    let mut names: Vec<_> = SHAPES.iter().map(|shape| shape.kind).collect();
    let mut seen = BTreeSet::new();
    names.retain(|name| seen.insert(*name) && !is_of_a_client(name));
    names
}

/// Whether a client sends a message of this name.
pub fn is_of_a_client(name: &str) -> bool {
    MESSAGES.iter().any(|message| message.name == name)
}

/// A type that no participant sends.
pub const UNKNOWN: &str = "make_tea";

impl Message {
    /// The state in which rows about its payload are played.
    pub fn scene(&self) -> SubState {
        match self.name {
            "show_standings" => SubState::Held,
            "correct_marks" | "dismiss_appeal" | "appeal" => SubState::MoreRounds,
            _ => SubState::of_phase(self.phases[0]),
        }
    }

    /// A proper message of this type for this sub-state, with placeholders for ids.
    pub fn proper(&self, state: SubState) -> String {
        self.with(|field| match (field.name, state) {
            ("correct", SubState::Overridden) => Some("false".to_owned()),
            _ => Some(field.json()),
        })
    }

    /// The message with these values, as JSON, in its fields; `None` leaves a field out.
    pub fn with(&self, value: impl Fn(&Field) -> Option<String>) -> String {
        if self.fields.is_empty() {
            return format!(r#"{{"type":"{}"}}"#, self.name);
        }
        let pair = |field| value(field).map(|value| format!(r#""{}":{value}"#, field.name));
        let fields: Vec<_> = self.fields.iter().filter_map(pair).collect();
        format!(r#"{{"type":"{}","payload":{{{}}}}}"#, self.name, fields.join(","))
    }

    /// A proper message for a sub-state.
    pub fn sent(&self, state: SubState, verdict: Verdict) -> Sent {
        Sent { text: self.proper(state), verdict }
    }

    /// What must follow a proper message: role before phase, phase before what the game holds.
    pub fn verdict(&self, state: SubState, role: Role) -> Verdict {
        let code = match (self.name, state) {
            _ if self.sender.is_some_and(|only| only != role) => CloseCode::WrongRole,
            _ if !self.phases.contains(&state.phase()) => CloseCode::WrongPhase,
            ("suggest_answer", _) => CloseCode::WrongRole,
            (
                "submit_answer" | "close_question" | "set_timer" | "add_time" | "accept_answer" | "withdraw_question"
                | "enter_answer",
                SubState::NoneOpen,
            )
            | ("show_tally", _) => CloseCode::UnknownQuestion,
            // In the first round none is out.
            ("correct_marks" | "dismiss_appeal" | "appeal", state) if state.phase() != Leaderboard => {
                CloseCode::UnknownQuestion
            }
            // The players of these rows have phones.
            ("enter_answer", _) | ("remove_player" | "set_extra_time" | "rename_player", SubState::LobbyAlone) => {
                CloseCode::UnknownPlayer
            }
            ("start_next_round", SubState::LastRound) => {
                return Verdict::closed(Wanted::with(CloseCode::InvalidPayload, "no round left"));
            }
            _ => return Verdict::Accepted,
        };
        Verdict::closed(Wanted::bare(code))
    }
}

impl Field {
    /// The right value.
    pub fn json(&self) -> String {
        match self.kind {
            Kind::Flag | Kind::Seconds | Kind::Percent | Kind::Other => self.right.to_owned(),
            Kind::Question | Kind::QuestionOrRound | Kind::Player | Kind::Text(_) => format!(r#""{}""#, self.right),
        }
    }
}

/// Rows about the messages of a dialect in every phase, from these roles in these casts: those that have a verdict.
pub fn in_every_phase(
    group: &str,
    dialect: Dialect,
    sides: [(Role, Cast); 2],
    verdict: impl Fn(&Message, SubState, Role) -> Option<Verdict>,
) -> Vec<Row> {
    let mut rows = Vec::new();
    for (phase, (role, cast)) in Phase::ALL.into_iter().flat_map(|phase| sides.map(|side| (phase, side))) {
        let state = SubState::of_phase(phase);
        let row = if cast == Cast::Interface { row } else { cast_row };
        rows.extend(since(dialect).filter_map(|message| {
            let id = format!("{group}/{}/{}/{}", phase.as_str(), role_name(role), message.name);
            Some(row(id, message.sent(state, verdict(message, state, role)?).by(role, state, cast)))
        }));
    }
    rows
}

/// The verdict on a message that this socket did not ask for, if it is tried.
pub fn unasked(message: &Message, state: SubState, _: Role) -> Option<Verdict> {
    is_tried(message, state).then(|| Verdict::closed(Wanted::bare(CloseCode::UnknownType)))
}

/// A row about one message.
pub fn row(id: String, case: MessageCase) -> Row {
    Row {
        id,
        given: format!("{}; {}", case.state.words(), role_words(case.role)),
        send: shown(&case.text),
        expect: case.verdict.words(),
        check: Check::Message(case),
    }
}

/// A row about one message in one text frame.
pub fn plain(id: String, state: SubState, role: Role, sent: Sent) -> Row {
    row(id, sent.by(role, state, Cast::Interface))
}

/// The role in an id.
pub const fn role_name(role: Role) -> &'static str {
    match role {
        Role::Host => "host",
        Role::Player => "player",
        Role::Screen => "screen",
    }
}

/// The roles of participants.
pub const ROLES: [Role; 2] = [Role::Host, Role::Player];

/// Both in one cast.
pub fn both(cast: Cast) -> [(Role, Cast); 2] {
    ROLES.map(|role| (role, cast))
}

const fn role_words(role: Role) -> &'static str {
    match role {
        Role::Host => "host sends",
        Role::Player => "player sends",
        Role::Screen => "a screen sends",
    }
}

/// A text short enough for a table, with nothing in it that cannot be printed.
pub fn shown(text: &str) -> String {
    const SHOWN: usize = 100;
    let mut short: String = text.chars().take(SHOWN).flat_map(visible).collect();
    if text.chars().nth(SHOWN).is_some() {
        let _ = write!(short, "… ({} characters)", text.chars().count());
    }
    short
}

fn visible(symbol: char) -> Vec<char> {
    let plain = symbol == ' ' || symbol.is_alphanumeric() || symbol.is_ascii_punctuation();
    if plain { vec![symbol] } else { symbol.escape_unicode().collect() }
}

/// A row about one message in a game in which some speak the extension.
pub fn cast_row(id: String, case: MessageCase) -> Row {
    let cast = case.cast;
    let row = row(id, case);
    Row { given: format!("{}; {}", row.given, cast_words(cast)), ..row }
}

/// The cast in words.
const fn cast_words(cast: Cast) -> &'static str {
    match cast {
        Cast::Interface => "no socket speaks v1",
        Cast::Mixed => "host and first player speak v1",
        Cast::HostOnly => "the host alone speaks v1",
        Cast::FirstPlayerOnly => "the first player alone speaks v1",
    }
}
