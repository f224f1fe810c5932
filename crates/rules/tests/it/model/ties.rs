//! Tie-breaks in the model: who is asked, who is nearest, and the effect on the board.

use super::{Line, Model};

#[derive(Clone)]
pub struct Tie {
    round: u8,
    pub answer: i64,
    pub asked: Vec<u8>,
    pub given: Vec<(u8, i64)>,
    pub places: Option<Vec<(u8, u32)>>,
}

impl Model {
    pub fn open_tie(&self) -> Option<&Tie> {
        self.ties.last().filter(|tie| tie.places.is_none())
    }

    pub(super) fn drop_tie(&mut self) {
        if self.open_tie().is_some() {
            self.ties.pop();
        }
    }

    pub(super) fn tie(&mut self, asked: &[u8], answer: i64) -> Result<bool, &'static str> {
        if asked.iter().any(|id| self.there(*id).is_none()) {
            return Err("UnknownPlayer");
        }
        if self.open_tie().is_some_and(|open| open.asked == asked && open.answer == answer) {
            return Ok(false);
        }
        self.drop_tie();
        let (round, asked) = (self.round, asked.to_vec());
        self.ties.push(Tie { round, answer, asked, given: Vec::new(), places: None });
        Ok(true)
    }

    pub(super) fn answer_tie(&mut self, id: u8, number: i64) -> Result<bool, &'static str> {
        if self.there(id).is_none() {
            return Err("UnknownPlayer");
        }
        let Some(open) = self.ties.last_mut().filter(|tie| tie.places.is_none() && tie.asked.contains(&id)) else {
            return Ok(false);
        };
        let is_new = !open.given.contains(&(id, number));
        open.given.retain(|given| given.0 != id);
        open.given.push((id, number));
        Ok(is_new)
    }

    pub(super) fn end_tie(&mut self) -> bool {
        let Some(open) = self.open_tie() else { return false };
        let asked: Vec<u8> = open.asked.iter().copied().filter(|id| self.there(*id).is_some()).collect();
        let off = |id: u8| open.given.iter().find(|given| given.0 == id).map(|given| (given.1 - open.answer).abs());
        let is_nearer = |one: u8, other: u8| match (off(one), off(other)) {
            (Some(one), Some(other)) => one < other,
            (one, other) => one.is_some() && other.is_none(),
        };
        let place = |id: u8| 1 + asked.iter().filter(|other| is_nearer(**other, id)).count();
        let places = asked.iter().map(|id| (*id, u32::try_from(place(*id)).unwrap())).collect();
        self.ties.last_mut().unwrap().places = Some(places);
        // The end of a tie-break goes on with the game, as the next step does: it ends a break.
        self.pause = None;
        true
    }

    /// The order of equal players: the place in each tie-break after the latest scores; players who were not asked come last.
    fn order_of(&self, id: u8) -> Vec<u32> {
        let latest = self.ties.iter().filter(|tie| tie.round + 1 == self.rounds_scored);
        let own = |tie: &Tie| tie.places.iter().flatten().find(|place| place.0 == id).map(|place| place.1);
        latest.map(|tie| own(tie).unwrap_or(u32::MAX)).collect()
    }

    /// The board: player, score, score of the round, rank and place.
    pub fn board(&self) -> Vec<(u8, i64, i64, (u32, u32))> {
        let name = |id: u8| self.all_players.iter().find(|player| player.id == id).map(|player| player.name);
        let before = |line: &Line, other: &&Line| {
            other.1 > line.1 || (other.1 == line.1 && self.order_of(other.0) < self.order_of(line.0))
        };
        let ranks = |line: &Line| {
            let rank = self.lines.iter().filter(|other| other.1 > line.1).count() + 1;
            let place = self.lines.iter().filter(|other| before(line, other)).count() + 1;
            (u32::try_from(rank).unwrap(), u32::try_from(place).unwrap())
        };
        let mut board: Vec<_> = self.lines.iter().map(|line| (line.0, line.1, line.2, ranks(line))).collect();
        board.sort_by_key(|line| (line.3, name(line.0)));
        board
    }

    pub(super) fn standing(&self) -> Vec<Line> {
        let has_points = |id: u8| self.given.iter().any(|given| given.player == id) || self.was_given_points(id);
        let listed = self.players().filter(|player| player.here || has_points(player.id));
        listed
            .map(|player| (player.id, self.score(player.id, 0), self.score(player.id, self.rounds_scored - 1)))
            .collect()
    }
}
