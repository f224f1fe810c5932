//! Editing a question while a game plays: another text, other texts for its choices, or other accepted answers.
//!
//! Called by the rules, both to judge an edit and to carry it out. Unless the key is edited too, it follows the choices: right
//! choices stay right.

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
    /// The accepted answers.
    #[error("the accepted answers do not fit the question")]
    Accepted,
}

impl Question {
    /// The question with another text, with other texts for its choices, in their order, and with other accepted answers.
    /// Without other ones, accepted answers are renamed with their choices.
    ///
    /// # Errors
    /// When the result would not be a question that an author may write.
    pub fn edited(
        &self,
        text: Option<&str>,
        choices: Option<&[String]>,
        accepted: Option<&[String]>,
    ) -> Result<Self, UnfitEdit> {
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
        if let Some(accepted) = accepted {
            edited.accepted = accepted.to_vec();
            edited.check("").map_err(|_| UnfitEdit::Accepted)?;
        }
        if let Some(text) = text {
            text.clone_into(&mut edited.text);
            edited.check("").map_err(|_| UnfitEdit::Text)?;
        }
        Ok(edited)
    }
}
