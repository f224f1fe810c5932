//! Tests of the checks themselves: a flawless game passes, and every kind of flaw is found.

mod features;
mod ledger;
mod teams;

use std::sync::Arc;

use quizhall_client::Reader as _;
use quizhall_load::full_game::plan::{Extent, Plan};
use quizhall_load::full_game::review;
use quizhall_load::full_game::seating::Seating;
use quizhall_load::full_game::stages::{board_stage, question_stage, review_stage};
use quizhall_load::full_game::watch::Watch;
use quizhall_load::full_game::watcher::Watcher;
use quizhall_load::full_game::world::World;
use quizhall_oracle::{Fact, Form, Game, Mark, Quiz, Reader, answer_accepted};
use quizhall_protocol::http::quizzes::{QuestionBody, RoundBody};
use quizhall_protocol::shapes::ReviewAnswer;
use quizhall_protocol::to_all::Leaderboard;
use quizhall_protocol::{Dialect, QuestionKind, Role, ServerMessage, ToAll, ToPlayer};
use uuid::Uuid;

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
    let round = |ids: &[Uuid]| RoundBody::new("", ids.iter().copied().map(question).collect());
    let quiz = Quiz::read("", &[round(&[Q, R]), round(&[NEXT])]).unwrap();
    let extent = Extent { rounds: 2, questions: 2 };
    let world =
        Arc::new(World::new(Plan::of(quiz, extent, vec!["secret".to_owned()]).unwrap(), Seating::of(2, None), false));
    for (number, (id, name)) in [(ANN, "Ann"), (BEN, "Ben")].into_iter().enumerate() {
        world.name_asked(name);
        world.joined(number, id, name.to_owned());
    }
    world
}

/// The host goes to the first question stage and releases both questions.
fn open(world: &World) {
    world.command(question_stage(0));
    world.confirm(question_stage(0));
    world.happened(&Fact::Started);
    for question in [Q, R] {
        world.happened(&Fact::Released(question));
        world.release(0, question);
        world.confirm_release(0, question);
    }
}

/// The host ends the round and releases the scores: Ann had Q right.
fn score(world: &World) {
    world.happened(&Fact::Answered(ANN, Q, "secret moon".to_owned(), Mark::RIGHT));
    world.happened(&Fact::RoundEnded);
    world.score();
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
        Self { world: Arc::clone(world), watcher: Watcher::new(Arc::clone(world), 0, ANN) }
    }

    /// Settled in the lobby.
    fn in_lobby(world: &Arc<World>) -> Self {
        let mut ann = Self::new(world);
        ann.watcher.connected();
        ann.receives(&world.oracle().lobby_update());
        ann.watcher.settled();
        ann
    }

    fn receives(&mut self, message: &ServerMessage) {
        self.watcher.message(message);
    }

    fn receives_all(&mut self, messages: &[ServerMessage]) {
        for message in messages {
            self.receives(message);
        }
    }

    fn comes_back_to(&mut self, messages: &[ServerMessage]) {
        self.watcher.offline();
        self.returns_to(messages);
    }

    fn returns_to(&mut self, messages: &[ServerMessage]) {
        self.watcher.connected();
        self.receives_all(messages);
        self.watcher.settled();
    }

    fn acked(&mut self, question: Uuid) {
        self.world.ledger.given(0, question, "secret moon");
        self.receives(&answer_accepted(question));
        self.watcher.matched();
        self.world.ledger.acked(0, question, "secret moon");
    }
}

const STARTED: ServerMessage = ServerMessage::All(ToAll::GameStarted);
const ENDED: ServerMessage = ServerMessage::All(ToAll::RoundEnded);

fn released(question: Uuid) -> ServerMessage {
    world().oracle().question_released(question)
}

/// The game of [`score`] with its scores released.
fn scored() -> Arc<Game> {
    let world = world();
    open(&world);
    score(&world);
    world.scored(0).unwrap()
}

