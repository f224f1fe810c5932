//! Tests of the checks themselves: a flawless game passes, and every kind of flaw is found.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use quizhall_client::Reader as _;
use quizhall_protocol::http::games::Game;
use quizhall_protocol::http::quizzes::{QuestionBody, RoundBody};
use quizhall_protocol::shapes::ReviewAnswer;
use quizhall_protocol::{QuestionKind, Role, read_server_message};
use uuid::Uuid;

use super::expected::Expected;
use super::plan::{Extent, Plan};
use super::review;
use super::scoring::Final;
use super::stages::{board_stage, question_stage, review_stage};
use super::watch::Watch;
use super::watcher::Watcher;
use super::world::{Seated, World};

const Q: Uuid = Uuid::from_u128(0x51);
const R: Uuid = Uuid::from_u128(0x52);
const NEXT: Uuid = Uuid::from_u128(0x53);
const ANN: Uuid = Uuid::from_u128(0xA);
const BEN: Uuid = Uuid::from_u128(0xB);

fn question(id: Uuid) -> QuestionBody {
    QuestionBody { id: Some(id), points: Some(100), ..QuestionBody::new(QuestionKind::Text, "?", &["secret moon"]) }
}

/// Two rounds, two players; Ann is number 0.
fn world() -> Arc<World> {
    let round =
        |ids: &[Uuid]| RoundBody { title: String::new(), questions: ids.iter().copied().map(question).collect() };
    let game = Game {
        id: Uuid::nil(),
        quiz_id: None,
        game_code: "ABC234".to_owned(),
        join_url: String::new(),
        title: String::new(),
        phase: "lobby".to_owned(),
        current_round: 1,
        locked: false,
        player_count: 0,
        rounds: vec![round(&[Q, R]), round(&[NEXT])],
        released: Vec::new(),
        latecomers: Vec::new(),
        created_at: String::new(),
        damaged: None,
    };
    let extent = Extent { rounds: 2, questions: 2 };
    let world = Arc::new(World::new(Plan::of(&game, extent, vec!["secret".to_owned()]).unwrap(), 2, false));
    for (number, (id, name)) in [(ANN, "Ann"), (BEN, "Ben")].into_iter().enumerate() {
        world.name_asked(name);
        world.seated(number, Seated { id, name: name.to_owned() });
    }
    world
}

/// The host goes to the first question stage and releases both questions.
fn open(world: &World) {
    world.command(question_stage(0));
    world.confirm(question_stage(0));
    for question in [Q, R] {
        world.release(0, question);
        world.confirm_release(0, question);
    }
}

/// The host ends the round and releases the scores: Ann had Q right.
fn score(world: &World) {
    let right = Final { text: "secret moon".to_owned(), correct: true, overridden: false };
    let expected = Expected::new(world, 0, &[Q, R], [((0, Q), right)].into());
    world.expect(Arc::new(expected));
    for stage in [review_stage(0), board_stage(0)] {
        world.command(stage);
        world.confirm(stage);
    }
}

fn kinds(world: &World) -> Vec<&'static str> {
    world.violations.list().iter().map(|violation| violation.kind).collect()
}

struct Ann {
    world: Arc<World>,
    watcher: Watcher,
}

impl Ann {
    fn new(world: &Arc<World>) -> Self {
        Self { world: Arc::clone(world), watcher: Watcher::new(Arc::clone(world), 0) }
    }

    /// Settled in the lobby.
    fn in_lobby(world: &Arc<World>) -> Self {
        let mut ann = Self::new(world);
        ann.watcher.connected();
        ann.hears(LOBBY);
        ann.watcher.settled(false);
        ann
    }

    fn hears(&mut self, text: &str) {
        self.watcher.message(&read_server_message(text, Role::Player).unwrap().unwrap());
    }

    fn hears_all(&mut self, texts: &[&str]) {
        for text in texts {
            self.hears(text);
        }
    }

    fn comes_back_to(&mut self, texts: &[&str]) {
        self.watcher.offline();
        self.returns_to(texts);
    }

    fn returns_to(&mut self, texts: &[&str]) {
        self.watcher.connected();
        self.hears_all(texts);
        self.watcher.settled(texts.is_empty());
    }

    fn acked(&mut self, question: Uuid) {
        self.world.ledger.given(0, question, "secret moon");
        self.hears(&accepted(question));
        self.watcher.matched();
        self.world.ledger.acked(0, question, "secret moon");
    }
}

const LOBBY: &str = r#"{"type":"lobby_update","payload":{"players":[]}}"#;
const STARTED: &str = r#"{"type":"game_started"}"#;
const ENDED: &str = r#"{"type":"round_ended"}"#;

