//! The outcome of deciding a command.

use crate::base::Refusal;
use crate::event::Change;

/// The change that it makes (none when there is nothing to do), or the reason why it is refused.
pub(crate) type Verdict = Result<Option<Change>, Refusal>;
