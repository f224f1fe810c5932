//! The next step of the game (`step_update`): what `next` does, in the order of an evening, and the pictures of the screens.

use std::collections::BTreeSet;

use quizhall_protocol::from_host::{CloseQuestion, ReleaseQuestion};
use quizhall_protocol::http::game_options::{BoardAfter, Pace};
use quizhall_protocol::http::screens::{Slide, SlideKind};
use quizhall_protocol::to_host::{Step, StepUpdate, WaitReason, WaitsFor};
use quizhall_protocol::{FromHost, QuestionKind, ServerMessage, ToAll, ToHost};
use uuid::Uuid;

use crate::answers::Answer;
use crate::board::{Form, Reader};
use crate::effects::{Effects, To};
use crate::fact::{Fact, Illegal};
use crate::game::{Game, Phase, Player};
use crate::messages::count;

/// The rows of a page of the standings.
const PAGE: usize = 10;

/// The screens of a game, and how often the next step has changed.
#[derive(Debug, Clone, Default)]
pub struct Stage {
    screens: BTreeSet<Uuid>,
    spectators: bool,
    /// The picture that the host has turned to since the scores came out.
    turned: Option<Slide>,
    changes: u32,
}

impl Game {
    /// `step_update`
    pub fn step_update(&self) -> ServerMessage {
        ServerMessage::Host(ToHost::StepUpdate(self.step()))
    }

    /// The number of the next step.
    pub fn step_number(&self) -> u32 {
        self.stage.changes + 1
    }

    /// Takes the step with this number; with another number nothing happens.
    pub(crate) fn take_step(&mut self, number: u32) -> Result<Effects, Illegal> {
        if number != self.step_number() {
            return Ok(Effects::default());
        }
        let (step, question, slide) = self.next();
        let command = match step {
            Step::StartGame => FromHost::StartGame,
            Step::ReleaseQuestion => {
                FromHost::ReleaseQuestion(ReleaseQuestion { question_id: question.ok_or(Illegal::UNKNOWN)? })
            }
            Step::EndRound => FromHost::EndRound,
            Step::ReleaseScores => {
                let held = self.phones_after_screen || self.is_single() || self.is_watched() && self.is_last_round();
                return self.release_round(held);
            }
            Step::Show => return self.turn(slide),
            Step::EndTieBreak => FromHost::EndTieBreak,
            Step::ShowStandings => FromHost::ShowStandings,
            Step::StartNextRound => FromHost::StartNextRound,
            Step::EndGame => FromHost::EndGame,
            Step::CloseQuestion => {
                FromHost::CloseQuestion(CloseQuestion { question_id: question.ok_or(Illegal::UNKNOWN)? })
            }
            Step::RevealAnswer => return self.reveal_as_step(question.ok_or(Illegal::UNKNOWN)?),
            Step::None => return Ok(Effects::default()),
        };
        self.carry_out(&command)
    }

    fn turn(&mut self, slide: Option<Slide>) -> Result<Effects, Illegal> {
        let were_held = self.standings_held;
        self.apply(&Fact::Turned(slide, true))?;
        Ok(if were_held && !self.standings_held { self.standings_shown() } else { Effects::default() })
    }

    /// Reveals the answer to the only question of a round, and closes the round with it.
    fn reveal_as_step(&mut self, question: Uuid) -> Result<Effects, Illegal> {
        let was_open = self.phase == Phase::Question;
        let revealed = self.reveal_answer(question, true)?;
        if !was_open {
            return Ok(revealed);
        }
        Ok(revealed.before(To::Host, self.round_review()).before(To::All, ServerMessage::All(ToAll::RoundEnded)))
    }

    fn step(&self) -> StepUpdate {
        let (step, question_id, slide) = self.next();
        let waits_for = match step {
            Step::EndRound | Step::CloseQuestion | Step::EndTieBreak => {
                waits(WaitReason::Answers, self.players.iter().filter(|player| self.thinks(player)).count())
            }
            Step::ReleaseScores if self.is_single() && self.options.mark_later => None,
            Step::ReleaseScores => waits(WaitReason::Marking, self.to_check()),
            _ => None,
        };
        StepUpdate { number: self.step_number(), step, question_id, slide, waits_for }
    }

    /// Applies a fact, and counts it if it changes the next step.
    pub(crate) fn count_step(&mut self, apply: impl FnOnce(&mut Self)) {
        let before = self.next();
        apply(self);
        if before != self.next() {
            self.stage.changes += 1;
            self.change_step();
        }
    }

