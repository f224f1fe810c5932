//! What one sees while the bots play: one live line on a terminal, a line per change elsewhere. On standard error.

use std::io::IsTerminal as _;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use quizhall_client::Phase;

use super::{Common, Scene};

/// The display.
pub enum Progress {
    /// A spinner with a message.
    Terminal(ProgressBar),
    /// Plain lines; the last one shown, so that only changes are.
    Lines(Mutex<String>),
}

impl Progress {
    /// Starts the display for this many bots.
    pub fn start(players: usize) -> Self {
        if !std::io::stderr().is_terminal() {
            eprintln!("{players} bots are on their way");
            return Self::Lines(Mutex::default());
        }
        let bar = ProgressBar::new_spinner();
        bar.set_style(
            ProgressStyle::with_template("{spinner} {elapsed_precise}  {msg}").expect("the template is fixed"),
        );
        bar.enable_steady_tick(Duration::from_millis(120));
        Self::Terminal(bar)
    }

    /// Shows how things stand.
    pub fn show(&self, common: &Common, scene: &Scene) {
        if common.joined.load(Ordering::Relaxed) == 0 {
            return;
        }
        let what = describe(scene);
        match self {
            Self::Terminal(bar) => {
                let count = |number: &std::sync::atomic::AtomicU64| number.load(Ordering::Relaxed);
                let (online, joined) = (count(&common.online), count(&common.joined));
                bar.set_message(format!(
                    "{what}  ·  {online} of {joined} online  ·  {} answers",
                    count(&common.acknowledged)
                ));
            }
            Self::Lines(last) => {
                let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
                if *last != what {
                    eprintln!("{what} · {} answers so far", common.acknowledged.load(Ordering::Relaxed));
                    *last = what;
                }
            }
        }
    }

    /// Clears the live line.
    pub fn finish(&self) {
        if let Self::Terminal(bar) = self {
            bar.finish_and_clear();
        }
    }
}

fn describe(scene: &Scene) -> String {
    match scene.phase {
        Phase::Lobby if scene.players == 1 => "in the lobby, 1 player".to_owned(),
        Phase::Lobby => format!("in the lobby, {} players", scene.players),
        Phase::Question if scene.questions == 0 => "waiting for a question".to_owned(),
        Phase::Question if scene.questions == 1 => "1 question is open".to_owned(),
        Phase::Question => format!("{} questions are open", scene.questions),
        Phase::RoundReview => "the host looks through the answers".to_owned(),
        Phase::Leaderboard => match scene.board.first() {
            Some(first) => format!("the board is out: {} leads with {}", first.display_name, first.score),
            None => "the board is out".to_owned(),
        },
        Phase::Ended => "the game is over".to_owned(),
    }
}
