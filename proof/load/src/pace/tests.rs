//! Unit tests of `pace`.

#![allow(clippy::unwrap_used)]
use rand::SeedableRng as _;
use rand::rngs::SmallRng;

use super::*;

#[test]
fn ranges_are_read() {
    let ms = Duration::from_millis;
    assert_eq!("500ms..3s".parse(), Ok(Think { from: ms(500), to: ms(3_000) }));
    assert_eq!("0.5s".parse(), Ok(Think { from: ms(500), to: ms(500) }));
    assert_eq!("1s..1m".parse(), Ok(Think { from: ms(1_000), to: ms(60_000) }));
    for nonsense in ["", "5", "3s..1s", "-1s", "ms", "1h", "1s..", "a..b"] {
        assert!(nonsense.parse::<Think>().is_err(), "{nonsense}");
    }
}

#[test]
fn draws_stay_in_the_range_and_fill_it() {
    let think: Think = "1s..2s".parse().unwrap();
    let mut chance = SmallRng::seed_from_u64(1);
    let draws: Vec<f64> = (0..500).map(|_| think.draw(&mut chance).as_secs_f64()).collect();
    assert!(draws.iter().all(|draw| (1.0..=2.0).contains(draw)));
    assert!(draws.iter().any(|draw| *draw < 1.1) && draws.iter().any(|draw| *draw > 1.9));
}
