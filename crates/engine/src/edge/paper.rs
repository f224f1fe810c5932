//! The answers that the host has entered for players on paper: what the sockets of hosts are sent of them.

use quizhall_rules::{Change, Event};

use super::extension::{Marks, Touched};
use super::{Edge, EdgeEffect};
use crate::wire::{extension, paper};

impl Edge {
    /// The answer as it counts, and what it changed in the marks.
    pub(super) fn answer_entered(&mut self, event: &Event, touched: &Touched, effects: &mut Vec<EdgeEffect>) {
        let (Change::AnswerEntered { player, question, .. }, Touched::Entered(_, before)) = (&event.change, touched)
        else {
            return;
        };
        if self.is_first_answer(touched, *question) {
            self.pacing.rooms().for_each(|room| room.answered(*question, *player));
        }
        self.note_shown_to_host(event.command_id);
        let Some(state) = self.state() else { return };
        let Marks { undoable, nearest } = before;
        let marked = extension::nearest_marked(state, nearest);
        let is_changed = !marked.is_empty() || *undoable != state.undoable(None);
        let frames: Vec<_> = paper::answer_entered(state, *player, *question).into_iter().chain(marked).collect();
        self.send_marks(&frames, is_changed, effects);
    }
}
