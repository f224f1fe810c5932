//! The effect of each fact on the state.

use std::collections::BTreeSet;

use quizhall_protocol::QuestionKind;
use uuid::Uuid;

use crate::answers::{Marking, Worth};
use crate::board::Board;
use crate::fact::Fact;
use crate::game::{Game, Phase, Player};
use crate::timers::Timers;

impl Game {
    /// Applies a fact that was checked.
    pub(crate) fn fold(&mut self, fact: &Fact) {
        match fact {
            Fact::Joined(player, name) => self.join(*player, name),
            Fact::Left(player) => self.set(*player, |player| (player.present, player.connected) = (false, false)),
            Fact::Returned(player) => self.set(*player, |player| (player.present, player.connected) = (true, true)),
            Fact::Disconnected(player) => self.set(*player, |player| player.connected = false),
            Fact::Connected(player) => self.set(*player, |player| player.connected = true),
            Fact::HostLeft => self.host_here = false,
            Fact::HostReturned => self.host_here = true,
            Fact::Removed(player) => self.remove(*player),
            Fact::Set(setting) => self.settings.set(setting),
            Fact::Started => self.begin_round(),
            Fact::Released(question) => {
                self.released.push(*question);
                let limit = self.quiz.question(*question).and_then(|question| question.time_limit);
                self.start_timer(Some(*question), limit.or_else(|| self.autopilot.answer_for()));
            }
            Fact::QuestionClosing(question) => self.timers.closing.push(*question),
            Fact::QuestionClosed(question) => self.timers.close(*question),
            Fact::OptionsSet(options) => self.set_options(options),
            Fact::TimerSet(question, ms, of) => self.timers.set(*question, *ms, *of),
            Fact::TimersHeld(held, left) => {
                self.timers.held = *held;
                self.timers.state_anew(left);
            }
            Fact::TimersMarked(left, step) => {
                self.timers.state_anew(left);
                self.autopilot.state_anew(*step);
            }
            Fact::OwnerChanged => {
                let stages = self.stages();
                self.timers.change_owner(&stages);
                self.autopilot.change_owner();
            }
            Fact::Answered(player, question, text, mark) if !self.has_answer(*player, *question, text) => {
                self.answers.put(*player, *question, text, *mark);
                self.answers.set_time_percent(*player, *question, self.percent_of(*player));
                self.mark_by_key(*question);
            }
            Fact::KeyChanged(question, texts, worth) => self.change_key(*question, texts, *worth),
            Fact::RoundEnded => self.end_round(),
            Fact::Overridden(player, question, correct) => {
                self.overrule(*player, *question, Worth { correct: *correct, partial: 0 });
            }
            Fact::Marked(question, texts, worth) => self.mark_texts(*question, texts, *worth),
            Fact::MarksCorrected(question, players, worth) => self.correct_marks(*question, players, *worth),
            Fact::MarkingUndone => self.take_back(),
            Fact::TallyShown(question, hidden) => {
                self.tally = Some((self.count_tally(*question, hidden), hidden.clone()));
            }
            Fact::ScoresReleased { held } => self.release_scores(*held),
            Fact::StandingsShown => self.standings_held = false,
            Fact::NextRound => self.begin_next_round(),
            Fact::Ended => self.end(),
            Fact::JokerPlayed(player, round) => self.set(*player, |player| player.joker = Some(*round)),
            Fact::TieBreakStarted(..) | Fact::TieBreakAnswered(..) | Fact::TieBreakEnded => self.fold_tie_break(fact),
            // Facts that are applied below, and answers that change nothing.
            _ => {}
        }
        self.fold_adjustments(fact);
        self.fold_appeals(fact);
        self.fold_mending(fact);
        self.fold_paper(fact);
        self.fold_team(fact);
        self.fold_between(fact);
        self.drive(fact);
        self.fold_extra(fact);
        self.fold_step(fact);
        self.fold_answered();
    }

    fn has_answer(&self, player: Uuid, question: Uuid, text: &str) -> bool {
        self.answer(player, question).is_some_and(|answer| answer.text == text)
    }

    pub(crate) fn end_round(&mut self) {
        self.phase = Phase::Review;
        self.timers = Timers::default();
        self.mark_nearest();
    }

    /// The words of a cloud are shown with its reveal.
    pub(crate) fn show_cloud(&mut self, question: Uuid) {
        if self.quiz.question(question).is_some_and(|asked| asked.kind.or_text() == QuestionKind::WordCloud) {
            self.tally = Some((self.count_tally(question, &[]), Vec::new()));
        }
    }

    fn end(&mut self) {
        (self.phase, self.standings_held) = (Phase::Ended, false);
        self.tally = None;
        self.drop_tie_break();
        self.make_board();
    }

    fn take_back(&mut self) {
        match self.markings.pop() {
            Some(Marking::Answers(touched)) => {
                for (player, question, before) in touched {
                    self.answers.restore(player, question, before);
                }
            }
            Some(Marking::Key(question, before)) => {
                for (text, ruling) in before {
                    self.rulings.remove(&(question, text.clone()));
                    self.rulings.extend(ruling.map(|ruling| ((question, text), ruling)));
                }
                self.mark_by_key(question);
            }
            None => {}
        }
    }

