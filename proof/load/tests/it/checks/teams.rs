//! Tests of the checks of teams: what must be passes, and every kind of flaw is found.

use std::sync::Arc;

use quizhall_load::full_game::plan::{Extent, Plan};
use quizhall_load::full_game::seating::Seating;
use quizhall_load::full_game::stages::review_stage;
use quizhall_load::full_game::watcher::Watcher;
use quizhall_load::full_game::world::World;
use quizhall_oracle::{Fact, Mark, Quiz, answer_accepted};
use quizhall_protocol::http::join::JoinResponse;
use quizhall_protocol::http::quizzes::RoundBody;
use quizhall_protocol::shapes::TeamDevice;
use quizhall_protocol::to_player::{SheetAnswer, TeamSheet, TeamUpdate};
use quizhall_protocol::{ServerMessage, ToPlayer};
use uuid::Uuid;

use super::{ANN, BEN, ENDED, Q, R, STARTED, kinds, open, question, released};

const CEM: Uuid = Uuid::from_u128(0xC);
const PHONES: [(Uuid, &str); 3] = [(ANN, "Larks"), (BEN, "Ben"), (CEM, "Cem")];
const CODE: &str = "K7QM";

/// One team, of which all three phones have joined.
fn world() -> Arc<World> {
    let quiz = Quiz::read("", &[RoundBody::new("", vec![question(Q), question(R)])]).unwrap();
    let plan = Plan::of(quiz, Extent { rounds: 1, questions: 2 }, Vec::new()).unwrap();
    let world = Arc::new(World::new(plan, Seating::of(1, Some(3)), false));
    for (bot, (phone, name)) in PHONES.into_iter().enumerate() {
        world.name_asked(name);
        world.joined_team(
            bot,
            &JoinResponse {
                session_token: String::new(),
                game_code: "ABC234".to_owned(),
                player_id: ANN,
                display_name: name.to_owned(),
                team_code: Some(CODE.to_owned()),
                device_id: Some(phone),
            },
        );
    }
    world
}

/// `team_update` to the phone of Ben.
fn update() -> TeamUpdate {
    let devices = PHONES.map(|(device_id, name)| TeamDevice {
        device_id,
        display_name: name.to_owned(),
        connected: true,
        moves: 0,
    });
    TeamUpdate { team_code: CODE.to_owned(), device_id: BEN, devices: devices.to_vec(), captain: None }
}

fn updated(update: TeamUpdate) -> ServerMessage {
    ServerMessage::Player(ToPlayer::TeamUpdate(update))
}

fn entry(question_id: Uuid, answer: &str, by: Uuid) -> SheetAnswer {
    SheetAnswer { question_id, answer: answer.to_owned(), by }
}

fn sheet(answers: &[SheetAnswer]) -> ServerMessage {
    said(true, answers)
}

fn line(answers: &[SheetAnswer]) -> ServerMessage {
    said(false, answers)
}

fn said(whole: bool, answers: &[SheetAnswer]) -> ServerMessage {
    let answers = answers.to_vec();
    ServerMessage::Player(ToPlayer::TeamSheet(TeamSheet { whole, answers, ..TeamSheet::default() }))
}

/// The phone of Ben in the open round; Ann's phone has answered `Q`, and Cem's `R`.
fn ben(world: &Arc<World>) -> Watcher {
    let mut ben = Watcher::new(Arc::clone(world), 1, ANN);
    open(world);
    ben.connected();
    for message in [world.oracle().lobby_update(), updated(update())] {
        ben.message(&message);
    }
    ben.settled();
    for message in [STARTED, released(Q), released(R)] {
        ben.message(&message);
    }
    for (bot, question, text) in [(0, Q, "moon"), (2, R, "sun")] {
        world.ledger.given(bot, question, text);
        world.ledger.acked(bot, question, text);
    }
    for answer in [entry(R, "sun", CEM), entry(Q, "moon", ANN)] {
        ben.message(&line(&[answer]));
    }
    ben
}

