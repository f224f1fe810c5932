//! The model's group markings, and taking any marking back: what was there before, put back.

use super::{Marking, Model};

impl Model {
    pub(super) fn mark_all(&mut self, question: u8, texts: &[&str], correct: bool) -> Result<bool, &'static str> {
        if !self.is_open(question) {
            return Err("UnknownQuestion");
        }
        let mut marking = Marking::new();
        for given in self.given.iter_mut().filter(|given| given.question == question) {
            if given.counts() != correct && texts.contains(&given.text.as_str()) {
                marking.push((given.player, question, Some(given.clone())));
                given.ruled = Some(correct);
            }
        }
        let something = !marking.is_empty();
        self.markings.extend(something.then_some(marking));
        Ok(something)
    }

    pub(super) fn undo(&mut self) -> bool {
        let Some(marking) = self.markings.pop() else { return false };
        for (player, question, was) in marking {
            let at = self.given.iter().position(|given| given.player == player && given.question == question);
            let at = at.expect("what was marked is there");
            match was {
                Some(given) => self.given[at] = given,
                None => drop(self.given.remove(at)),
            }
        }
        true
    }

    pub fn undoable(&self) -> usize {
        self.markings.len()
    }
}
