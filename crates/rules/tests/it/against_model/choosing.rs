//! Which command a random game tries next, and by whom.

use rand::RngExt;

use super::{PLAYERS, Table};
use crate::side_by_side::{Mark, What, Who, speaker};

const NAMES: [&str; 6] = ["Ann", "ANN", "Bob", "Cleo", "Dan", "dan"];
const ANSWERS: [&str; 5] = ["right", "right!", "wrong", "other", "rigth"];
const NAMED: [&[&str]; 5] = [&["wrong"], &["right", "other"], &["", "right!"], &["never given"], &["rigth"]];
const CREDITED: [&[u8]; 4] = [&[1], &[3, 2], &[2, 4, 2], &[1, 2, 3, 4]];

impl Table {
    /// Mostly a command that fits the phase, sometimes any command by any actor.
    pub(super) fn pick(&mut self) -> (Who, What) {
        if self.random.random_bool(0.25) {
            let what = self.anything();
            let who = match self.random.random_range(0..4) {
                0 => Who::Host,
                1 => Who::Player(self.random.random_range(1..=PLAYERS)),
                2 => Who::Service,
                _ => speaker(what, self.random.random_range(1..=PLAYERS)),
            };
            return (who, what);
        }
        let fitting = self.fitting();
        let id = self.team_id().unwrap_or_else(|| self.random.random_range(1..=PLAYERS));
        let who = speaker(fitting, id);
        let place = self.place(id);
        (if who == Who::Player(id) && place > 0 { Who::Phone(id, place) } else { who }, fitting)
    }

    /// A phone of a player, mostly an existing one.
    fn place(&mut self, id: u8) -> u8 {
        let further = u8::try_from(self.model.further_phones(id)).unwrap();
        if self.random.random_bool(0.02) { further + 1 } else { self.random.random_range(0..=further) }
    }

    fn fitting(&mut self) -> What {
        let dice = self.random.random_range(0..12);
        match self.model.phase {
            "lobby" | "question" if self.model.teams.is_some() && self.random.random_bool(0.25) => self.team(),
            "lobby" if dice < 8 => self.join(),
            "lobby" if dice < 9 => What::Start,
            "lobby" | "leaderboard" if dice == 11 => What::Joker,
            "question" if dice == 11 && self.model.joker_round().is_some() => What::Joker,
            "lobby" if dice == 10 && self.random.random_bool(0.5) => self.seat(),
            "question" if self.random.random_bool(0.004) => self.adjust(),
            "round_review" | "leaderboard" if self.random.random_bool(0.025) => self.adjust(),
            "question" | "round_review" if self.random.random_bool(0.04) => self.enter(),
            "question" if dice < 3 => What::Release(self.question()),
            "question" | "round_review" if self.model.round > 0 && self.random.random_bool(0.32) => {
                self.correct_marks()
            }
            "leaderboard" if self.random.random_bool(0.45) => self.correct_marks(),
            "question" if dice < 4 && self.random.random_bool(0.4) => self.accept(),
            "question" if dice < 4 && self.random.random_bool(0.3) => What::Undo,
            "question" if dice < 5 => self.timing(),
            "question" if dice < 10 => What::Submit(self.question(), ANSWERS[self.random.random_range(0..5)]),
            "question" if dice < 11 => What::EndRound,
            "round_review" if dice < 2 => self.accept(),
            "round_review" if dice < 4 => self.mark_all(),
            "round_review" if dice < 6 || (dice < 8 && self.model.undoable() > 0) => What::Undo,
            "round_review" if dice < 11 => {
                What::Override(self.random.random_range(1..=PLAYERS), self.question(), self.random.random())
            }
            "round_review" if self.random.random_bool(0.3) => self.between(),
            "round_review" if self.random.random() => What::OwnScores,
            "round_review" => What::Scores,
            "leaderboard" if dice < 3 && self.random.random_bool(0.7) => self.tie(),
            "leaderboard" if dice < 2 => What::Show,
            "leaderboard" if dice < 6 => What::Next,
            "leaderboard" if dice < 8 => What::End,
            "lobby" | "leaderboard" if dice < 10 => self.between(),
            _ => self.anything(),
        }
    }

