//! Points in the model: whether an answer earns all, half, none, or less than zero.

use super::Model;

impl Model {
    /// The points of a player's answer, if there is one. A right answer earns more, the longer the unbroken row of right ones before it
    /// in its round is.
    pub(super) fn worth(&self, player: u8, question: u8) -> i64 {
        if self.withdrawn.contains(&question) {
            return 0;
        }
        let round = |question: u8| (question - 1) / self.per_round;
        let given = self.given.iter().find(|given| (given.player, given.question) == (player, question));
        let once = match given {
            Some(given) if given.counts() => i64::try_from(self.worth_right(player, question)).unwrap(),
            Some(given) if given.halved(self.halves) => {
                let half = u64::from(question) * 50;
                i64::try_from(half + self.for_speed(player, question, half)).unwrap()
            }
            Some(given) if !given.text.is_empty() => self.wrong,
            _ => 0,
        };
        once * self.times(player, round(question))
    }

    fn worth_right(&self, player: u8, question: u8) -> u64 {
        let points = u64::from(question) * 100;
        let round = |question: u8| (question - 1) / self.per_round;
        let is_right = |asked: &&u8| {
            self.given.iter().any(|given| (given.player, given.question) == (player, **asked) && given.counts())
        };
        let here = self.released.iter().position(|released| *released == question).unwrap();
        let before = self.released[..here].iter().filter(|released| round(**released) == round(question));
        let before = before.filter(|released| !self.withdrawn.contains(released));
        let in_a_row = before.rev().take_while(is_right).count();
        let for_streak = if self.streaks { points * [0, 10, 20, 30, 40, 50][in_a_row.min(5)] / 100 } else { 0 };
        points + for_streak + self.for_speed(player, question, points)
    }
}
