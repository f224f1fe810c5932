//! Marks of the types that can be right in part. What their games show is compared with the engine in its simulation.

use quizhall_oracle::{Mark, Question};
use quizhall_protocol::QuestionKind;
use uuid::Uuid;

fn question(kind: QuestionKind, accepted: &[&str]) -> Question {
    Question {
        id: Uuid::from_u128(9),
        text: "Which?".to_owned(),
        kind: kind.into(),
        choices: Some(["Red", "Green", "Blue"].map(str::to_owned).to_vec()),
        accepted: accepted.iter().map(ToString::to_string).collect(),
        points: 100,
        tolerance: 0.0,
        counts_speed: false,
        halves_near_misses: false,
        time_limit: None,
        explanation: None,
    }
}

#[test]
fn parts_of_the_points() {
    let several = question(QuestionKind::MultiSelect, &["Red", "Blue"]);
    let order = question(QuestionKind::Order, &["Blue", "Red", "Green"]);
    let part = |partial| Mark { partial, ..Mark::WRONG };
    let cases = [
        (&several, "Red\nBlue", Mark::RIGHT),
        (&several, "c, a", Mark::RIGHT),
        (&several, "Red", part(50)),
        (&several, "A B", part(0)),
        (&several, "x", part(0)),
        (&order, "Blue\nRed\nGreen", Mark::RIGHT),
        (&order, "CAB", Mark::RIGHT),
        (&order, "A B C", part(50)),
        (&order, "B A C", part(0)),
    ];
    for (question, text, mark) in cases {
        assert_eq!(question.mark_of(text), mark, "{text:?} to {}", question.kind);
    }
}