    fn anything(&mut self) -> What {
        let id = self.random.random_range(1..=PLAYERS + 1);
        match self.random.random_range(0..79) {
            6..10 => What::Leave(id, self.place(id)),
            10..14 => What::Return(id, self.place(id)),
            14..16 => What::Start,
            16..22 => What::Release(self.question()),
            22..25 => What::EndRound,
            25..33 => What::Override(id, self.question(), self.random.random()),
            33..36 => What::Scores,
            36..39 => What::Next,
            39..40 => What::End,
            40..50 => What::Submit(self.question(), ANSWERS[self.random.random_range(0..5)]),
            50..52 => What::Remove(id),
            52..54 => What::Lock(self.random.random_bool(0.3)),
            54 if self.random.random_bool(0.1) => What::Close,
            55 => What::HostHere(self.random.random()),
            56 => What::Undo,
            57 => self.mark_all(),
            0 => self.accept(),
            1 => self.correct_marks(),
            63 => What::Joker,
            60 => What::OwnScores,
            61 => What::Show,
            62 => self.timing(),
            58 | 64..72 | 74.. => self.extra_time(),
            59 => self.between(),
            5 => self.tie(),
            4 => self.mend(),
            3 => self.team(),
            72 => self.seat(),
            73 => self.enter(),
            _ => self.join(),
        }
    }

    fn timing(&mut self) -> What {
        let open = (1..=self.questions).find(|number| self.model.takes_answers(*number));
        let question = if self.random.random() { None } else { open.or_else(|| Some(self.question())) };
        match self.random.random_range(0..14) {
            8..11 => self.extra_time(),
            0..3 => What::SetTimer(question, self.random.random_range(5_000..20_000)),
            3 => What::AddTime(question, self.random.random_range(1..3_600_000)),
            4 => What::Hold(self.random.random()),
            _ if question.is_none() && self.random.random_bool(0.5) => What::Hold(false),
            _ => What::TimeOver(question),
        }
    }

    fn extra_time(&mut self) -> What {
        let percent = [100, 125, 150, 200, 300][self.random.random_range(0..5)];
        What::ExtraTime(self.random.random_range(1..=PLAYERS + 1), percent)
    }

    fn between(&mut self) -> What {
        match self.random.random_range(0..8) {
            0..3 => What::Break(self.random.random_range(5_000..20_000)),
            3 => What::EndBreak,
            4 => What::TimeOver(None),
            _ => What::Reveal(self.question()),
        }
    }

    /// Mostly for an early question, whose scores may be released.
    fn correct_marks(&mut self) -> What {
        let question = self.question().min(self.question());
        match self.random.random_range(0..18) {
            16..18 => return self.mend(),
            0..3 => {
                let players = CREDITED[self.random.random_range(0..CREDITED.len())];
                return What::Credit(question, players, self.random.random());
            }
            3..6 => return What::Appeal(question),
            6..8 => {
                let open = self.model.open_appeal(self.random.random_range(0..8));
                let (id, question) = open.unwrap_or((self.random.random_range(1..=PLAYERS), question));
                return What::Dismiss(id, question);
            }
            _ => {}
        }
        let texts = if self.random.random() { &ANSWERS } else { NAMED[self.random.random_range(0..NAMED.len())] };
        What::Correct(question, texts, self.random.random())
    }

    fn adjust(&mut self) -> What {
        let given = u32::try_from(self.model.adjustments()).unwrap();
        if given > 0 && self.random.random_bool(0.6) {
            return What::UndoAdjust(self.random.random_range(1..=given + 1));
        }
        What::Adjust(
            self.random.random_range(1..=PLAYERS + 1),
            [-1_000_000, -5, 100, 7][self.random.random_range(0..4)],
        )
    }

    fn mend(&mut self) -> What {
        match self.random.random_range(0..9) {
            0..3 => What::Withdraw(self.question()),
            3..6 => {
                let id = self.random.random_range(1..=PLAYERS);
                What::Rename(id, NAMES[self.random.random_range(0..NAMES.len())])
            }
            6 => What::Edit(self.question(), " "),
            _ => What::Edit(self.question(), ["What?", "Which?"][self.random.random_range(0..2)]),
        }
    }

    fn seat(&mut self) -> What {
        What::Seat(NAMES[self.random.random_range(0..NAMES.len())], self.random.random_range(2..=6))
    }

