//! The pictures that screens show one after another once the scores of a round are out: each question with its answer, then the
//! standings and the next round, or after the last round the podium.
//!
//! Their order is defined here only. The engine renders each picture, and the pages read from the server which one comes next.

use super::settings::Slide;
use crate::base::{Game, Pace, Phase};

/// The rows of a page of the standings.
pub const PAGE: usize = 10;

impl Game {
    /// The ranks of the podium that players have, best first. A shared rank leaves out the next one, and players without points
    /// have none.
    pub fn podium(&self) -> &[u32] {
        &self.board.podium
    }

    /// Every picture of the current round, in order. Between rounds the standings begin with the lowest page, so that the leaders
    /// are last; after the last round they follow the podium.
    pub fn slides(&self) -> Vec<Slide> {
        let pages = u32_of(self.board.count.div_ceil(PAGE));
        let places = u32_of(self.podium().len());
        let asked = (0..u32_of(self.released().count())).map(Slide::Question);
        if self.has_next_round() {
            return asked.chain((0..pages).rev().map(Slide::Standings)).chain([Slide::Next]).collect();
        }
        let winner = (places > 0).then_some(Slide::Winner);
        let podium = (0..places).map(Slide::Podium).chain(winner).chain([Slide::Podium(places)]);
        asked.chain(podium).chain((0..pages).map(Slide::Standings)).collect()
    }

    /// The picture that is shown until the host turns to another one. Standings that phones have been sent already are shown at once
    /// after the last round, and after single questions.
    pub(crate) fn first_slide(&self) -> Slide {
        let places = u32_of(self.podium().len());
        let is_known = !self.has_next_round() && !self.standings_held;
        match self.phase {
            Phase::Ended => Slide::Podium(places),
            _ if is_known && places > 0 => Slide::Winner,
            _ if is_known => Slide::Podium(0),
            Phase::Leaderboard if self.pace() == Pace::Question && !self.standings_held => Slide::Standings(0),
            _ => self.slides().first().copied().unwrap_or(Slide::Next),
        }
    }

    /// The picture that the screens turn to as the next step after this one; none after the last. The host may have turned to a picture
    /// that the round does not have any more, or to a tie-break: then the next one in order follows. No step turns to what the next round
    /// or the end of the game shows by itself, nor to a podium without a place.
    pub(crate) fn slide_to_turn_to(&self, shown: Slide) -> Option<Slide> {
        let places = u32_of(self.podium().len());
        let is_step = |slide: &Slide| match slide {
            Slide::Next => false,
            Slide::Podium(seen) => places == 0 || (1..places).contains(seen),
            _ => true,
        };
        self.slides().into_iter().filter(is_step).find(|slide| self.place_of(*slide) > self.place_of(shown))
    }

    /// Whether a picture shows the standings, or comes after one that does: held standings are out with it.
    pub(crate) fn is_of_standings(&self, slide: Slide) -> bool {
        self.place_of(slide) >= if self.has_next_round() { BOARD } else { self.place_of_end() }
    }

    /// The first picture that shows how the game ends: the winner, or the thanks where no player has points.
    fn place_of_end(&self) -> (u8, u32) {
        if self.podium().is_empty() { self.place_of(Slide::Podium(0)) } else { self.place_of(Slide::Winner) }
    }

    /// The place of a picture in the order. A tie-break comes before the standings or the winner, which it may change.
    fn place_of(&self, slide: Slide) -> (u8, u32) {
        let is_last = !self.has_next_round();
        match slide {
            Slide::Question(index) => (0, index),
            Slide::TieBreak if is_last => (1, u32::MAX),
            Slide::TieBreak => (0, u32::MAX),
            Slide::Standings(page) if is_last => (4, page),
            Slide::Standings(page) => (BOARD.0, u32::MAX - page),
            Slide::Podium(seen) if (seen as usize) < self.podium().len() => (1, seen),
            Slide::Winner => (2, 0),
            Slide::Podium(_) => (3, 0),
            Slide::Next => (5, 0),
        }
    }
}

/// The place of the first page of the standings between rounds.
const BOARD: (u8, u32) = (2, 0);

fn u32_of(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
