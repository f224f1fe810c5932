//! The course of a game as its events say it: who is there, what is asked, and how each answer counts. An event that could not have
//! happened at its place is refused.

use std::collections::{BTreeMap, HashSet};

use quizhall_protocol::http::proof::{Counts, Proof, ProofChange, ProofEntry, TiePlace};
use quizhall_protocol::http::quizzes::{QuestionBody, QuizBody, RoundBody};
use quizhall_rules::{Phase, Question};

use super::{marks, points};

/// Why an event is refused.
pub(super) type Refused<T = ()> = Result<T, String>;

/// The game after the events so far.
pub(super) struct Course<'a> {
    pub proof: &'a Proof,
    pub questions: Vec<Asked>,
    pub players: Vec<Playing>,
    /// The current round, from 1; 0 in the lobby.
    pub round: usize,
    pub phase: Phase,
    /// How many rounds are scored: the first ones.
    pub scored: usize,
    /// The questions of each round, in order of release.
    pub released: Vec<Vec<usize>>,
    tie: Option<Tie>,
    /// The tie-breaks since the latest scores.
    ties: usize,
    pub joined: usize,
    pub noted: Noted,
}

/// What the report says beside the marks.
#[derive(Default)]
pub(super) struct Noted {
    pub removed: usize,
    pub entered: usize,
    pub appeals: usize,
    pub dismissed: usize,
    pub tie_breaks: usize,
    pub adjusted: usize,
    pub edited: Vec<usize>,
}

/// A question with its answers.
pub(super) struct Asked {
    /// As it is now.
    pub question: Question,
    /// Its round, from 0.
    pub round: usize,
    pub time_limit: Option<u16>,
    pub is_released: bool,
    pub withdrawn: bool,
    /// By player, from 0.
    pub answers: BTreeMap<usize, Given>,
    /// The host's rulings on texts.
    pub rulings: Vec<Ruling>,
}

/// A ruling of the host.
pub(super) struct Ruling {
    /// In the form in which the key compares them.
    pub texts: Vec<String>,
    pub counts: Counts,
}

/// An answer, and what decides how it counts.
pub(super) struct Given {
    /// Empty when the host's mark made it; none when it was erased.
    pub text: Option<String>,
    pub key: Counts,
    pub ruled: Option<Counts>,
    pub host: Option<Counts>,
    pub elapsed_ms: Option<u32>,
    pub time_percent: u16,
}

/// A player.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "facts that do not depend on each other")]
pub(super) struct Playing {
    pub present: bool,
    pub removed: bool,
    pub on_paper: bool,
    /// Whether there is an answer or a mark of the host.
    pub answered: bool,
    pub joker: Option<u32>,
    /// Those that were not undone.
    pub by_hand: Vec<ByHand>,
    /// The place in each tie-break since the latest scores.
    pub ties: Vec<u32>,
}

/// Points by hand.
pub(super) struct ByHand {
    /// In the game, from 1.
    number: u32,
    /// From 1.
    pub round: u32,
    pub points: i32,
}

struct Tie {
    players: Vec<usize>,
    answer: i64,
    /// None of an erased player.
    answers: BTreeMap<usize, Option<i64>>,
}

pub(super) const WRONG: Counts = Counts { correct: false, points: 0 };

impl Given {
    /// By the host's mark, otherwise by the ruling on its text, otherwise by the key.
    pub fn counts(&self) -> Counts {
        self.host.or(self.ruled).unwrap_or(self.key)
    }
}

