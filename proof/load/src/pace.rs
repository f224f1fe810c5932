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