fn board(form: Form, ann: i64) -> Leaderboard {
    let mut board = scored().board.shown(form);
    board.leaderboard[0].score = ann;
    board
}

fn leaderboard(ann: i64) -> ServerMessage {
    ServerMessage::All(ToAll::RoundLeaderboard(board(Form::Round(Reader::Other), ann)))
}

fn running(ann: i64) -> ServerMessage {
    ServerMessage::Player(ToPlayer::ScoreboardUpdate(board(Form::Running(ANN, Reader::Other), ann)))
}

fn scores(answer: &str) -> ServerMessage {
    let mut scores = scored().scores(ANN);
    answer.clone_into(&mut scores.results[0].your_answer);
    ServerMessage::Player(ToPlayer::RoundScores(scores))
}

#[test]
fn a_flawless_round_passes() {
    let world = world();
    let mut ann = Ann::in_lobby(&world);
    open(&world);
    ann.receives_all(&[STARTED, released(Q), released(R)]);
    ann.acked(Q);
    ann.comes_back_to(&[released(Q), released(R), answer_accepted(Q)]);
    score(&world);
    ann.receives(&ENDED);
    ann.comes_back_to(&[leaderboard(100), scores("secret moon"), running(100)]);
    world.command(question_stage(1));
    ann.comes_back_to(&[]);
    world.release(1, NEXT);
    ann.receives(&released(NEXT));
    assert_eq!(kinds(&world), Vec::<&str>::new());
    assert_eq!(ann.watcher.stage(), question_stage(1));
}