impl<'a> Course<'a> {
    pub fn new(proof: &'a Proof) -> Refused<Self> {
        let mut questions = Vec::with_capacity(proof.questions.len());
        let places =
            proof.rounds.iter().enumerate().flat_map(|(at, round)| round.questions.iter().map(move |q| (at, q)));
        for (at, (round, played)) in places.enumerate() {
            let sealed = proof.questions.get(at).filter(|_| played.question as usize == at + 1);
            let sealed = sealed.ok_or("The rounds do not have the questions in the order of the quiz.")?;
            if sealed.question.time_limit.is_some_and(|limit| played.time_limit != Some(limit)) {
                return Err(format!("Question {} was not played with its time limit.", at + 1));
            }
            questions.push(Asked {
                question: question_of(&sealed.question)
                    .ok_or_else(|| format!("Question {} is no question.", at + 1))?,
                round,
                time_limit: played.time_limit,
                is_released: false,
                withdrawn: false,
                answers: BTreeMap::new(),
                rulings: Vec::new(),
            });
        }
        if questions.len() != proof.questions.len() {
            return Err("A question is in no round.".to_owned());
        }
        let mut refs = HashSet::new();
        if !proof.players.iter().all(|player| refs.insert(&player.of_player)) {
            return Err("Two players have the same ref.".to_owned());
        }
        Ok(Self {
            proof,
            questions,
            players: proof.players.iter().map(|_| Playing::default()).collect(),
            round: 0,
            phase: Phase::Lobby,
            scored: 0,
            released: proof.rounds.iter().map(|_| Vec::new()).collect(),
            tie: None,
            ties: 0,
            joined: 0,
            noted: Noted::default(),
        })
    }

    pub fn take(&mut self, what: &ProofChange) -> Refused {
        use ProofChange as P;
        match what {
            P::Joined { player } => self.join(*player, false),
            P::SeatAdded { player } => self.join(*player, true),
            P::Left { player } => self.set_present(*player, false),
            P::Returned { player } => self.set_present(*player, true),
            P::PlayerRemoved { player } => {
                self.player_mut(*player)?.removed = true;
                self.noted.removed += 1;
                Ok(())
            }
            P::PlayerRenamed { player } => self.player_mut(*player).map(drop),
            P::RoundStarted { round } => self.start_round(*round),
            P::QuestionReleased { question } => self.release(*question),
            P::RoundEnded { round } => {
                self.expect(&[Phase::Question], *round)?;
                self.phase = Phase::RoundReview;
                Ok(())
            }
            P::Answered(answer) => self.answer(answer, &[Phase::Question]),
            P::AnswerEntered(answer) => {
                self.noted.entered += 1;
                self.answer(answer, &[Phase::Question, Phase::RoundReview])
            }
            P::AnswerOverridden { question, marks }
            | P::AnswersMarked { question, marks }
            | P::MarksCorrected { question, marks } => self.mark(*question, marks, Some(what)),
            P::MarkingUndone { question, marks } => self.mark(*question, marks, None),
            P::KeyChanged { question, texts, correct, points, marks } => {
                let counts = Counts { correct: *correct, points: *points };
                self.change_key(*question, Ruling { texts: texts.clone(), counts }, marks)
            }
            P::Appealed { player, question, .. } => {
                self.noted.appeals += 1;
                self.concerns(*player, *question)
            }
            P::AppealDismissed { player, question } => {
                self.noted.dismissed += 1;
                self.concerns(*player, *question)
            }
            P::QuestionEdited { question, edited, leaf } => self.edit(*question, edited, leaf),
            P::QuestionWithdrawn { question } => self.withdraw(*question),
            P::JokerPlayed { player, round } => self.play_joker(*player, *round),
            P::JokersReturned => {
                self.players.iter_mut().for_each(|player| player.joker = None);
                Ok(())
            }
            P::PointsAdjusted { player, round, number, points, .. } => {
                self.adjust(*player, ByHand { number: *number, round: *round, points: *points })
            }
            P::AdjustmentUndone { player, number } => self.undo_adjustment(*player, *number),
            P::TieBreakStarted { players, answer, .. } => self.start_tie(players, *answer),
            P::TieBreakAnswered { player, number } => self.answer_tie(*player, *number),
            P::TieBreakEnded { places } => self.end_tie(places),
            P::ScoresReleased { round } => self.score(*round),
            P::Ended => {
                self.expect(&[Phase::Leaderboard], u32::try_from(self.round).unwrap_or(0))?;
                self.phase = Phase::Ended;
                Ok(())
            }
        }
    }

