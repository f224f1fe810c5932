//! Answers and what decides how they count: the key as it is, the marks and rulings of the host, and edits of a question.

use quizhall_protocol::http::proof::{Counts, ProofAnswer, ProofChange, ProofMark};
use quizhall_protocol::http::quizzes::QuestionBody;
use quizhall_rules::Phase;

use super::course::{Course, Given, Refused, Ruling, WRONG, question_of};
use super::marks;

impl Course<'_> {
    pub(super) fn answer(&mut self, answer: &ProofAnswer, phases: &[Phase]) -> Refused {
        let place = self.player_mut(answer.player).map(|_| answer.player as usize - 1)?;
        let is_erased = self.players[place].on_paper || self.proof.players[place].erased;
        let (is_phase, current) = (phases.contains(&self.phase), self.round);
        let proof = self.proof;
        let asked = self.asked_mut(answer.question)?;
        if !asked.is_released || asked.withdrawn || asked.round + 1 != current || !is_phase {
            return Err("a question is answered out of turn.".to_owned());
        }
        let round = &proof.rounds[asked.round];
        let key = Counts { correct: answer.correct, points: answer.points };
        match &answer.text {
            Some(text) if text.is_empty() => return Err("an answer is empty.".to_owned()),
            Some(text) if marks::by_key(&asked.question, round, text) != key => {
                return Err(format!("the key of question {} marks this answer otherwise.", answer.question));
            }
            None if !is_erased => return Err("an answer has no text.".to_owned()),
            Some(_) | None => {}
        }
        let counts_speed = round.speed_points && asked.time_limit.is_some() && asked.question.kind.is_marked();
        if answer.elapsed_ms.is_some() && !counts_speed || answer.elapsed_ms.is_none() && answer.time_percent.is_some()
        {
            return Err("an answer has a time that counts nothing.".to_owned());
        }
        if answer.ruled.is_some_and(|ruled| !marks::is_ruled(asked, answer.text.as_deref(), ruled)) {
            return Err("an answer counts by a ruling that the host has not made.".to_owned());
        }
        let given = Given {
            text: answer.text.clone(),
            key,
            ruled: answer.ruled,
            host: None,
            elapsed_ms: answer.elapsed_ms,
            time_percent: answer.time_percent.unwrap_or(100),
        };
        asked.answers.insert(place, given);
        self.players[place].answered = true;
        Ok(())
    }

    /// Sets marks. A marking changes the host's own marks; an undo can also take back a ruling.
    pub(super) fn mark(&mut self, question: u32, changed: &[ProofMark], marking: Option<&ProofChange>) -> Refused {
        let is_correction = matches!(marking, Some(ProofChange::MarksCorrected { .. }));
        let (scored, current) = (self.scored, self.round);
        let asked = self.asked_mut(question)?;
        let is_there =
            if is_correction { asked.round < scored } else { asked.round + 1 == current && current > scored };
        if !is_there || !asked.is_released {
            return Err("a question is marked out of turn.".to_owned());
        }
        for mark in changed {
            let before = self.questions[question as usize - 1].answers.get(&(mark.player as usize).wrapping_sub(1));
            let kept = before.and_then(|given| given.ruled);
            if marking.is_some() && (mark.ruled != kept || mark.host.is_none() || mark.gone) {
                return Err("a marking changes more than marks of the host.".to_owned());
            }
            self.set_mark(question, mark)?;
        }
        Ok(())
    }

    pub(super) fn change_key(&mut self, question: u32, ruling: Ruling, changed: &[ProofMark]) -> Refused {
        let (current, counts) = (self.round, ruling.counts);
        let asked = self.asked_mut(question)?;
        if !asked.is_released || asked.round + 1 != current {
            return Err("the key of another round is changed.".to_owned());
        }
        asked.rulings.push(ruling);
        for mark in changed {
            let asked = &self.questions[question as usize - 1];
            let given = asked.answers.get(&(mark.player as usize).wrapping_sub(1));
            let is_of_key = given
                .is_some_and(|given| given.host == mark.host && marks::is_ruled(asked, given.text.as_deref(), counts));
            if mark.ruled != Some(counts) || !is_of_key || mark.gone {
                return Err("a ruling changes an answer with another text.".to_owned());
            }
            self.set_mark(question, mark)?;
        }
        Ok(())
    }

    fn set_mark(&mut self, question: u32, mark: &ProofMark) -> Refused {
        let place = self.known(mark.player)?;
        let answers = &mut self.asked_mut(question)?.answers;
        if mark.gone {
            let made = answers.remove(&place).filter(|made| made.text.as_deref() == Some(""));
            made.ok_or("an answer of a player is missing.")?;
            self.players[place].answered &= !mark.unlisted;
            return Ok(());
        }
        let made = || Given {
            text: Some(String::new()),
            key: WRONG,
            ruled: None,
            host: None,
            elapsed_ms: None,
            time_percent: 100,
        };
        let given = answers.entry(place).or_insert_with(made);
        (given.host, given.ruled) = (mark.host, mark.ruled);
        self.players[place].answered = true;
        Ok(())
    }

    pub(super) fn edit(&mut self, number: u32, edited: &QuestionBody, leaf: &str) -> Refused {
        let salt = self.proof.questions.get((number as usize).wrapping_sub(1)).map(|sealed| &sealed.salt);
        let salt = salt.and_then(|salt| super::salt_in(salt)).ok_or("there is no such question.")?;
        if super::leaf(&salt, edited).to_string() != leaf {
            return Err(format!("the new leaf of question {number} is not that of the new question."));
        }
        let question = question_of(edited).ok_or("the question is none.")?;
        let asked = self.asked_mut(number)?;
        let before = &asked.question;
        let is_same_key = (&question.choices, &question.accepted) == (&before.choices, &before.accepted);
        let is_same = (question.id, question.kind, question.points, question.tolerance, question.time_limit)
            == (before.id, before.kind, before.points, before.tolerance, before.time_limit);
        if !is_same || asked.is_released && !is_same_key {
            return Err("an edit changes more than words.".to_owned());
        }
        asked.question = question;
        self.noted.edited.push(number as usize);
        Ok(())
    }
}