    pub(crate) fn fold_step(&mut self, fact: &Fact) {
        match fact {
            Fact::ScreenAdded(screen) => drop(self.stage.screens.insert(*screen)),
            Fact::ScreenRemoved(screen) => drop(self.stage.screens.remove(screen)),
            Fact::Spectators(allowed) => self.stage.spectators = *allowed,
            Fact::Turned(slide, is_step) => {
                if *is_step {
                    self.pause = None;
                    self.standings_held &= !slide.is_some_and(|slide| self.shows_standings(slide));
                }
                self.stage.turned = *slide;
            }
            Fact::ScoresReleased { .. } | Fact::Ended => self.stage.turned = None,
            _ => {}
        }
    }

    pub(crate) fn next(&self) -> (Step, Option<Uuid>, Option<Slide>) {
        let step = match self.phase {
            Phase::Lobby => Step::StartGame,
            Phase::Question => match self.next_question() {
                Some(question) => return (Step::ReleaseQuestion, Some(question), None),
                None => return self.after_questions(),
            },
            Phase::Review => match self.unrevealed() {
                Some(question) => return (Step::RevealAnswer, Some(question), None),
                None => Step::ReleaseScores,
            },
            Phase::Leaderboard if self.open_tie_break().is_some() => Step::EndTieBreak,
            Phase::Leaderboard if self.is_single() && !self.is_last_round() => self.after_single(),
            Phase::Leaderboard => return self.next_picture(),
            Phase::Ended => Step::None,
        };
        (step, None, None)
    }

    /// All questions of the round are released.
    fn after_questions(&self) -> (Step, Option<Uuid>, Option<Slide>) {
        let Some(question) = self.unrevealed() else { return (Step::EndRound, None, None) };
        (if self.is_open(question) { Step::CloseQuestion } else { Step::RevealAnswer }, Some(question), None)
    }

    /// The scores of a single question are out, and another one follows.
    fn after_single(&self) -> Step {
        if self.standings_held && self.is_board_due() { Step::ShowStandings } else { Step::StartNextRound }
    }

    /// In a game of single questions: the released question whose answer is still to be revealed.
    fn unrevealed(&self) -> Option<Uuid> {
        let asked = *self.released.last().filter(|_| self.is_single())?;
        (!self.is_withdrawn(asked) && !self.revealed.contains(&asked)).then_some(asked)
    }

    fn is_board_due(&self) -> bool {
        let Some(section) = self.quiz.rounds.get(self.round).and_then(|round| round.section.as_ref()) else {
            return true;
        };
        let asked = section.question_index + 1;
        asked == section.question_count
            || self.phones_after_screen
            || match self.options.board_after {
                BoardAfter::Question => true,
                BoardAfter::Third => asked.is_multiple_of(3),
                BoardAfter::Section => false,
            }
    }

    /// Whether each question is a round.
    pub(crate) fn is_single(&self) -> bool {
        self.options.pace == Pace::Question
    }

    fn next_picture(&self) -> (Step, Option<Uuid>, Option<Slide>) {
        let shown = self.picture();
        let next = self.pictures_after(shown).into_iter().find(|slide| self.is_turned_to(*slide));
        let next = next.filter(|_| self.is_watched());
        let step = match next {
            _ if self.standings_held && (next.is_none() || self.shows_standings(shown)) => Step::ShowStandings,
            Some(slide) => return (Step::Show, None, Some(slide)),
            None if self.is_last_round() => Step::EndGame,
            None => Step::StartNextRound,
        };
        (step, None, None)
    }

    /// The picture that the screens show once the scores are out.
    pub(crate) fn picture(&self) -> Slide {
        self.stage.turned.unwrap_or_else(|| self.first_picture())
    }

    /// Whether scores have to come next, and the host has not decided about all texts.
    pub(crate) fn waits_for_marks(&self) -> bool {
        self.next().0 == Step::ReleaseScores && self.to_check() > 0
    }

    fn is_watched(&self) -> bool {
        !self.stage.screens.is_empty() || self.stage.spectators
    }

    fn is_last_round(&self) -> bool {
        self.round + 1 >= self.quiz.rounds.len()
    }

    /// How many of the first three places are taken.
    fn places(&self) -> u32 {
        let board = self.board.shown(Form::Round(Reader::HostV1)).leaderboard;
        count((1..=3).filter(|rank| board.iter().any(|row| row.rank == *rank && row.score > 0)).count())
    }

    /// All pictures of the round, in order.
    fn pictures(&self) -> Vec<Slide> {
        let many = |kind, number: usize| (0..count(number)).map(move |at| Slide { kind, at });
        let asked = many(SlideKind::Question, self.released.len());
        let pages = many(SlideKind::Standings, self.board.rows.len().div_ceil(PAGE));
        let alone = |kind| Slide { kind, at: 0 };
        if !self.is_last_round() {
            return asked.chain(pages.rev()).chain([alone(SlideKind::Next)]).collect();
        }
        let podium = |seen| Slide { kind: SlideKind::Podium, at: seen };
        let places = self.places();
        let winner = (places > 0).then_some(alone(SlideKind::Winner));
        asked.chain((0..places).map(podium)).chain(winner).chain([podium(places)]).chain(pages).collect()
    }

