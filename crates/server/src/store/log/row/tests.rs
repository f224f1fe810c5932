//! Unit tests of `store::log::row`.

use std::collections::HashSet;

use quizhall_rules::GameId;
use uuid::Uuid;

use super::*;

fn row(game: u128, seq: u64) -> Append {
    let previous = Head { seq: 0, batch: 0 };
    let game = GameId::from(Uuid::from_u128(game));
    Append { game, previous, seq, count: 1, epoch: 1, batch: 1, body: String::new(), phase: None }
}

#[test]
fn rows_of_one_game_are_in_order_and_never_in_one_statement_nor_are_there_too_many() {
    for games in 1..6_u32 {
        let rows: Vec<_> = (0..23_u32).map(|n| row(u128::from(n * n % games), u64::from(n))).collect();
        let statements = of_different_games(rows, 3);
        let mut last = HashMap::new();
        let mut places = Vec::new();
        for statement in &statements {
            assert!((1..=3).contains(&statement.len()));
            let mut here = HashSet::new();
            for (place, row) in statement {
                assert_eq!(row.seq, *place as u64, "a row has its own place");
                assert!(here.insert(row.game), "twice in a statement");
                assert!(last.insert(row.game, *place).is_none_or(|before| before < *place), "out of order");
                places.push(*place);
            }
        }
        places.sort_unstable();
        assert_eq!(places, (0..23).collect::<Vec<_>>());
    }
}
