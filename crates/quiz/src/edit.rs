//! Editing a question while a game plays: another text, or other texts for its choices.
//!
//! Called by the rules, both to judge an edit and to carry it out. The key follows the choices: right choices stay
//! right.

use thiserror::Error;

use crate::Question;

/// The field that does not fit the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum UnfitEdit {
    /// The text.
    #[error("the text does not fit the question")]
    Text,
    /// The choices: their number differs from the question's, or they are not allowed in a question.
    #[error("the choices do not fit the question")]
    Choices,
}

impl Question {
    /// The question with another text, and with other texts for its choices, in their order. Accepted answers are
    /// renamed with their choices.
    ///
    /// # Errors
    /// When the result would not be a question that an author may write.
    pub fn edited(&self, text: Option<&str>, choices: Option<&[String]>) -> Result<Self, UnfitEdit> {
        let mut edited = self.clone();
        if let Some(choices) = choices {
            if choices.is_empty() || choices.len() != self.choices.len() {
                return Err(UnfitEdit::Choices);
            }
            let renamed = |accepted: &String| {
                let place = self.choices.iter().position(|choice| choice.trim() == accepted.trim());
                place.map_or_else(|| accepted.clone(), |place| choices[place].clone())
            };
            edited.accepted = self.accepted.iter().map(renamed).collect();
            edited.choices = choices.to_vec();
            edited.check("").map_err(|_| UnfitEdit::Choices)?;
        }
        if let Some(text) = text {
            text.clone_into(&mut edited.text);
            edited.check("").map_err(|_| UnfitEdit::Text)?;
        }
        Ok(edited)
    }
}