    fn first_picture(&self) -> Slide {
        let is_known = self.is_last_round() && !self.standings_held;
        let reveals = |slide: &Slide| is_known && self.shows_standings(*slide);
        let pictures = self.pictures();
        if !is_known && self.is_single() && !self.standings_held && self.phase == Phase::Leaderboard {
            return Slide { kind: SlideKind::Standings, at: 0 };
        }
        let first = if is_known { pictures.iter().find(|slide| reveals(slide)) } else { pictures.first() };
        first.copied().unwrap_or(Slide { kind: SlideKind::Next, at: 0 })
    }

    /// Those that follow a picture. A tie-break is shown before the standings or the winner; a page that the board no longer has comes
    /// before the pages that it has.
    fn pictures_after(&self, shown: Slide) -> Vec<Slide> {
        let all = self.pictures();
        let kinds = |kinds: &[SlideKind]| all.iter().position(|slide| kinds.contains(&slide.kind)).unwrap_or(all.len());
        let at = match (all.iter().position(|slide| *slide == shown), shown.kind) {
            (Some(place), _) => place + 1,
            // The thanks, where players have no points, or no longer.
            (None, SlideKind::TieBreak | SlideKind::Winner) if self.places() == 0 || !self.is_last_round() => {
                kinds(&[SlideKind::Podium, SlideKind::Standings, SlideKind::Next])
            }
            (None, SlideKind::TieBreak) => kinds(&[SlideKind::Winner, SlideKind::Standings, SlideKind::Next]),
            (None, SlideKind::Question) => {
                all.iter().rposition(|slide| slide.kind == shown.kind).map_or(0, |at| at + 1)
            }
            (None, SlideKind::Standings) if !self.is_last_round() => kinds(&[SlideKind::Standings, SlideKind::Next]),
            (None, SlideKind::Podium) => kinds(&[SlideKind::Standings]),
            (None, _) => all.len(),
        };
        all[at..].to_vec()
    }

    /// Whether a step turns the screens to this picture.
    fn is_turned_to(&self, slide: Slide) -> bool {
        let has_places = self.places() > 0;
        let is_whole = slide.at == 0 || slide.at == self.places();
        slide.kind != SlideKind::Next && !(slide.kind == SlideKind::Podium && has_places && is_whole)
    }

    /// Whether the standings, or how the game ends, are seen in this picture or were seen before it.
    fn shows_standings(&self, slide: Slide) -> bool {
        let rest = self.pictures_after(slide);
        let hides = |later: &Slide| match (self.is_last_round(), self.places()) {
            (false, _) => {
                later.at + 1 == count(self.board.rows.len().div_ceil(PAGE)) && later.kind == SlideKind::Standings
            }
            (true, 0) => later.kind == SlideKind::Podium,
            (true, _) => later.kind == SlideKind::Winner,
        };
        let is_before_next = || !self.is_last_round() && self.board.rows.is_empty() && slide.kind != SlideKind::Next;
        !rest.iter().any(hides) && !is_before_next()
    }

    fn thinks(&self, player: &Player) -> bool {
        let is_missing =
            |question: &&Uuid| self.is_open_for(**question, player.id) && self.answer(player.id, **question).is_none();
        let is_tied = self.asked(player.id).is_some_and(|(_, answer)| answer.is_none());
        player.connected && (is_tied || self.released.iter().any(|question| is_missing(&question)))
    }

    /// The texts that the host has to decide about.
    fn to_check(&self) -> usize {
        let of = |question: &Uuid| {
            let asked = self.quiz.question(*question).filter(|_| !self.is_withdrawn(*question));
            let doubtful = self.answers_to(*question).into_iter().filter(|answer| self.is_doubtful(answer));
            let texts = doubtful.filter_map(|answer| asked.map(|asked| asked.compared(&answer.text)));
            texts.collect::<BTreeSet<_>>().len()
        };
        self.released.iter().map(of).sum()
    }

    /// Whether the host has to decide about an answer: a near miss, or a text where a number is asked for.
    pub(crate) fn is_doubtful(&self, answer: &Answer) -> bool {
        let kind = self.quiz.question(answer.question).map(|asked| asked.kind.or_text());
        let is_number = || answer.text.trim().parse::<f64>().is_ok();
        let is_unread = || kind == Some(QuestionKind::Numeric) && !answer.text.is_empty() && !is_number();
        answer.is_undecided() && (answer.near_miss() || is_unread())
    }
}

fn waits(reason: WaitReason, number: usize) -> Option<WaitsFor> {
    (number > 0).then(|| WaitsFor { reason, count: count(number) })
}
