//! One round from the host's chair: questions open one after the other and several at once, answers come in, the review
//! is compared with the ledger, some answers are overruled, the scores go out.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use quizhall_oracle::{Fact, Question};
use quizhall_protocol::FromHost;
use quizhall_protocol::from_host::{OverrideAnswer, ReleaseQuestion};
use quizhall_protocol::http::answers::AnswersAsked;
use quizhall_protocol::shapes::ReviewAnswer;
use quizhall_protocol::to_host::OverrideApplied;
use rand::RngExt as _;
use rand::seq::{IndexedRandom as _, SliceRandom as _};
use uuid::Uuid;

use super::director::Director;
use super::host::Host;
use super::review;
use super::stages::{board_stage, review_stage};
use super::world::Desk;

impl Director {
    /// Plays a round up to its board.
    pub(super) async fn play_round(&mut self, round: usize) -> Result<(), String> {
        let questions = self.release_all(round).await?;
        // In a rough game some rounds end while people still answer.
        let early = self.chaos > 0.0 && self.chance.random_bool(0.5);
        if early {
            self.host.pause(self.think.to / 2).await;
        } else if self.world.features.timers {
            self.wait_for_closings(&questions).await?;
        } else {
            self.wait_for_answers(round, &questions).await;
        }
        self.end_round(round, &questions, early).await?;
        self.all_online().await?;
        self.teams_agree().await;
        self.overrule(&questions).await?;
        self.release_scores(round).await?;
        self.pictures_opened(round).await;
        Ok(())
    }

    async fn release_all(&mut self, round: usize) -> Result<Vec<Uuid>, String> {
        let mut questions: Vec<Uuid> = self.world.plan.rounds[round].iter().map(|item| item.id).collect();
        if round % 2 == 1 {
            questions.shuffle(&mut self.chance);
        }
        let mut released = 0;
        while released < questions.len() {
            let group = self.chance.random_range(1..=3).min(questions.len() - released);
            self.pictures_opened(round).await;
            for question in &questions[released..released + group] {
                self.world.release(round, *question);
                self.release(*question, false).await?;
                self.world.happened(&Fact::Released(*question));
            }
            let first_group = released == 0;
            released += group;
            if first_group {
                self.disturb(round, questions[0]).await?;
                if self.world.features.timers {
                    self.hold(questions[0]).await?;
                }
            }
            if released < questions.len() {
                self.host.pause(self.think.draw(&mut self.chance)).await;
            }
        }
        Ok(questions)
    }

    async fn release(&mut self, question: Uuid, again: bool) -> Result<(), String> {
        let command = FromHost::ReleaseQuestion(ReleaseQuestion { question_id: question });
        let time_limit = self.time_limit();
        let seen = |host: &Host| if again { host.again.contains(&question) } else { host.shows(question) };
        if self.host.command(command, time_limit, seen).await {
            Ok(())
        } else {
            Err(format!("question {question} was not released"))
        }
    }

    /// While the first questions are open: one is released again (only the host is sent a reply), late players come,
    /// the host's line breaks.
    async fn disturb(&mut self, round: usize, question: Uuid) -> Result<(), String> {
        self.release(question, true).await?;
        if round == 0 {
            self.gate.cancel();
        }
        if self.chaos > 0.0 && self.chance.random_bool(0.5) {
            self.host.step_out(round.is_multiple_of(2));
            if !self.host.until(self.time_limit(), |host| host.live).await {
                return Err("the host did not come back".to_owned());
            }
        }
        Ok(())
    }

    /// Until all players have sent their answers and the host's counts show them.
    async fn wait_for_answers(&mut self, round: usize, questions: &[Uuid]) {
        let world = Arc::clone(&self.world);
        let open = u32::try_from(questions.len()).unwrap_or(u32::MAX);
        let busy = |desk: &Desk| {
            let there = desk.joined.load(Ordering::SeqCst) && !desk.stopped.load(Ordering::SeqCst);
            there && (desk.busy.load(Ordering::SeqCst) > 0 || desk.questions.load(Ordering::SeqCst) < open)
        };
        let time = self.think.to * 3 + self.time_limit();
        if !self.host.until(time, |_| world.count(busy) == 0).await {
            let count = world.count(busy);
            world.violations.note("answers_outstanding", format!("{count} players in round {round}"));
        }
        self.wait_for_counts(questions).await;
    }

    /// Until the host's counts show all answers that players have the ack of.
    pub(super) async fn wait_for_counts(&mut self, questions: &[Uuid]) {
        let world = Arc::clone(&self.world);
        let counted = |host: &Host| {
            let same = |id: &Uuid| host.counts.get(id).copied().unwrap_or(0) as usize == world.ledger.acked_count(*id);
            questions.iter().all(same)
        };
        if !self.host.until(self.time_limit(), counted).await {
            for question in questions {
                let (counted, acked) = (self.host.counts.get(question).copied(), world.ledger.acked_count(*question));
                world.violations.note("count_final", format!("question {question}: {counted:?} of {acked} acked"));
            }
        }
    }

    /// Until every player has loaded all copies and opened all pictures that they can: none is late because of this machine.
    async fn pictures_opened(&mut self, round: usize) {
        let world = Arc::clone(&self.world);
        let busy = |desk: &Desk| desk.loading.load(Ordering::SeqCst) > 0;
        if !self.host.until(self.time_limit(), |_| world.count(busy) == 0).await {
            world.violations.note("pictures_outstanding", format!("{} players in round {round}", world.count(busy)));
        }
    }

