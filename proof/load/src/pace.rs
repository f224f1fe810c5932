//! How long people think: a range of durations as it is written on the command line, and a draw from it.

use std::str::FromStr;
use std::time::Duration;

use rand::{Rng, RngExt as _};

/// A range of thinking times, such as `500ms..3s`; a single duration is a range of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Think {
    /// The shortest.
    pub from: Duration,
    /// The longest.
    pub to: Duration,
}

impl Think {
    /// A time somewhere in the range.
    pub fn draw(&self, chance: &mut impl Rng) -> Duration {
        self.from + self.to.saturating_sub(self.from).mul_f64(chance.random::<f64>())
    }
}

impl FromStr for Think {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (from, to) = text.split_once("..").unwrap_or((text, text));
        let (from, to) = (duration(from)?, duration(to)?);
        if from > to {
            return Err("the range must begin with its shorter end, as in 500ms..3s".to_owned());
        }
        Ok(Self { from, to })
    }
}

fn duration(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let number: f64 = digits.parse().map_err(|_| "a duration looks like 500ms, 3s or 1m".to_owned())?;
    let seconds = match &text[digits.len()..] {
        "ms" => number / 1e3,
        "s" => number,
        "m" => number * 60.0,
        _ => return Err("a duration ends in ms, s or m".to_owned()),
    };
    Duration::try_from_secs_f64(seconds).map_err(|_| "a duration must not be negative".to_owned())
}

#[cfg(test)]
mod tests {
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
}
