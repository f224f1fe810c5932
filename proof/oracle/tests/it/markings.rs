//! The host's markings: single, in groups, and undone.

use quizhall_oracle::{Game, Viewer};
use quizhall_protocol::Dialect::QuizhallV1;
use quizhall_protocol::to_host::AnswerMark;
use quizhall_protocol::{FromHost, ServerMessage, ToHost};

use crate::small_game::{answer, asking, host, id, mark, overrule, to_host};

/// Text, present mark, and whether the host has changed it.
fn answers(game: &Game) -> Vec<(&str, bool, bool)> {
    let answers = game.released.iter().flat_map(|question| game.answers_to(*question));
    answers.map(|answer| (answer.text.as_str(), answer.correct(), answer.overridden())).collect()
}

#[test]
fn markings_are_taken_back_one_by_one() {
    let mut game = asking(&["A", "B", "C"]);
    for (player, text) in [(1, "x"), (2, "a"), (3, "x")] {
        answer(&mut game, player, 0, text);
    }
    host(&mut game, &FromHost::EndRound);
    overrule(&mut game, 1, 0, true);
    let marked = mark(&mut game, 0, &["x", "a", "z"], true).of(Viewer::Host, QuizhallV1);
    let ServerMessage::Host(ToHost::AnswersMarked(touched)) = &marked[0] else { panic!("{marked:?}") };
    assert_eq!(touched.marks, [AnswerMark { player_id: id(3), correct: true, partial_points: 0, ruled: true }]);
    assert_eq!(game.undoable(), 2);
    let nothing = mark(&mut game, 0, &["z"], false);
    assert_eq!((to_host(&nothing, QuizhallV1), game.undoable()), (vec!["answers_marked", "marking_update"], 2));
    overrule(&mut game, 1, 0, true);
    assert_eq!(game.undoable(), 2, "an override that changes nothing cannot be taken back");
    overrule(&mut game, 3, 1, false);
    assert_eq!(answers(&game).len(), 4, "an override without an answer makes one");
    for expected in [
        [("x", true, true), ("a", true, false), ("x", true, true)],
        [("x", true, true), ("a", true, false), ("x", false, false)],
        [("x", false, false), ("a", true, false), ("x", false, false)],
    ] {
        let undone = host(&mut game, &FromHost::UndoMarking);
        assert_eq!(to_host(&undone, QuizhallV1), ["answers_marked", "marking_update"]);
        assert_eq!(answers(&game), expected);
    }
    assert_eq!(to_host(&host(&mut game, &FromHost::UndoMarking), QuizhallV1), ["marking_update"]);
}

#[test]
fn results_show_every_answer_with_its_points_and_who_could_answer() {
    let mut game = asking(&["A", "B"]);
    answer(&mut game, 2, 1, "b");
    answer(&mut game, 1, 1, "x");
    host(&mut game, &FromHost::EndRound);
    game.apply(&quizhall_oracle::Fact::Joined(id(3), "C".to_owned())).unwrap();
    overrule(&mut game, 2, 1, false);
    let [first, second] = &game.results()[..] else { panic!("two questions") };
    assert_eq!((first.answers.len(), first.players), (0, Some(2)), "the third came too late");
    let rows = second.answers.iter().map(|row| (row.display_name.as_str(), row.correct, row.overridden, row.points));
    assert_eq!(rows.collect::<Vec<_>>(), [("B", false, true, 0), ("A", false, false, 0)]);
}
