//! Judges what the host mends beside marks: other words for a question, a question that is withdrawn, another name.

use crate::decide::Verdict;
use crate::{Change, Command, DisplayName, Refusal, State};

/// Each does nothing when it is so already.
pub(crate) fn judge(state: &State, command: &Command) -> Verdict {
    Ok(match command {
        Command::EditQuestion(edit) => state.new_words(edit)?.map(|edit| Change::QuestionEdited(edit.into())),
        Command::WithdrawQuestion { question } => {
            state.can_withdraw(*question)?.then_some(Change::QuestionWithdrawn { question: *question })
        }
        Command::RenamePlayer { player, name } => {
            let display_name = DisplayName::parse(name).map_err(|_| Refusal::UnfitName)?;
            let is_new = state.can_rename(*player, &display_name)?;
            is_new.then_some(Change::PlayerRenamed { player: *player, display_name })
        }
        _ => None,
    })
}
