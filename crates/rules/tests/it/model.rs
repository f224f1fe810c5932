//! The game again, as simple as possible, as a reference for comparison. Written only from the interface, on flat lists that are
//! searched from end to end; it shares nothing with the crate but the rules it follows.

use crate::side_by_side::{Mark, What, Who};

mod adjustments;
mod appeals;
mod jokers;
mod markings;
mod mending;
mod paper;
mod players;
mod points;
mod rounds;
mod speed;
mod teams;
mod ties;
mod timers;

pub use speed::Speed;
pub use teams::{Rules, Team};
pub use ties::Tie;
use timers::Timers;

#[derive(Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Player {
    pub id: u8,
    pub name: &'static str,
    /// Whether the player has not left the lobby.
    pub here: bool,
    pub connected: bool,
    pub on_paper: bool,
    pub removed: bool,
    pub last: Option<Mark>,
    pub percent: u16,
    /// The round for which the joker was played.
    pub joker: Option<u8>,
    pub team: Option<Team>,
    token: u8,
    key: Option<u8>,
}

#[derive(Clone, PartialEq)]
struct Given {
    player: u8,
    question: u8,
    /// The phone that sent it last, by its place in the team.
    by: u8,
    text: String,
    right: bool,
    ruled: Option<bool>,
    /// Whether it earns half of the points by the host's mark.
    half: bool,
    /// The host's ruling on the text, made before or after it was given.
    keyed: Option<bool>,
    /// The time it took in milliseconds, in a game that counts speed.
    took: Option<u64>,
    /// The player's percentage of the time limit at that time.
    percent: u16,
}

impl Given {
    /// The entry that a mark creates for a player without an answer.
    fn nothing(player: u8, question: u8, (correct, half): (bool, bool)) -> Self {
        let (text, ruled) = (String::new(), Some(correct));
        let (right, keyed, took, percent) = (false, None, None, 100);
        Self { player, question, by: 0, text, right, ruled, half, keyed, took, percent }
    }

    fn counts(&self) -> bool {
        self.ruled.or(self.keyed).unwrap_or(self.right)
    }

    /// Whether it is a near miss about which the host has not decided.
    fn is_doubtful(&self) -> bool {
        self.text == "rigth" && self.ruled.is_none() && self.keyed.is_none()
    }

    /// Whether it earns half of the points; `halves`: whether near misses do in this game.
    fn halved(&self, halves: bool) -> bool {
        let by_key = halves && self.keyed.is_none() && self.text == "rigth";
        if self.ruled.is_some() { self.half } else { by_key }
    }
}

/// A marking, as the entries before it: player, question, and the answer, if there was one.
type Marking = Vec<(u8, u8, Option<Given>)>;

#[derive(Clone)]
enum Undo {
    Marking(Marking),
    /// The latest ruling on texts, for a question.
    Key(u8),
}

/// One line of the board: player, score, score of the last released round.
type Line = (u8, i64, i64);

#[derive(Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Model {
    pub phase: &'static str,
    pub round: u8,
    pub locked: bool,
    pub closed: bool,
    pub all_players: Vec<Player>,
    pub host_last: Option<Mark>,
    pub host_here: bool,
    pub standings_held: bool,
    /// Milliseconds since the beginning.
    pub now: u64,
    pub timers: Timers,
    /// Player, question, and whether it was dismissed.
    appeals: Vec<(u8, u8, bool)>,
    /// The points by hand ever given, in order; none once they are undone.
    adjusted: Vec<Option<adjustments::Given>>,
    rounds: u8,
    per_round: u8,
    /// Whether every round counts streaks.
    streaks: bool,
    pub speed: Speed,
    /// Whether every round can be doubled.
    pub jokers: bool,
    /// The points of a wrong answer in every round.
    pub wrong: i64,
    /// Whether near misses earn half of the points in every round.
    pub halves: bool,
    /// How several phones play as a team, if they do.
    pub teams: Option<Rules>,
    /// Every question ever released, in order.
    released: Vec<u8>,
    /// Every answer ever given, in order of first arrival.
    given: Vec<Given>,
    /// The host's rulings on texts: question, text without punctuation, and whether it is right; the latest counts.
    keys: Vec<(u8, String, bool)>,
    /// The markings of this round, oldest first.
    markings: Vec<Undo>,
    rounds_scored: u8,
    lines: Vec<Line>,
    /// The revealed questions of this round, in order.
    pub revealed: Vec<u8>,
    /// The time left of the break.
    pub pause: Option<u64>,
    /// The tie-breaks in order; the last can be open.
    pub ties: Vec<Tie>,
    /// The edited texts of questions; the latest counts.
    texts: Vec<(u8, &'static str)>,
    /// The questions whose text was edited after their release.
    pub corrected: Vec<u8>,
    pub withdrawn: Vec<u8>,
}

