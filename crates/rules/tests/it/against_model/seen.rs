//! Counts what the random games covered; games that never cover a case prove nothing about it.

use crate::side_by_side::{What, Who};

#[derive(Default)]
pub struct Seen {
    pub steps: usize,
    pub ended: usize,
    pub late_rounds: usize,
    /// Undone markings, and those of them that were not the only one.
    pub undone: [usize; 2],
    /// Changes of a key, and those of them during the question phase.
    pub keys: [usize; 2],
    /// How often standings were held and shown.
    pub shown: usize,
    /// Questions and rounds closed by a timer, the host's changes of timers, and of extra time.
    pub timed: [usize; 4],
    /// Timers that were over for some players while others had extra time.
    pub stages: usize,
    /// Revealed answers, breaks that began, and breaks whose time was over.
    pub between: [usize; 3],
    /// Jokers played before the game, and between two rounds.
    pub jokers: [usize; 2],
    /// Corrected marks, and those of them in a later round.
    pub corrected: [usize; 2],
    /// Credited players, appeals, and dismissed appeals.
    pub appeals: [usize; 3],
    /// Points given by hand, and undone.
    pub adjusted: [usize; 2],
    /// Edited questions, withdrawn questions, and renamed players.
    pub mended: [usize; 3],
    /// Phones that joined a team, connected, and left; answers of phones other than the first, and suggestions.
    pub phones: [usize; 5],
    /// Players on paper, and answers entered for them in the question phase, and in the review.
    pub paper: [usize; 3],
    pub verdicts: std::collections::BTreeMap<String, usize>,
}

impl Seen {
    /// Counts a command of a phone in a team.
    pub fn note_of_team(&mut self, who: Who, what: What) {
        let place = match (who, what) {
            (_, What::AddPhone { .. }) => 0,
            (_, What::Return(_, 1..)) => 1,
            (_, What::Leave(_, 1..)) => 2,
            (Who::Phone(..), What::Submit(..)) => 3,
            (_, What::Suggest(..)) => 4,
            _ => return,
        };
        self.phones[place] += 1;
    }

    pub fn check(&self) {
        eprintln!("{} steps, {} games ended, {:?}", self.steps, self.ended, self.verdicts);
        assert!(self.undone[0] > 1_000 && self.undone[1] > 300, "{:?} markings were undone", self.undone);
        assert!(self.keys.iter().all(|times| *times > 1_000), "keys were changed {:?} times", self.keys);
        assert!(self.timed.iter().all(|times| *times > 200), "timers closed and were changed {:?} times", self.timed);
        assert!(self.stages > 200, "a stage of a timer was over {} times", self.stages);
        assert!(self.between.iter().all(|times| *times > 250), "reveals and breaks: {:?}", self.between);
        assert!(self.jokers.iter().all(|times| *times > 250), "jokers were played {:?} times", self.jokers);
        assert!(self.corrected[0] > 300 && self.corrected[1] > 100, "marks were corrected {:?} times", self.corrected);
        assert!(self.appeals.iter().all(|times| *times > 100), "credits and appeals: {:?}", self.appeals);
        assert!(self.adjusted.iter().all(|times| *times > 100), "points were given by hand {:?} times", self.adjusted);
        assert!(
            self.mended.iter().all(|times| *times > 250),
            "questions and names were changed {:?} times",
            self.mended
        );
        assert!(self.phones.iter().all(|times| *times > 100), "phones of teams: {:?}", self.phones);
        assert!(self.paper.iter().all(|times| *times > 100), "players on paper and their answers: {:?}", self.paper);
        assert!(self.shown > 300, "standings were held and shown {} times", self.shown);
        assert!(self.steps > 500_000 && self.ended > 500 && self.late_rounds > 1_000);
        let kinds = [
            "Ok(false)",
            "WrongPhase",
            "WrongRole",
            "UnknownQuestion",
            "UnknownPlayer",
            "NoRoundLeft",
            "NameTaken",
            "UnfitText",
            "Locked",
            "Ended",
            "Full",
            "NoTeams",
            "UnknownTeam",
            "TeamFull",
            "TeamCodeTaken",
            "IdempotencyMismatch",
            "Superseded",
            "Closed",
        ];
        for kind in kinds {
            let count = self.verdicts.iter().find(|(verdict, _)| verdict.contains(kind)).map_or(0, |(_, count)| *count);
            assert!(count > 100, "{kind} was seen {count} times");
        }
    }
}