    async fn end_round(&mut self, round: usize, questions: &[Uuid], early: bool) -> Result<(), String> {
        let stage = review_stage(round);
        self.world.command(stage);
        let reviewed = |host: &Host| host.stage == stage && host.review.is_some();
        if !self.host.command(FromHost::EndRound, self.time_limit(), reviewed).await {
            return Err(format!("round {} did not end with a review", round + 1));
        }
        self.players_reach(stage).await;
        let answers = self.review(questions).await;
        review::check(&self.world, questions, &answers);
        for question in questions {
            let stored = self.world.oracle().answers_to(*question).len();
            let counted = self.host.counts.get(question).copied().unwrap_or(0) as usize;
            // A connection that was opened after the end of the round was sent no counts.
            let last = if self.host.shows(*question) { counted == stored } else { counted <= stored };
            self.world.violations.check(last, "count_final", || {
                format!("question {question}: the last count was {counted}, {stored} answers are stored")
            });
        }
        let how = if early { ", cut short" } else { "" };
        self.report(&format!("round {}: {} questions, {} answers{how}", round + 1, questions.len(), answers.len()));
        Ok(())
    }

    /// The answers that the host was sent, or those that it reads in pages because they are very many.
    async fn review(&mut self, questions: &[Uuid]) -> Vec<ReviewAnswer> {
        let sent = self.host.review.take().unwrap_or_default();
        if !self.host.grouped {
            return sent;
        }
        let mut answers = Vec::new();
        for question in questions {
            let begin = answers.len();
            loop {
                let skip = u32::try_from(answers.len() - begin).unwrap_or(u32::MAX);
                let asked = AnswersAsked { question_id: *question, text: None, skip };
                match self.api.answers(self.game, &asked).await {
                    Ok(page) => answers.extend(page.answers),
                    Err(error) if error.status() == Some(429) => {
                        self.host.pause(Duration::from_millis(100)).await;
                        continue;
                    }
                    // The page after the last answer.
                    Err(error) if error.status() == Some(422) && skip > 0 => break,
                    Err(error) => {
                        self.world.violations.note("answers_unread", format!("question {question}: {error}"));
                        break;
                    }
                }
                if answers.len() == begin {
                    break;
                }
            }
        }
        answers
    }

    /// Overrules some answers both ways and, in a rough game, looks at the review again on a new line.
    async fn overrule(&mut self, questions: &[Uuid]) -> Result<(), String> {
        for (player, question, correct) in self.choose_overrides(questions) {
            let payload = OverrideAnswer { player_id: player, question_id: question, correct };
            let must = OverrideApplied { player_id: player, question_id: question, correct };
            self.host.applied = None;
            let applied = |host: &Host| host.applied.as_ref() == Some(&must);
            if !self.host.command(FromHost::OverrideAnswer(payload), self.time_limit(), applied).await {
                return Err(format!("the override for player {player} was not confirmed"));
            }
            self.world.happened(&Fact::Overridden(player, question, correct));
        }
        if self.chaos > 0.0 {
            self.host.review = None;
            self.host.step_out(false);
            if !self.host.until(self.time_limit(), |host| host.live && host.review.is_some()).await {
                return Err("the review did not stand on the host's new line".to_owned());
            }
            let again = self.review(questions).await;
            review::compare(&self.world, &again);
        }
        Ok(())
    }

    /// Two wrong answers become right, two right ones wrong, and two that were never given are judged. Questions whose answers
    /// are not marked have no part in it.
    fn choose_overrides(&mut self, questions: &[Uuid]) -> Vec<(Uuid, Uuid, bool)> {
        let (mut answers, players) = {
            let oracle = self.world.oracle();
            (oracle.review(), oracle.players.iter().map(|player| player.id).collect::<Vec<_>>())
        };
        let is_marked = |question: Uuid| self.world.plan.question(question).is_some_and(Question::is_marked);
        answers.retain(|answer| is_marked(answer.question_id));
        let questions: Vec<Uuid> = questions.iter().copied().filter(|question| is_marked(*question)).collect();
        answers.shuffle(&mut self.chance);
        let of = |correct: bool| answers.iter().filter(move |answer| answer.correct == correct).take(2);
        let mut chosen: Vec<(Uuid, Uuid, bool)> =
            of(false).chain(of(true)).map(|answer| (answer.player_id, answer.question_id, !answer.correct)).collect();
        for correct in [true, false] {
            let Some(question) = questions.choose(&mut self.chance) else { continue };
            let unanswered = |player: &&Uuid| {
                let answered = self.world.oracle().answer(**player, *question).is_some();
                !answered && !chosen.iter().any(|(taken, ..)| taken == *player)
            };
            if let Some(player) = players.iter().find(unanswered) {
                chosen.push((*player, *question, correct));
            }
        }
        chosen
    }

    async fn release_scores(&mut self, round: usize) -> Result<(), String> {
        // A player who left the lobby and has not come back would not be on the board.
        self.all_online().await?;
        let stage = board_stage(round);
        self.world.score();
        self.world.command(stage);
        if !self.host.command(FromHost::ReleaseScores, self.time_limit(), |host| host.stage == stage).await {
            return Err(format!("the scores of round {} were not released", round + 1));
        }
        self.players_reach(stage).await;
        self.check_phase("leaderboard", round).await;
        Ok(())
    }
}
