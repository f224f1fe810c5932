//! What one socket was sent of closings: from then on its client can know that something takes no answers any more.
//!
//! Called by `edge` with each frame it sends, and by `commands` with each message that arrives. Decides only whether the
//! sender of a message could know; whether the command is refused is decided by the owner.

use quizhall_rules::{Command, Phase, State};

use crate::wire::Closing;

/// The closings sent to one socket, in order. Those before the end of a round say nothing any more once that is sent, so
/// the list holds at most that end and the questions of a round.
#[derive(Debug, Default)]
pub(super) struct Closings {
    sent: Vec<Closing>,
    /// How many were sent before those.
    forgotten: usize,
}

impl Closings {
    /// A frame that closes something goes to the socket.
    pub fn note_sent(&mut self, closing: Closing) {
        if closing == Closing::Round {
            self.forgotten += self.sent.drain(..).len();
        }
        self.sent.push(closing);
    }

    /// Whether the sender of this command could not know that what it asks for is closed: when the command arrived, only the
    /// first `written` of the closings had been written to the socket. `state` is the replica at that moment.
    ///
    /// A round that ends closes every command. A question that closes by itself closes the answers to it; a socket that is
    /// never sent such a closing cannot know, and neither can one whose edge does not have the event yet.
    pub fn are_crossed_by(&self, command: &Command, written: u32, state: Option<&State>) -> bool {
        let written = (written as usize).saturating_sub(self.forgotten).min(self.sent.len());
        let (known, unknown) = self.sent.split_at(written);
        if unknown.contains(&Closing::Round) {
            return true;
        }
        let (Command::SubmitAnswer { question, .. } | Command::SuggestAnswer { question, .. }) = command else {
            return false;
        };
        let is_asked = |state: &State| state.phase() == Phase::Question && state.is_released(*question);
        state.is_some_and(is_asked) && !known.contains(&Closing::Question(*question))
    }
}

#[cfg(test)]
mod tests;