    /// The board that an event brings.
    pub fn board_after(&self, what: &ProofChange) -> Option<Vec<ProofEntry>> {
        crate::sealed::proof::has_board(what).then(|| points::board(self))
    }

    /// After the last event.
    pub fn finish(&self) -> Refused {
        if self.phase != Phase::Ended {
            return Err("The events do not lead to the end of the game.".to_owned());
        }
        if self.joined == self.players.len() { Ok(()) } else { Err("A player never joined.".to_owned()) }
    }

    fn join(&mut self, player: u32, on_paper: bool) -> Refused {
        if player as usize != self.joined + 1 || self.joined >= self.players.len() || self.phase == Phase::Ended {
            return Err("a player joins out of turn.".to_owned());
        }
        self.players[self.joined] = Playing { present: true, on_paper, ..Playing::default() };
        self.joined += 1;
        Ok(())
    }

    fn set_present(&mut self, player: u32, present: bool) -> Refused {
        let known = self.player_mut(player)?;
        if known.present == present {
            return Err("a player comes or goes twice.".to_owned());
        }
        known.present = present;
        Ok(())
    }

    fn start_round(&mut self, round: u32) -> Refused {
        if !matches!(self.phase, Phase::Lobby | Phase::Leaderboard)
            || round as usize != self.round + 1
            || self.round >= self.released.len()
        {
            return Err("a round begins out of turn.".to_owned());
        }
        (self.round, self.phase, self.tie) = (self.round + 1, Phase::Question, None);
        Ok(())
    }

    fn release(&mut self, question: u32) -> Refused {
        let (round, phase) = (self.round, self.phase);
        let asked = self.asked_mut(question)?;
        if asked.is_released || asked.round + 1 != round || phase != Phase::Question {
            return Err("a question is shown out of turn.".to_owned());
        }
        asked.is_released = true;
        self.released[round - 1].push(question as usize - 1);
        Ok(())
    }

    fn withdraw(&mut self, question: u32) -> Refused {
        let asked = self.asked_mut(question)?;
        if !asked.is_released || std::mem::replace(&mut asked.withdrawn, true) {
            return Err("a question is withdrawn out of turn.".to_owned());
        }
        Ok(())
    }

    fn play_joker(&mut self, player: u32, round: u32) -> Refused {
        let next = match self.phase {
            Phase::Lobby => 1,
            Phase::Question if self.released[self.round - 1].is_empty() => self.round,
            Phase::Leaderboard => self.round + 1,
            _ => 0,
        };
        let is_next = round as usize == next;
        let playing = self.player_mut(player)?;
        if !is_next || playing.joker.is_some() {
            return Err("a joker is played out of turn.".to_owned());
        }
        playing.joker = Some(round);
        Ok(())
    }

    fn adjust(&mut self, player: u32, given: ByHand) -> Refused {
        self.expect(&[Phase::Question, Phase::RoundReview, Phase::Leaderboard], given.round)?;
        self.noted.adjusted += 1;
        if given.points == 0 || given.number as usize != self.noted.adjusted {
            return Err("points by hand are none, or out of turn.".to_owned());
        }
        self.player_mut(player)?.by_hand.push(given);
        Ok(())
    }

    fn undo_adjustment(&mut self, player: u32, number: u32) -> Refused {
        let place = self.known(player)?;
        let by_hand = &mut self.players[place].by_hand;
        let at = by_hand.iter().position(|given| given.number == number).ok_or("there are no such points by hand.")?;
        by_hand.remove(at);
        Ok(())
    }

    fn start_tie(&mut self, players: &[u32], answer: i64) -> Refused {
        if self.phase != Phase::Leaderboard {
            return Err("a tie-break begins out of turn.".to_owned());
        }
        let players = players.iter().map(|player| self.known(*player)).collect::<Refused<Vec<_>>>()?;
        self.tie = Some(Tie { players, answer, answers: BTreeMap::new() });
        Ok(())
    }