/// The round ends with these answers in the review.
fn review(world: &World, answers: [&str; 2]) {
    for (question, text) in [Q, R].into_iter().zip(answers) {
        world.happened(&Fact::Answered(ANN, question, text.to_owned(), Mark::RIGHT));
    }
    world.happened(&Fact::RoundEnded);
}

#[test]
fn a_flawless_team_passes() {
    let world = world();
    let mut ben = ben(&world);
    world.command(review_stage(0));
    review(&world, ["moon", "sun"]);
    ben.message(&ENDED);
    assert_eq!((kinds(&world), world.phones_astray(), world.sheets_shown()), (vec![], vec![], 1));
    ben.offline();
    assert_eq!(world.sheets_shown(), 0, "a phone that is away shows nothing");
    ben.connected();
    for message in [ENDED, updated(update()), sheet(&[entry(Q, "moon", ANN), entry(R, "sun", CEM)])] {
        ben.message(&message);
    }
    ben.settled();
    assert_eq!((kinds(&world), world.phones_astray(), world.sheets_shown()), (vec![], vec![], 1));
}

#[test]
fn each_flaw_of_a_sheet_is_found() {
    type Flaw = (&'static str, fn(&mut Watcher));
    let flaws: [Flaw; 10] = [
        ("sheet_answer_lost", |ben| ben.message(&sheet(&[entry(R, "sun", CEM)]))),
        ("sheet_order", |ben| ben.message(&sheet(&[entry(R, "sun", CEM), entry(Q, "moon", ANN)]))),
        ("sheet_answer_never_given", |ben| ben.message(&sheet(&[entry(Q, "moon", BEN), entry(R, "sun", CEM)]))),
        ("sheet_answer_never_given", |ben| ben.message(&sheet(&[entry(Q, "other", ANN), entry(R, "sun", CEM)]))),
        ("sheet_answer_never_given", |ben| ben.message(&line(&[entry(Q, "moon", CEM)]))),
        ("sheet_lines", |ben| ben.message(&line(&[entry(Q, "moon", ANN), entry(R, "sun", CEM)]))),
        ("sheet_out_of_phase", |ben| {
            for message in [ENDED, sheet(&[entry(Q, "moon", ANN), entry(R, "sun", CEM)])] {
                ben.message(&message);
            }
        }),
        ("team_update_wrong", |ben| ben.message(&updated(TeamUpdate { device_id: CEM, ..update() }))),
        ("team_update_wrong", |ben| {
            let mut wrong = update();
            wrong.devices[2].display_name = "Eve".to_owned();
            ben.message(&updated(wrong));
        }),
        ("sync_missing", |ben| {
            ben.offline();
            ben.connected();
            let acks = [answer_accepted(Q), answer_accepted(R)];
            for message in [released(Q), released(R)].iter().chain(&acks).chain(&[sheet(&[entry(Q, "moon", ANN)])]) {
                ben.message(message);
            }
            ben.settled();
        }),
    ];
    for (kind, flaw) in flaws {
        let world = world();
        let mut ben = ben(&world);
        world.command(review_stage(0));
        assert_eq!(kinds(&world), Vec::<&str>::new());
        flaw(&mut ben);
        assert_eq!(kinds(&world), [kind]);
    }
}

#[test]
fn a_phone_that_shows_another_sheet_than_the_committed_one_is_astray() {
    let astray = |answers| {
        let world = world();
        let _ben = ben(&world);
        review(&world, answers);
        world.phones_astray()
    };
    assert_eq!(astray(["moon", "sun"]), Vec::<usize>::new());
    assert_eq!(astray(["moon", "rain"]), [1]);

    let world = world();
    let mut ben = ben(&world);
    let mut alone = update();
    alone.devices[2].connected = false;
    ben.message(&updated(alone));
    review(&world, ["moon", "sun"]);
    assert_eq!(world.phones_astray(), [1], "a phone is here that is shown as away");
    ben.message(&updated(update()));
    assert_eq!(world.phones_astray(), Vec::<usize>::new());
    // The answer of Ann's phone was replaced by that of Cem's, with the same text.
    world.ledger.given(2, Q, "moon");
    world.ledger.acked(2, Q, "moon");
    assert_eq!(world.phones_astray(), [1], "it names a phone whose answer does not count");
}