impl Model {
    pub fn new(rounds: u8, per_round: u8, streaks: bool) -> Self {
        Self { phase: "lobby", rounds, per_round, streaks, ..Self::default() }
    }

    /// `Ok(true)`: the game changed; `Ok(false)`: nothing to do; or the name of the refusal.
    pub fn ask(&mut self, who: Who, mark: Option<Mark>, what: What) -> Result<bool, &'static str> {
        if self.closed {
            return if what == What::Close { Ok(false) } else { Err("Closed") };
        }
        let last = match who {
            Who::Host => self.host_last,
            Who::Player(id) => self.last_of(id, 0),
            Who::Phone(id, place) => self.last_of(id, place),
            Who::Service => None,
        };
        match (last, mark) {
            (Some(old), Some(new)) if new.0 < old.0 => return Err("Superseded"),
            (Some(old), Some(new)) if new.0 == old.0 && new.1 <= old.1 => return Ok(false),
            _ => {}
        }
        let happened = self.act(who, what)?;
        if happened && mark.is_some() {
            match who {
                Who::Host => self.host_last = mark,
                Who::Player(id) => self.set_last(id, 0, mark),
                Who::Phone(id, place) => self.set_last(id, place, mark),
                Who::Service => {}
            }
        }
        Ok(happened)
    }

    fn act(&mut self, who: Who, what: What) -> Result<bool, &'static str> {
        let role_fits = match what {
            What::Join { .. }
            | What::AddPhone { .. }
            | What::Leave(..)
            | What::Return(..)
            | What::HostHere(_)
            | What::TimeOver(_)
            | What::Close => who == Who::Service,
            What::Remove(_) | What::Lock(_) => who == Who::Host || who == Who::Service,
            What::Submit(..) | What::Suggest(..) | What::Joker | What::Appeal(_) | What::TieAnswer(_) => {
                matches!(who, Who::Player(_) | Who::Phone(..))
            }
            _ => who == Who::Host,
        };
        if !role_fits {
            return Err("WrongRole");
        }
        let needed = self.phase_for(what);
        if needed != self.phase || self.phase == "ended" && who != Who::Service {
            return Err("WrongPhase");
        }
        match what {
            What::Join { id, name, token, key, limit, team } => self.join(id, name, (token, key, team), limit),
            What::AddPhone { team, phone, name, key } => self.add_phone(team, phone, name, key),
            What::Leave(id, place) => Ok(self.leave(id, place)),
            What::Return(id, place) => Ok(self.come_back(id, place)),
            What::HostHere(here) => {
                let changes = self.host_here != here && self.phase != "ended";
                self.host_here ^= changes;
                Ok(changes)
            }
            What::Release(question) => self.release(question),
            What::SetTimer(question, ms) => self.set_timer(question, ms),
            What::AddTime(question, ms) => self.add_time(question, ms),
            What::Hold(held) => Ok(self.hold(held)),
            What::ExtraTime(id, percent) => self.set_extra_time(id, percent),
            What::TimeOver(question) => Ok(self.time_over(question)),
            What::Submit(..) | What::Suggest(..) | What::Joker | What::TieAnswer(_) | What::Appeal(_) => {
                self.act_as_player(who, what)
            }
            What::Tie(asked, answer) => self.tie(asked, answer),
            What::EndTie => Ok(self.end_tie()),
            What::Override(id, question, correct) => self.overrule(id, question, correct),
            What::MarkAll(question, texts, correct) => self.mark_all(question, texts, (correct, false)),
            What::Halve(question, texts) => self.mark_all(question, texts, (false, true)),
            What::Accept(question, text, correct) => self.accept(question, text, correct),
            What::Correct(question, texts, mark) => self.correct_marks(question, texts, mark),
            What::Credit(question, players, mark) => self.credit(question, players, mark),
            What::Dismiss(id, question) => self.dismiss(id, question),
            What::Adjust(id, points) => self.adjust(id, points),
            What::UndoAdjust(number) => Ok(self.undo_adjustment(number)),
            What::Undo => Ok(self.undo()),
            What::Edit(question, text) => self.edit(question, text),
            What::Withdraw(question) => self.withdraw(question),
            What::Rename(id, name) => self.rename(id, name),
            What::Seat(name, limit) => self.seat(name, limit),
            What::Enter(id, question, text) => self.enter(id, question, text),
            What::Show | What::Reveal(_) | What::Break(_) | What::EndBreak => self.between(what),
            What::Next if self.round + 1 >= self.rounds => Err("NoRoundLeft"),
            What::Remove(id) => self.remove(id),
            What::Lock(locked) if locked == self.locked => Ok(false),
            _ => {
                self.advance(what);
                Ok(true)
            }
        }
    }

    fn act_as_player(&mut self, who: Who, what: What) -> Result<bool, &'static str> {
        let (id, place) = self.sender(who)?;
        match what {
            What::Submit(question, text) => self.submit((id, place), question, text),
            What::Suggest(question, text) => self.suggest(id, place, (question, text)),
            What::TieAnswer(number) => self.answer_tie(id, number),
            What::Appeal(question) => self.appeal(id, question),
            _ => self.play_joker(id),
        }
    }

    /// The phase in which the command is allowed; the present one if that is one of several.
    fn phase_for(&self, what: What) -> &'static str {
        match what {
            What::Start => "lobby",
            What::Release(_)
            | What::EndRound
            | What::Submit(..)
            | What::Suggest(..)
            | What::SetTimer(..)
            | What::AddTime(..)
            | What::Hold(_) => "question",
            What::Correct(..)
            | What::Credit(..)
            | What::Appeal(_)
            | What::Dismiss(..)
            | What::Withdraw(_)
            | What::Adjust(..)
            | What::UndoAdjust(_)
                if self.phase == "lobby" || self.phase == "ended" =>
            {
                "question"
            }
            What::Accept(..) | What::Undo | What::Enter(..) if self.phase == "question" => "question",
            What::Override(..)
            | What::Enter(..)
            | What::MarkAll(..)
            | What::Halve(..)
            | What::Accept(..)
            | What::Undo
            | What::Scores
            | What::OwnScores => "round_review",
            What::Next | What::End | What::Show | What::Tie(..) | What::EndTie => "leaderboard",
            What::Reveal(_) if !self.is_between(false) => "round_review",
            What::Break(_) | What::EndBreak if !self.is_between(true) => "lobby",
            _ => self.phase,
        }
    }

    /// Carries out a command that always takes effect when role and phase fit.
    fn advance(&mut self, what: What) {
        match what {
            What::Start => self.phase = "question",
            What::EndRound => {
                self.phase = "round_review";
                self.end_timers();
            }
            What::Scores | What::OwnScores => {
                self.standings_held = what == What::OwnScores;
                self.phase = "leaderboard";
                self.markings.clear();
                self.rounds_scored = self.round + 1;
                self.lines = self.standing();
            }
            What::Next => {
                (self.round, self.phase) = (self.round + 1, "question");
                self.standings_held = false;
                self.forget_suggestions();
                self.drop_tie();
            }
            What::End => {
                self.standings_held = false;
                self.phase = "ended";
                self.drop_tie();
                self.lines = self.standing();
            }
            What::Lock(locked) => self.locked = locked,
            _ => {
                self.closed = true;
                self.end_timers();
            }
        }
        if !matches!(what, What::Lock(_)) {
            self.goes_on();
        }
    }

    fn release(&mut self, question: u8) -> Result<bool, &'static str> {
        if !self.in_round(question) {
            return Err("UnknownQuestion");
        }
        let new = !self.released.contains(&question);
        if new {
            self.released.push(question);
            self.start_limit(question);
        }
        Ok(new)
    }

    /// The same text from another phone of the team counts as that phone's from then on.
    fn submit(&mut self, (player, by): (u8, u8), question: u8, text: &str) -> Result<bool, &'static str> {
        if !self.may_answer(player, by) {
            return Err("WrongRole");
        }
        if !self.takes_answers_of(question, player) {
            return Err("UnknownQuestion");
        }
        let (right, text) = (text.starts_with("right"), text.to_owned());
        let keyed = self.keyed(question, &text);
        let (took, percent) = (self.took(question), self.there(player).map_or(100, |player| player.percent));
        match self.given.iter_mut().find(|given| given.player == player && given.question == question) {
            Some(given) if given.text == text && given.by == by => return Ok(false),
            Some(given) if given.text == text => given.by = by,
            Some(given) => {
                (given.text, given.right, given.keyed, given.by) = (text, right, keyed, by);
                (given.took, given.percent) = (took, percent);
            }
            None => {
                let (ruled, half) = (None, false);
                self.given.push(Given { player, question, by, text, right, ruled, half, keyed, took, percent });
            }
        }
        self.decide_suggestions(player, question);
        Ok(true)
    }

    fn overrule(&mut self, player: u8, question: u8, correct: bool) -> Result<bool, &'static str> {
        if !self.is_open(question) {
            return Err("UnknownQuestion");
        }
        if self.there(player).is_none() {
            return Err("UnknownPlayer");
        }
        let before = self.given.iter().find(|given| given.player == player && given.question == question).cloned();
        let halves = self.halves;
        match self.given.iter_mut().find(|given| given.player == player && given.question == question) {
            Some(given) if (given.counts(), given.halved(halves)) == (correct, false) => return Ok(false),
            Some(given) => (given.ruled, given.half) = (Some(correct), false),
            None => self.given.push(Given::nothing(player, question, (correct, false))),
        }
        self.markings.push(Undo::Marking(vec![(player, question, before)]));
        Ok(true)
    }

    fn in_round(&self, question: u8) -> bool {
        question >= 1 && (question - 1) / self.per_round == self.round
    }

    pub fn is_open(&self, question: u8) -> bool {
        self.in_round(question) && self.released.contains(&question)
    }

    pub fn players(&self) -> impl Iterator<Item = &Player> {
        self.all_players.iter().filter(|player| !player.removed)
    }

    fn there(&self, id: u8) -> Option<&Player> {
        self.players().find(|player| player.id == id)
    }

    fn player(&mut self, id: u8) -> &mut Player {
        self.all_players.iter_mut().find(|player| player.id == id).expect("looked up before")
    }

    fn open(&self) -> Vec<u8> {
        self.released.iter().copied().filter(|question| self.in_round(*question)).collect()
    }

    /// The host's review: player, question, answer, correct.
    pub fn review(&self) -> Vec<(u8, u8, &str, bool)> {
        let mut entries = Vec::new();
        for question in self.open() {
            for given in self.given.iter().filter(|given| given.question == question) {
                entries.push((given.player, question, given.text.as_str(), given.counts()));
            }
        }
        entries
    }

    /// The phones that sent the answers of the review, by their places, in its order.
    pub fn signed(&self) -> Vec<u8> {
        let of = |question: u8| self.given.iter().filter(move |given| given.question == question);
        self.open().into_iter().flat_map(of).map(|given| given.by).collect()
    }

    /// A player's results: question, answer, correct, points.
    pub fn results(&self, player: u8) -> Vec<(u8, &str, bool, i32)> {
        let review = self.review();
        let result = |question: u8| {
            let given = review.iter().find(|entry| entry.0 == player && entry.1 == question);
            let (answer, correct) = given.map_or(("", false), |entry| (entry.2, entry.3));
            (question, answer, correct, i32::try_from(self.worth(player, question)).unwrap())
        };
        self.open().into_iter().map(result).collect()
    }

    /// The points of the released rounds, beginning with round `from`.
    fn score(&self, player: u8, from: u8) -> i64 {
        let counts = |given: &&Given| {
            let round = (given.question - 1) / self.per_round;
            given.player == player && (from..self.rounds_scored).contains(&round)
        };
        let earned: i64 = self.given.iter().filter(counts).map(|given| self.worth(player, given.question)).sum();
        earned + self.by_hand(player, from..self.rounds_scored)
    }
}
