//! How many frames an owner decides in one turn.

use quizhall_engine::{EdgeId, GivenAnswers, ToOwner};
use quizhall_rules::{Rows, SentRow};
use uuid::Uuid;

use super::{BATCH, of_one_turn};

fn bundle(rows: usize) -> (EdgeId, ToOwner) {
    let row = SentRow { session: 1, number: 1, text: 0, elapsed: None };
    let (question, rows) = (Uuid::nil().into(), Rows(vec![row; rows]));
    (EdgeId(1), ToOwner::Answers(GivenAnswers { epoch: 1, given_by: None, question, texts: Vec::new(), rows }))
}

#[test]
fn single_commands_fill_a_turn_by_their_number_and_bundles_by_their_answers() {
    let single = (EdgeId(1), ToOwner::Hello);
    assert_eq!(of_one_turn(&vec![single.clone(); BATCH + 1]), BATCH);
    assert_eq!(of_one_turn(&vec![bundle(1_024); 10]), BATCH / 1_024);
    assert_eq!(of_one_turn(&[single, bundle(BATCH), bundle(1)]), 2);
    assert_eq!(of_one_turn(&[bundle(BATCH * 2), bundle(1)]), 1, "the first frame is always decided");
    assert_eq!(of_one_turn(&[]), 0);
}
