//! The model's group markings, and undoing any marking: the earlier entries are put back.

use super::{Marking, Model, Undo};

impl Model {
    pub(super) fn mark_all(&mut self, question: u8, texts: &[&str], mark: (bool, bool)) -> Result<bool, &'static str> {
        if !self.is_open(question) {
            return Err("UnknownQuestion");
        }
        let mut marking = Marking::new();
        for given in self.given.iter_mut().filter(|given| given.question == question) {
            let is_new = (given.counts(), given.halved(self.halves)) != mark || given.is_doubtful();
            if is_new && texts.contains(&given.text.as_str()) {
                marking.push((given.player, question, Some(given.clone())));
                (given.ruled, given.half) = (Some(mark.0), mark.1);
            }
        }
        let something = !marking.is_empty();
        self.markings.extend(something.then_some(Undo::Marking(marking)));
        Ok(something)
    }

    pub(super) fn undo(&mut self) -> bool {
        let marking = match self.markings.pop() {
            Some(Undo::Marking(marking)) => marking,
            Some(Undo::Key(question)) => {
                let latest = self.keys.iter().rposition(|(asked, ..)| *asked == question).expect("it was said");
                self.keys.remove(latest);
                self.key_again(question);
                return true;
            }
            None => return false,
        };
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

    /// Repeating the latest ruling on a text changes nothing.
    pub(super) fn accept(&mut self, question: u8, text: &str, correct: bool) -> Result<bool, &'static str> {
        if !self.is_open(question) {
            return Err("UnknownQuestion");
        }
        if self.keyed(question, text) == Some(correct) {
            return Ok(false);
        }
        self.keys.push((question, plain(text), correct));
        self.key_again(question);
        self.markings.push(Undo::Key(question));
        Ok(true)
    }

    pub(super) fn keyed(&self, question: u8, text: &str) -> Option<bool> {
        self.keys.iter().rev().find(|(asked, named, _)| *asked == question && *named == plain(text)).map(|said| said.2)
    }

    fn key_again(&mut self, question: u8) {
        for at in 0..self.given.len() {
            if self.given[at].question == question && !self.given[at].text.is_empty() {
                self.given[at].keyed = self.keyed(question, &self.given[at].text);
            }
        }
    }

    pub(super) fn forget_markings_of(&mut self, id: u8) {
        for undo in &mut self.markings {
            if let Undo::Marking(marking) = undo {
                marking.retain(|was| was.0 != id);
            }
        }
        self.markings.retain(|undo| !matches!(undo, Undo::Marking(marking) if marking.is_empty()));
    }

    pub fn undoable(&self) -> usize {
        self.markings.len()
    }
}

fn plain(text: &str) -> String {
    text.replace('!', "")
}