#[test]
fn what_comes_live_is_checked_step_by_step() {
    type Flaw = (&'static str, fn(&mut Ann));
    let flaws: [Flaw; 12] = [
        ("ack_out_of_phase", |ann| {
            ann.world.ledger.given(0, Q, "x");
            ann.receives_all(&[ENDED, answer_accepted(Q)]);
        }),
        ("ack_without_answer", |ann| ann.receives(&answer_accepted(R))),
        ("phase_back", |ann| ann.receives_all(&[ENDED, released(Q)])),
        ("phase_order", |ann| ann.receives_all(&[ENDED, ENDED])),
        ("phase_twice", |ann| ann.receives(&STARTED)),
        ("phase_skipped", |ann| {
            score(&ann.world);
            ann.receives(&leaderboard(100));
        }),
        ("phase_skipped", |ann| {
            ann.world.command(question_stage(1));
            ann.world.release(1, NEXT);
            ann.receives_all(&[ENDED, released(NEXT)]);
        }),
        ("question_twice", |ann| ann.receives(&released(Q))),
        ("question_not_released", |ann| {
            ann.world.command(question_stage(1));
            ann.receives(&released(NEXT));
        }),
        ("board_wrong", |ann| {
            score(&ann.world);
            ann.receives_all(&[ENDED, leaderboard(99)]);
        }),
        ("scores_wrong", |ann| {
            score(&ann.world);
            ann.receives_all(&[ENDED, leaderboard(100), scores("other")]);
        }),
        ("scores_missed", |ann| {
            score(&ann.world);
            ann.world.command(question_stage(1));
            ann.world.release(1, NEXT);
            ann.receives_all(&[ENDED, leaderboard(100), running(100), released(NEXT)]);
        }),
    ];
    for (kind, flaw) in flaws {
        let world = world();
        let mut ann = Ann::in_lobby(&world);
        open(&world);
        world.command(review_stage(0));
        ann.receives_all(&[STARTED, released(Q), released(R)]);
        assert_eq!(kinds(&world), Vec::<&str>::new());
        flaw(&mut ann);
        assert!(kinds(&world).contains(&kind), "{kind}: {:?}", kinds(&world));
    }
}

#[test]
fn an_early_message_and_a_missed_question_are_found() {
    let world = world();
    let mut ann = Ann::in_lobby(&world);
    ann.receives(&STARTED);
    assert_eq!(kinds(&world), ["phase_early"]);
    open(&world);
    world.command(review_stage(0));
    ann.receives_all(&[released(Q), ENDED]);
    assert_eq!(kinds(&world), ["phase_early", "questions_missed"]);
}

#[test]
fn sync_messages_must_show_what_was_certain() {
    type Flaw = (&'static str, fn(&mut Ann));
    let flaws: [Flaw; 6] = [
        ("sync_missing", |ann| ann.comes_back_to(&[released(Q), answer_accepted(Q)])),
        ("sync_missing", |ann| ann.comes_back_to(&[released(Q), released(R)])),
        ("sync_missing", |ann| ann.comes_back_to(&[])),
        ("phase_back", |ann| {
            score(&ann.world);
            ann.receives(&ENDED);
            ann.comes_back_to(&[released(Q), released(R)]);
        }),
        ("sync_outdated", |ann| {
            score(&ann.world);
            ann.watcher.offline();
            ann.returns_to(&[released(Q), released(R), answer_accepted(Q)]);
        }),
        ("scores_missed", |ann| {
            score(&ann.world);
            ann.comes_back_to(&[leaderboard(100), running(100)]);
        }),
    ];
    for (kind, flaw) in flaws {
        let world = world();
        let mut ann = Ann::in_lobby(&world);
        open(&world);
        ann.receives_all(&[STARTED, released(Q), released(R)]);
        ann.acked(Q);
        assert_eq!(kinds(&world), Vec::<&str>::new());
        flaw(&mut ann);
        assert!(kinds(&world).contains(&kind), "{kind}: {:?}", kinds(&world));
    }
}

#[test]
fn a_key_in_a_players_message_is_a_leak_but_for_the_own_results() {
    let world = world();
    let mut reader = Watch::new(Arc::clone(&world), Dialect::Interface);
    world.name_asked("secret");
    reader.read(&serde_json::to_string(&scores("secret moon")).unwrap(), Role::Player).unwrap();
    assert_eq!(kinds(&world), Vec::<&str>::new());
    reader
        .read(&serde_json::to_string(&released(Q)).unwrap().replace("\"?\"", "\"secret moon?\""), Role::Player)
        .unwrap();
    assert_eq!(kinds(&world), ["key_leaked", "question_contents"]);
}

#[test]
fn lobby_lists_are_compared_with_the_roll() {
    let world = world();
    let mut reader = Watch::new(Arc::clone(&world), Dialect::Interface);
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
        partial_points: 0,
        ruled: false,
        elapsed_ms: None,
    };
    let right = entry(ANN, "Ann", Q, "SECRET moon", true);
    let wrong = entry(BEN, "Ben", R, "no", false);
    let check = |answers: &[ReviewAnswer]| {
        let world = world();
        open(&world);
        for (player, answer) in [(0, &right), (1, &wrong)] {
            world.ledger.given(player, answer.question_id, &answer.answer);
            world.ledger.acked(player, answer.question_id, &answer.answer);
        }
        review::check(&world, &[Q, R], answers);
        kinds(&world)
    };
    assert_eq!(check(&[right.clone(), wrong.clone()]), Vec::<&str>::new());
    assert_eq!(check(std::slice::from_ref(&right)), ["ledger_acked_answer_lost"]);
    assert_eq!(check(&[wrong.clone(), right.clone()]), ["review_differs"]);
    assert_eq!(check(&[right.clone(), right.clone(), wrong.clone()]), ["review_differs"]);
    assert_eq!(check(&[right.clone(), ReviewAnswer { correct: true, ..wrong.clone() }]), ["marking_wrong"]);
    assert_eq!(check(&[right.clone(), entry(BEN, "Bob", R, "no", false)]), ["review_differs"]);
    assert_eq!(check(&[right.clone(), entry(BEN, "Ben", R, "never", false)]), ["ledger_other_answer_stored"]);
    let extra = entry(BEN, "Ben", Q, "new", false);
    assert_eq!(check(&[right.clone(), extra, wrong.clone()]), ["ledger_answer_never_given"]);
}
