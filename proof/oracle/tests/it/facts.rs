//! Facts that cannot happen at their place in the game.

use quizhall_oracle::{Fact, Game, Mark};
use quizhall_protocol::FromHost;
use uuid::Uuid;

use crate::small_game::{answer, asking, host, id, small_game};

fn none_of(game: &mut Game, facts: &[Fact]) {
    let before = format!("{game:?}");
    for fact in facts {
        assert!(game.apply(fact).is_err(), "{fact:?}");
    }
    assert_eq!(format!("{game:?}"), before, "what is illegal changes nothing");
}

#[test]
fn a_fact_out_of_place_is_illegal_and_changes_nothing() {
    let mut game = small_game(&["A"]);
    let (open, later) = (game.question(0).id, game.quiz.rounds[1].questions[0].id);
    let answered = |player, question| Fact::Answered(player, question, "x".to_owned(), Mark::WRONG);
    none_of(&mut game, &[Fact::Joined(id(1), "B".to_owned()), Fact::Joined(id(2), "A".to_owned())]);
    none_of(&mut game, &[Fact::Returned(id(1)), Fact::Connected(id(1)), Fact::Disconnected(id(1)), Fact::HostLeft]);
    none_of(&mut game, &[Fact::Released(open), Fact::RoundEnded, Fact::NextRound, Fact::Removed(id(2))]);
    host(&mut game, &FromHost::StartGame);
    game.apply(&Fact::Released(open)).unwrap();
    none_of(&mut game, &[Fact::Started, Fact::Left(id(1)), Fact::Released(open), Fact::Released(later)]);
    none_of(&mut game, &[answered(id(1), later), answered(Uuid::nil(), open), Fact::Overridden(id(1), open, true)]);
    none_of(&mut game, &[Fact::ScoresReleased { held: false }, Fact::Ended]);
    host(&mut game, &FromHost::EndRound);
    none_of(&mut game, &[answered(id(1), open), Fact::MarkingUndone, Fact::Overridden(id(2), open, true)]);
    host(&mut game, &FromHost::ReleaseScores);
    none_of(&mut game, &[Fact::StandingsShown]);
}

#[test]
fn the_last_round_has_no_next_and_nothing_follows_the_end() {
    let mut game = asking(&["A"]);
    answer(&mut game, 1, 0, "a");
    for round in 0..2 {
        host(&mut game, &FromHost::EndRound);
        host(&mut game, &FromHost::ReleaseScores);
        assert_eq!(game.apply(&Fact::NextRound).is_ok(), round == 0);
    }
    game.apply(&Fact::HostReturned).unwrap();
    host(&mut game, &FromHost::EndGame);
    none_of(&mut game, &[Fact::HostLeft, Fact::Disconnected(id(1)), Fact::NextRound]);
}