    fn change_key(&mut self, question: Uuid, texts: &[String], worth: Worth) {
        let before = texts.iter().map(|text| (text.clone(), self.ruling(question, text))).collect();
        self.markings.push(Marking::Key(question, before));
        self.rulings.extend(texts.iter().map(|text| ((question, text.clone()), worth)));
        self.mark_by_key(question);
    }

    pub(crate) fn mark_by_key(&mut self, question: Uuid) {
        let Some(asked) = self.quiz.question(question).cloned() else { return };
        let rulings = &self.rulings;
        self.answers.rule_each(question, |text| rulings.get(&(question, asked.compared(text))).copied());
    }

    pub(crate) fn join(&mut self, id: Uuid, name: &str) {
        let late = matches!(self.phase, Phase::Review | Phase::Leaderboard);
        let (name, present, connected, on_paper, renamed) = (name.to_owned(), true, true, false, false);
        let (score, round_score, joker, team) = (0, 0, None, None);
        let player =
            Player { id, name, present, connected, late, on_paper, moves: 0, score, round_score, joker, renamed, team };
        self.players.push(player);
    }

    pub(crate) fn set(&mut self, player: Uuid, change: impl Fn(&mut Player)) {
        if let Some(player) = self.player_mut(player) {
            change(player);
        }
    }

    /// A removed player is on no board, in no review, and in no marking that can be undone.
    fn remove(&mut self, player: Uuid) {
        let place = self.players.iter().position(|known| known.id == player);
        self.removed.extend(place.map(|place| self.players.remove(place)));
        for marking in &mut self.markings {
            if let Marking::Answers(touched) = marking {
                touched.retain(|(touched, ..)| *touched != player);
            }
        }
        self.markings.retain(|marking| !matches!(marking, Marking::Answers(touched) if touched.is_empty()));
        self.board.remove(player);
        if let Some((tally, hidden)) = self.tally.take() {
            self.tally = Some((self.count_tally(tally.question_id, &hidden), hidden));
        }
        if self.phase == Phase::Review {
            self.mark_nearest();
        }
    }

    fn mark_texts(&mut self, question: Uuid, texts: &[String], worth: Worth) {
        let touched: Vec<_> = self.markable(question, texts, worth).iter().map(|answer| answer.player).collect();
        self.mark(question, &touched, worth);
    }

    fn overrule(&mut self, player: Uuid, question: Uuid, worth: Worth) {
        if !self.answer(player, question).is_some_and(|answer| answer.counts_as(worth)) {
            self.mark(question, &[player], worth);
        }
    }

    /// Sets how the answers of these players count. A marking that touches nothing cannot be undone.
    fn mark(&mut self, question: Uuid, players: &[Uuid], worth: Worth) {
        let before = players.iter().map(|player| (*player, question, self.answers.overruled(*player, question)));
        let marking: Vec<_> = before.collect();
        for player in players {
            self.answers.overrule(*player, question, worth);
        }
        self.markings.extend((!marking.is_empty()).then_some(Marking::Answers(marking)));
    }

    fn release_scores(&mut self, held: bool) {
        (self.phase, self.standings_held) = (Phase::Leaderboard, held);
        self.markings.clear();
        self.tie_breaks.clear();
        let earned = self.earned_of_all(self.round);
        for player in &mut self.players {
            player.round_score = earned.get(&player.id).copied().unwrap_or_default();
            player.score += player.round_score;
        }
        self.make_board();
    }

    /// The board lists the players who are present, have answered or were given points by hand.
    pub(crate) fn make_board(&mut self) {
        let answered: BTreeSet<Uuid> = self.answers.all().map(|answer| answer.player).collect();
        let answered = |player: Uuid| answered.contains(&player) || self.answered_before.contains(&player);
        let adjusted: BTreeSet<Uuid> = self.adjustments.iter().map(|one| one.player).collect();
        let is_listed = |player: &&Player| player.present || answered(player.id) || adjusted.contains(&player.id);
        self.board = Board::of(self.players.iter().filter(is_listed));
        self.reorder_board();
    }

    fn begin_round(&mut self) {
        self.phase = Phase::Question;
        self.start_timer(None, self.quiz.rounds[self.round].time_limit);
    }

    fn start_timer(&mut self, question: Option<Uuid>, limit: Option<u16>) {
        if let Some(seconds) = limit {
            let ms = u64::from(seconds) * 1_000;
            self.timers.set(question, ms, ms);
        }
    }

    fn begin_next_round(&mut self) {
        self.standings_held = false;
        self.tally = None;
        self.drop_tie_break();
        self.round += 1;
        self.begin_round();
        self.answered_before.extend(self.answers.all().map(|answer| answer.player));
        self.past.push((std::mem::take(&mut self.released), std::mem::take(&mut self.answers)));
        self.rulings.clear();
        self.players.iter_mut().for_each(|player| player.late = false);
    }
}
