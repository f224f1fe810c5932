//! The messages after each command for each viewer, and on connecting.

use quizhall_oracle::{Fact, Game, Viewer};
use quizhall_protocol::Dialect::{Interface, QuizhallV1};
use quizhall_protocol::{Dialect, FromHost, ServerMessage, ToAll, ToPlayer};

use crate::small_game::{answer, asking, host, id, overrule, release, small_game, to_host, to_player, types};

fn sync(game: &Game, player: Option<u128>, dialect: Dialect) -> Vec<&'static str> {
    let viewer = player.map_or(Viewer::Host, |player| Viewer::Player(id(player)));
    let messages = game.sync(viewer, dialect);
    assert!(messages.iter().all(|message| game.is_true(message, viewer)), "{messages:?}");
    types(&messages)
}

#[test]
fn an_answer_is_acknowledged_each_time_and_counted_once() {
    let mut game = asking(&["A", "B"]);
    for (text, counted) in [("x", 1), ("x", 0), ("a", 0)] {
        let effects = answer(&mut game, 1, 0, text);
        assert_eq!(to_player(&effects, 1, Interface), ["answer_accepted"]);
        assert_eq!(to_host(&effects, Interface).len(), counted, "{text}");
        assert_eq!(effects.perhaps().count(), usize::from(text == "a"), "the count may come again when one changes");
    }
    let effects = answer(&mut game, 2, 0, "y");
    assert_eq!(to_host(&effects, QuizhallV1), ["players_answered", "scoreboard_update"]);
    assert_eq!(to_player(&effects, 1, QuizhallV1), Vec::<&str>::new(), "nothing to the other player");
    let question = game.question(0).id;
    let answers: Vec<_> =
        game.answers_to(question).iter().map(|answer| (answer.text.as_str(), answer.correct())).collect();
    assert_eq!(answers, [("a", true), ("y", false)]);
}

#[test]
fn audiences_and_order_are_those_of_the_interface() {
    let mut game = small_game(&["A", "B"]);
    let started = host(&mut game, &FromHost::StartGame);
    assert_eq!(
        (to_host(&started, Interface), to_player(&started, 2, Interface)),
        (vec!["game_started"], vec!["game_started"])
    );
    assert_eq!(to_player(&started, 2, QuizhallV1), ["game_started", "round_started"]);
    for expected in [1, 0] {
        let released = release(&mut game, 0);
        let numbers = (to_host(&released, Interface).len(), to_player(&released, 1, Interface).len());
        assert_eq!(numbers, (1, expected), "the second release is for the host");
    }
    let ended = host(&mut game, &FromHost::EndRound);
    assert_eq!(
        (to_host(&ended, Interface), to_player(&ended, 1, Interface)),
        (vec!["round_ended", "round_review"], vec!["round_ended"])
    );
    let applied = overrule(&mut game, 1, 0, true);
    assert_eq!(to_host(&applied, Interface), ["override_applied"]);
    assert_eq!(to_host(&applied, QuizhallV1), ["override_applied", "marking_update"]);
    assert_eq!(to_player(&applied, 1, QuizhallV1), Vec::<&str>::new());
    let scores = host(&mut game, &FromHost::ReleaseScores);
    assert_eq!(to_host(&scores, Interface), ["round_leaderboard"]);
    assert_eq!(to_player(&scores, 1, Interface), ["round_leaderboard", "round_scores", "scoreboard_update"]);
    let ServerMessage::Player(ToPlayer::RoundScores(own)) = game.round_scores(id(1)) else { panic!() };
    assert_eq!((own.round_total, own.results.len()), (500, 1), "an override without an answer counts");
    let next = host(&mut game, &FromHost::StartNextRound);
    assert_eq!((to_host(&next, Interface), to_host(&next, QuizhallV1)), (vec![], vec!["round_started"]));
}

#[test]
fn who_connects_is_sent_what_the_phase_needs() {
    let mut game = small_game(&["A", "B"]);
    assert_eq!(
        (sync(&game, None, Interface), sync(&game, Some(1), Interface)),
        (vec!["lobby_update"], vec!["lobby_update"])
    );
    assert_eq!(
        sync(&game, None, QuizhallV1),
        ["host_status", "room_update", "game_info", "lobby_update", "step_update"]
    );
    host(&mut game, &FromHost::StartGame);
    assert_eq!(sync(&game, Some(1), Interface), Vec::<&str>::new());
    release(&mut game, 0);
    answer(&mut game, 1, 0, "a");
    assert_eq!(sync(&game, Some(1), Interface), ["question_released", "answer_accepted"]);
    assert_eq!(sync(&game, Some(2), QuizhallV1), ["host_status", "round_started", "question_released"]);
    let all = [
        "host_status",
        "room_update",
        "round_started",
        "question_released",
        "scoreboard_update",
        "players_answered",
        "step_update",
    ];
    assert_eq!(sync(&game, None, QuizhallV1), all);
    host(&mut game, &FromHost::EndRound);
    assert_eq!(
        (sync(&game, None, Interface), sync(&game, Some(1), Interface)),
        (vec!["round_ended", "round_review"], vec!["round_ended"])
    );
    assert!(sync(&game, None, QuizhallV1).ends_with(&["marking_update", "step_update"]));
    host(&mut game, &FromHost::ReleaseScores);
    assert_eq!(sync(&game, Some(1), Interface), ["round_leaderboard", "round_scores", "scoreboard_update"]);
    host(&mut game, &FromHost::EndGame);
    assert_eq!(sync(&game, Some(1), QuizhallV1), ["host_status", "game_ended"]);
}

#[test]
fn a_message_of_another_place_or_for_another_viewer_is_not_true() {
    let mut game = asking(&["A", "B"]);
    let player = Viewer::Player(id(1));
    let (question, counted) = (game.question(0).id, game.answer_count(game.question(0).id));
    assert!(game.is_true(&counted, Viewer::Host) && !game.is_true(&counted, player));
    assert!(!game.is_true(&quizhall_oracle::answer_accepted(question), player), "nothing was answered");
    answer(&mut game, 1, 0, "x");
    assert!(game.is_true(&quizhall_oracle::answer_accepted(question), player) && !game.is_true(&counted, Viewer::Host));
    let released = game.question_released(question);
    let lobby = game.lobby_update();
    game.apply(&Fact::Joined(id(3), "C".to_owned())).unwrap();
    assert!(!game.is_true(&lobby, player));
    game.apply(&Fact::RoundEnded).unwrap();
    assert!(!game.is_true(&released, player) && game.is_true(&ServerMessage::All(ToAll::RoundEnded), player));
}