fn released(question: Uuid) -> String {
    format!(
        r#"{{"type":"question_released","payload":{{"question":{{"id":"{question}","text":"?","type":"text","points":100}}}}}}"#
    )
}

fn accepted(question: Uuid) -> String {
    format!(r#"{{"type":"answer_accepted","payload":{{"questionId":"{question}"}}}}"#)
}

fn board(kind: &str, round: &str, ann: u32) -> String {
    format!(
        r#"{{"type":"{kind}","payload":{{"leaderboard":[{{"playerId":"{ANN}","displayName":"Ann","score":{ann},"rank":1{}}},{{"playerId":"{BEN}","displayName":"Ben","score":0,"rank":2{}}}]}}}}"#,
        round.replace('#', &ann.to_string()),
        round.replace('#', "0")
    )
}

fn leaderboard(ann: u32) -> String {
    board("round_leaderboard", r#","roundScore":#"#, ann)
}

fn running(ann: u32) -> String {
    board("scoreboard_update", "", ann)
}

fn scores(answer: &str, total: u32) -> String {
    let result = |question: Uuid, answer: &str, points: u32| {
        format!(
            r#"{{"questionId":"{question}","question":"?","yourAnswer":"{answer}","correctAnswer":"secret moon","correct":{},"points":{points}}}"#,
            points > 0
        )
    };
    let results = [result(Q, answer, 100), result(R, "", 0)].join(",");
    format!(r#"{{"type":"round_scores","payload":{{"results":[{results}],"roundTotal":{total}}}}}"#)
}

#[test]
fn a_flawless_round_passes() {
    let world = world();
    let mut ann = Ann::in_lobby(&world);
    open(&world);
    ann.hears_all(&[STARTED, &released(Q), &released(R)]);
    ann.acked(Q);
    ann.comes_back_to(&[&released(Q), &released(R), &accepted(Q)]);
    score(&world);
    ann.hears(ENDED);
    ann.comes_back_to(&[&leaderboard(100), &scores("secret moon", 100), &running(100)]);
    world.command(question_stage(1));
    ann.comes_back_to(&[]);
    world.release(1, NEXT);
    ann.hears(&released(NEXT));
    assert_eq!(kinds(&world), Vec::<&str>::new());
    assert_eq!(ann.watcher.stage(), question_stage(1));
}

#[test]
fn what_comes_live_is_checked_step_by_step() {
    type Flaw = (&'static str, fn(&mut Ann));
    let flaws: [Flaw; 12] = [
        ("ack_out_of_phase", |ann| {
            ann.world.ledger.given(0, Q, "x");
            ann.hears_all(&[ENDED, &accepted(Q)]);
        }),
        ("ack_without_answer", |ann| ann.hears(&accepted(R))),
        ("phase_back", |ann| ann.hears_all(&[ENDED, &released(Q)])),
        ("phase_order", |ann| ann.hears_all(&[ENDED, ENDED])),
        ("phase_twice", |ann| ann.hears(STARTED)),
        ("phase_skipped", |ann| {
            score(&ann.world);
            ann.hears(&leaderboard(100));
        }),
        ("phase_skipped", |ann| {
            ann.world.command(question_stage(1));
            ann.world.release(1, NEXT);
            ann.hears_all(&[ENDED, &released(NEXT)]);
        }),
        ("question_twice", |ann| ann.hears(&released(Q))),
        ("question_not_released", |ann| {
            ann.world.command(question_stage(1));
            ann.hears(&released(NEXT));
        }),
        ("board_wrong", |ann| {
            score(&ann.world);
            ann.hears_all(&[ENDED, &leaderboard(99)]);
        }),
        ("scores_wrong", |ann| {
            score(&ann.world);
            ann.hears_all(&[ENDED, &leaderboard(100), &scores("other", 100)]);
        }),
        ("scores_missed", |ann| {
            score(&ann.world);
            ann.world.command(question_stage(1));
            ann.world.release(1, NEXT);
            ann.hears_all(&[ENDED, &leaderboard(100), &running(100), &released(NEXT)]);
        }),
    ];
    for (kind, flaw) in flaws {
        let world = world();
        let mut ann = Ann::in_lobby(&world);
        open(&world);
        world.command(review_stage(0));
        ann.hears_all(&[STARTED, &released(Q), &released(R)]);
        assert_eq!(kinds(&world), Vec::<&str>::new());
        flaw(&mut ann);
        assert!(kinds(&world).contains(&kind), "{kind}: {:?}", kinds(&world));
    }
}

#[test]
fn an_early_message_and_a_missed_question_are_found() {
    let world = world();
    let mut ann = Ann::in_lobby(&world);
    ann.hears(STARTED);
    assert_eq!(kinds(&world), ["phase_early"]);
    open(&world);
    world.command(review_stage(0));
    ann.hears_all(&[&released(Q), ENDED]);
    assert_eq!(kinds(&world), ["phase_early", "questions_missed"]);
}

#[test]
fn sync_messages_must_show_what_was_certain() {
    type Flaw = (&'static str, fn(&mut Ann));
    let flaws: [Flaw; 6] = [
        ("sync_missing", |ann| ann.comes_back_to(&[&released(Q), &accepted(Q)])),
        ("sync_missing", |ann| ann.comes_back_to(&[&released(Q), &released(R)])),
        ("sync_missing", |ann| ann.comes_back_to(&[])),
        ("phase_back", |ann| {
            score(&ann.world);
            ann.hears(ENDED);
            ann.comes_back_to(&[&released(Q), &released(R)]);
        }),
        ("sync_outdated", |ann| {
            score(&ann.world);
            ann.watcher.offline();
            ann.returns_to(&[&released(Q), &released(R), &accepted(Q)]);
        }),
        ("scores_missed", |ann| {
            score(&ann.world);
            ann.comes_back_to(&[&leaderboard(100), &running(100)]);
        }),
    ];
    for (kind, flaw) in flaws {
        let world = world();
        let mut ann = Ann::in_lobby(&world);
        open(&world);
        ann.hears_all(&[STARTED, &released(Q), &released(R)]);
        ann.acked(Q);
        assert_eq!(kinds(&world), Vec::<&str>::new());
        flaw(&mut ann);
        assert!(kinds(&world).contains(&kind), "{kind}: {:?}", kinds(&world));
    }
}

#[test]
fn a_key_in_a_players_message_is_a_leak_but_for_the_own_results() {
    let world = world();
    let mut reader = Watch::new(Arc::clone(&world));
    world.name_asked("secret");
    reader.read(&scores("secret moon", 100), Role::Player).unwrap();
    assert_eq!(kinds(&world), Vec::<&str>::new());
    reader.read(&released(Q).replace("\"?\"", "\"secret moon?\""), Role::Player).unwrap();
    assert_eq!(kinds(&world), ["key_leaked", "question_contents"]);
}

#[test]
fn lobby_lists_are_compared_with_the_roll() {
    let world = world();
    let mut reader = Watch::new(Arc::clone(&world));
    let mut lobby = |players: &str| {
        let text = format!(r#"{{"type":"lobby_update","payload":{{"players":[{players}]}}}}"#);
        reader.read(&text, Role::Player).unwrap();
        kinds(&world)
    };
    let ann = format!(r#"{{"id":"{ANN}","displayName":"Ann"}}"#);
    assert_eq!(lobby(&ann), Vec::<&str>::new());
    assert_eq!(lobby(&format!("{ann},{ann}")), ["lobby_player_twice"]);
    assert_eq!(lobby(&ann.replace("Ann", "Eve")), ["lobby_player_twice", "lobby_stranger"]);
}

#[test]
fn a_review_is_compared_with_the_ledger_and_the_marking() {
    let entry = |player, name: &str, question_id, answer: &str, correct| ReviewAnswer {
        player_id: player,
        display_name: name.to_owned(),
        question_id,
        answer: answer.to_owned(),
        correct,
        near_miss: false,
    };
    let right = entry(ANN, "Ann", Q, "SECRET moon", true);
    let wrong = entry(BEN, "Ben", R, "no", false);
    let check = |answers: &[ReviewAnswer]| {
        let world = world();
        for (player, answer) in [(0, &right), (1, &wrong)] {
            world.ledger.given(player, answer.question_id, &answer.answer);
            world.ledger.acked(player, answer.question_id, &answer.answer);
        }
        review::check(&world, &[Q, R], answers);
        kinds(&world)
    };
    assert_eq!(check(&[right.clone(), wrong.clone()]), Vec::<&str>::new());
    assert_eq!(check(std::slice::from_ref(&right)), ["ledger_acked_answer_lost"]);
    assert_eq!(check(&[wrong.clone(), right.clone()]), ["review_order"]);
    assert_eq!(check(&[right.clone(), right.clone(), wrong.clone()]), ["review_answer_twice"]);
    assert_eq!(check(&[right.clone(), ReviewAnswer { correct: true, ..wrong.clone() }]), ["marking_wrong"]);
    assert_eq!(check(&[right.clone(), entry(BEN, "Bob", R, "no", false)]), ["review_name"]);
    assert_eq!(check(&[right.clone(), entry(BEN, "Ben", R, "never", false)]), ["ledger_other_answer_stored"]);
    let extra = entry(BEN, "Ben", Q, "new", false);
    assert_eq!(check(&[right.clone(), extra, wrong.clone()]), ["ledger_answer_never_given"]);
}
