//! The host's changes in the model: editing a question, withdrawing a question, renaming a player.

use super::Model;

impl Model {
    pub fn text_of(&self, question: u8) -> String {
        let edited = self.texts.iter().rev().find(|(asked, _)| *asked == question);
        edited.map_or_else(|| format!("Question {question}?"), |(_, text)| (*text).to_owned())
    }

    pub(super) fn edit(&mut self, question: u8, text: &'static str) -> Result<bool, &'static str> {
        if question == 0 || question > self.rounds * self.per_round {
            return Err("UnknownQuestion");
        }
        if text.trim().is_empty() {
            return Err("UnfitText");
        }
        let is_new = self.text_of(question) != text;
        if is_new {
            self.texts.push((question, text));
            self.corrected.extend(self.released.contains(&question).then_some(question));
        }
        Ok(is_new)
    }

    /// The question takes no more answers, and those given earn nothing.
    pub(super) fn withdraw(&mut self, question: u8) -> Result<bool, &'static str> {
        if !self.released.contains(&question) {
            return Err("UnknownQuestion");
        }
        if self.withdrawn.contains(&question) {
            return Ok(false);
        }
        self.withdrawn.push(question);
        self.timers.closed.push(question);
        self.timers.all.retain(|timer| timer.of != Some(question));
        if self.is_scored(question) {
            self.lines = self.standing();
        }
        Ok(true)
    }

    pub(super) fn rename(&mut self, id: u8, name: &'static str) -> Result<bool, &'static str> {
        let known = self.there(id).ok_or("UnknownPlayer")?;
        let is_new = known.name != name;
        if self.players().any(|other| other.id != id && other.name.eq_ignore_ascii_case(name)) {
            return Err("NameTaken");
        }
        self.player(id).name = name;
        Ok(is_new)
    }
}
