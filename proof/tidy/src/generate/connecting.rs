//! The first messages of a socket with `quizhall.v1`, phase by phase, for the reference: those that the engine sends in a
//! state of each phase, compared with those that it sends to a plain socket.

use std::fmt::Write as _;

use quizhall_engine::sections::{View, sync};
use quizhall_engine::{Dialect, Participant};
use quizhall_protocol::frame;
use quizhall_quiz::{MediaKind, Question, QuestionId, QuestionKind, QuestionMedia, Quiz, Round};
use quizhall_rules::{
    Change, Created, Device, DisplayName, Event, GameId, HostId, MarkingRule, Moment, Phase, PlayOptions, PlayerId,
    State, TokenHash,
};
use serde_json::Value;
use uuid::Uuid;

const PLAYER: Uuid = Uuid::from_u128(1);
const QUESTION: Uuid = Uuid::from_u128(2);
const NEXT_QUESTION: Uuid = Uuid::from_u128(3);

/// The messages that a socket of the extension is sent before and after those of the interface.
struct Around {
    before: Vec<String>,
    behind: Vec<String>,
}

/// The table of the reference.
pub fn table() -> String {
    let mut table = String::from(
        "| Phase | All | Also the host, after `host_status` | Also the host, at the end |\n|---|---|---|---|\n",
    );
    for (phase, state) in states() {
        let all = Around::of(&state, Participant::Player(PlayerId::from(PLAYER)));
        let Around { mut before, behind } = Around::of(&state, Participant::Host);
        before.retain(|name| !all.before.contains(name));
        assert!(all.behind.is_empty(), "a player is sent {:?} at the end, which the table does not show", all.behind);
        let cells = [all.before, before, behind].map(|names| names.join(", "));
        let [all, before, behind] = &cells;
        let row = format!("| `{phase}` | {all}, then as above | {before} | {behind} |");
        let _ = writeln!(table, "{}", row.replace("  |", " |"));
    }
    table
}

impl Around {
    fn of(state: &State, participant: Participant) -> Self {
        let plain = names(state, participant, Dialect::Interface);
        let all = names(state, participant, Dialect::QuizhallV1);
        let begin =
            all.windows(plain.len()).position(|run| run == plain).expect("those of the interface stay together");
        Self { before: all[..begin].to_vec(), behind: all[begin + plain.len()..].to_vec() }
    }
}

/// The types of the first messages, each in backticks. Of a run of several frames only the first: the scores of a player, who
/// is sent both or neither.
fn names(state: &State, participant: Participant, dialect: Dialect) -> Vec<String> {
    let name = |json: &[u8]| {
        let message = serde_json::Deserializer::from_slice(json).into_iter::<Value>().next();
        let message = message.expect("a frame holds a message").expect("a message is JSON");
        format!("`{}`", message["type"].as_str().expect("an envelope has a type"))
    };
    let view = View::whole(state, participant, Moment::default());
    sync(&view, dialect).iter().map(|(run, _)| name(&frame::payload(run))).collect()
}

/// A game in each phase, with one player who has answered one question.
fn states() -> Vec<(Phase, State)> {
    let (player, question) = (PlayerId::from(PLAYER), QuestionId::from(QUESTION));
    // A picture in each round, so that there is something to load ahead.
    let picture = QuestionMedia {
        id: Uuid::nil(),
        kind: MediaKind::Picture,
        alt: "!".to_owned(),
        media_type: Some("image/png".to_owned()),
        bytes: Some(1),
        width: None,
        height: None,
    };
    let round = |id| {
        let asked = Question::new(id, QuestionKind::Text, "?", &["!"]);
        Round::new("", vec![Question { media: Some(picture.clone()), ..asked }])
    };
    let mut state = State::created(&Created {
        game: GameId::from(Uuid::nil()),
        host: HostId::from(Uuid::nil()),
        code: String::new(),
        quiz: Quiz { title: String::new(), rounds: vec![round(question), round(NEXT_QUESTION.into())] },
        join_secret: [0; 32],
        created_at_ms: 0,
        options: PlayOptions::default(),
        rule: MarkingRule::LATEST,
        sealed: None,
    });
    let display_name = DisplayName::parse("Ann").expect("a name");
    let steps = [
        vec![Change::Joined { player, display_name, token: TokenHash([0; 32]), idempotency: None, team: None }],
        vec![
            Change::Started,
            Change::QuestionReleased { question },
            Change::Answered {
                player,
                question,
                answer: "!".into(),
                correct: true,
                near_miss: false,
                partial: 0,
                elapsed: None,
                device: Device::FIRST,
            },
        ],
        vec![Change::RoundEnded],
        vec![Change::ScoresReleased { held: false }],
        vec![Change::Ended],
    ];
    let mut states = Vec::new();
    for (phase, changes) in Phase::ALL.into_iter().zip(steps) {
        for change in changes {
            state.apply(&Event::new(change, None));
        }
        assert_eq!(state.phase(), phase);
        states.push((phase, state.clone()));
    }
    states
}