    /// Mostly for a player on paper, if there is one.
    fn enter(&mut self) -> What {
        let on_paper = self.model.players().find(|player| player.on_paper).map(|player| player.id);
        let id =
            on_paper.filter(|_| self.random.random_bool(0.9)).unwrap_or_else(|| self.random.random_range(1..=PLAYERS));
        What::Enter(id, self.question(), ANSWERS[self.random.random_range(0..5)])
    }

    fn tie(&mut self) -> What {
        const ASKED: [&[u8]; 4] = [&[1, 2], &[2, 1, 3], &[3, 4], &[1, 2, 3, 4]];
        match self.random.random_range(0..if self.model.open_tie().is_some() { 8 } else { 3 }) {
            0 => What::Tie(ASKED[self.random.random_range(0..ASKED.len())], self.random.random_range(0..2)),
            1 => What::EndTie,
            _ => What::TieAnswer(self.random.random_range(-2..3)),
        }
    }

    fn mark_all(&mut self) -> What {
        let texts = NAMED[self.random.random_range(0..NAMED.len())];
        let open = (1..=self.questions).find(|number| self.model.is_open(*number));
        let question = open.filter(|_| self.random.random_bool(0.7)).unwrap_or_else(|| self.question());
        match self.random.random_range(0..3) {
            0 => What::Halve(question, texts),
            given => What::MarkAll(question, texts, given == 1),
        }
    }

    fn accept(&mut self) -> What {
        let text = ["right", "right!", "wrong", "wrong!", "other", "never given"][self.random.random_range(0..6)];
        let open = (1..=self.questions).find(|number| self.model.is_open(*number));
        let question = open.filter(|_| self.random.random_bool(0.7)).unwrap_or_else(|| self.question());
        What::Accept(question, text, self.random.random())
    }

    /// A question of the quiz, or one that does not exist.
    fn question(&mut self) -> u8 {
        self.random.random_range(1..=self.questions + 1)
    }

    fn join(&mut self) -> What {
        let id = self.random.random_range(1..=PLAYERS);
        // In nine of ten cases, id and token belong together.
        let token = if self.random.random_bool(0.9) { id } else { id + 100 };
        let key = self.random.random_bool(0.4).then(|| self.random.random_range(60..66));
        let name = NAMES[self.random.random_range(0..NAMES.len())];
        let team = self.random.random_bool(if self.model.teams.is_some() { 0.6 } else { 0.05 });
        let team = team.then(|| self.random.random_range(1..=4));
        What::Join { id, name, token, key, limit: self.random.random_range(2..=6), team }
    }

    /// A command of a phone in a team.
    fn team(&mut self) -> What {
        let known = self.team_id().and_then(|id| Some((id, self.model.team_code(id)?)));
        let (id, team) =
            known.unwrap_or_else(|| (self.random.random_range(1..=PLAYERS), self.random.random_range(1..=4)));
        match self.random.random_range(0..10) {
            0..3 => What::AddPhone {
                team,
                phone: self.random.random_range(1..=12),
                name: NAMES[self.random.random_range(0..NAMES.len())],
                key: self.random.random_bool(0.3).then(|| self.random.random_range(60..66)),
            },
            3..5 => What::Return(id, self.place(id)),
            5..7 => What::Leave(id, self.place(id)),
            _ => {
                let open = (1..=self.questions).find(|number| self.model.takes_answers(*number));
                What::Suggest(open.unwrap_or_else(|| self.question()), ANSWERS[self.random.random_range(0..5)])
            }
        }
    }

    /// Mostly one of the teams, if there are any.
    fn team_id(&mut self) -> Option<u8> {
        let teams = self.model.players().filter(|player| player.team.is_some()).map(|player| player.id);
        let teams: Vec<u8> = teams.collect();
        (!teams.is_empty() && self.random.random_bool(0.8)).then(|| teams[self.random.random_range(0..teams.len())])
    }

    /// Message ids in order on newer and newer connections, sometimes from an old one.
    pub(super) fn mark(&mut self) -> Option<Mark> {
        let now = self.said.len() as u64;
        match self.random.random_range(0..10) {
            0..3 => None,
            3..5 => Some((self.random.random_range(0..=now / 40), self.random.random_range(0..=now))),
            _ => Some((now / 40, now)),
        }
    }
}
