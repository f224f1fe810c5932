//! The closings that one socket was sent: after one of them its client can know that something no longer takes answers.
//!
//! Called by `edge` with each frame it sends, and by `commands` with each message that arrives. It decides only whether the
//! sender of a message could know; the owner decides whether the command is refused.

use quizhall_rules::{Command, Phase, State};

use crate::wire::Closing;

/// The closings sent to one socket, in order. Once the end of a round is sent, earlier ones have no meaning, so the list contains
/// at most that end and the questions of a round.
#[derive(Debug, Default)]
pub(super) struct Closings {
    sent: Vec<Closing>,
    /// How many closings were sent before these.
    forgotten: usize,
}

impl Closings {
    /// Adds a closing that is sent to the socket.
    pub fn note_sent(&mut self, closing: Closing) {
        if closing == Closing::Round {
            self.forgotten += self.sent.drain(..).len();
        }
        self.sent.push(closing);
    }

    /// Whether the sender of this command could not know that its target is closed: when the command arrived, only the first
    /// `written` of the closings had been written to the socket. `state` is the replica at that moment.
    ///
    /// The end of a round closes every command. The closing of a single question closes the answers to it. A socket that is never
    /// sent such a closing cannot know of it, and neither can a socket whose edge does not have the event yet.
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