    fn answer_tie(&mut self, player: u32, number: Option<i64>) -> Refused {
        let place = self.known(player)?;
        if number.is_none() && !self.proof.players[place].erased {
            return Err("an answer has no number.".to_owned());
        }
        let tie = self.tie.as_mut().ok_or("there is no tie-break.")?;
        tie.answers.insert(place, number);
        Ok(())
    }

    /// The player whose answer is nearest comes first; with an erased answer the places are as the file says.
    fn end_tie(&mut self, places: &[TiePlace]) -> Refused {
        let tie = self.tie.take().ok_or("there is no tie-break.")?;
        let there: Vec<usize> = tie.players.iter().copied().filter(|place| !self.players[*place].removed).collect();
        let off = |place: usize| {
            tie.answers.get(&place).copied().flatten().map_or(u64::MAX, |given| given.abs_diff(tie.answer))
        };
        let nearer = |place: usize| there.iter().filter(|other| off(**other) < off(place)).count() + 1;
        let computed: Vec<(usize, usize)> = there.iter().map(|place| (*place + 1, nearer(*place))).collect();
        let said: Vec<(usize, usize)> = places.iter().map(|at| (at.player as usize, at.place as usize)).collect();
        if computed != said && tie.answers.values().all(Option::is_some) {
            return Err("the places of the tie-break do not follow from its answers.".to_owned());
        }
        for TiePlace { player, place } in places {
            let at = self.known(*player)?;
            let ties = &mut self.players[at].ties;
            ties.resize(self.ties, u32::MAX);
            ties.push(*place);
        }
        self.ties += 1;
        self.noted.tie_breaks += 1;
        Ok(())
    }

    fn score(&mut self, round: u32) -> Refused {
        self.expect(&[Phase::RoundReview], round)?;
        marks::mark_nearest(self);
        (self.phase, self.scored, self.ties) = (Phase::Leaderboard, self.round, 0);
        self.players.iter_mut().for_each(|player| player.ties.clear());
        Ok(())
    }

    fn expect(&self, phases: &[Phase], round: u32) -> Refused {
        let is_so = phases.contains(&self.phase) && round as usize == self.round;
        if is_so { Ok(()) } else { Err("a round or the game goes on out of turn.".to_owned()) }
    }

    fn concerns(&self, player: u32, question: u32) -> Refused {
        self.known(player)?;
        let is_known = self.questions.get((question as usize).wrapping_sub(1)).is_some();
        if is_known { Ok(()) } else { Err("there is no such question.".to_owned()) }
    }

    /// The place of a player who has joined, from 0.
    pub(super) fn known(&self, player: u32) -> Refused<usize> {
        let place = (player as usize).checked_sub(1).filter(|place| *place < self.joined);
        place.ok_or_else(|| "there is no such player.".to_owned())
    }

    /// A player who has joined and was not removed.
    pub(super) fn player_mut(&mut self, player: u32) -> Refused<&mut Playing> {
        let place = self.known(player)?;
        let playing = &mut self.players[place];
        if playing.removed { Err("the player was removed.".to_owned()) } else { Ok(playing) }
    }

    pub(super) fn asked_mut(&mut self, question: u32) -> Refused<&mut Asked> {
        let asked = (question as usize).checked_sub(1).and_then(|place| self.questions.get_mut(place));
        asked.ok_or_else(|| "there is no such question.".to_owned())
    }
}

/// The question of a body; none when no quiz could have it.
pub(super) fn question_of(body: &QuestionBody) -> Option<Question> {
    let rounds = vec![RoundBody::new("", vec![body.clone()])];
    let quiz = QuizBody { title: "-".to_owned(), rounds }.into_quiz(Option::unwrap_or_default).ok()?;
    quiz.validate().ok()?;
    quiz.rounds.into_iter().next()?.questions.into_iter().next()
}
