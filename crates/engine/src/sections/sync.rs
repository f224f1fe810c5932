//! The messages that rebuild a viewer's view of the game: on connecting, and when an edge missed events (messages.md#connecting).

use bytes::Bytes;
use quizhall_protocol::Dialect;
use quizhall_rules::{Phase, State};

use super::{Known, Pace, SECTIONS, Section, View};
use crate::wire::{self, FrameKind};

/// Frames for one socket, each with how the socket's queue treats it.
type Queue = Vec<(Bytes, FrameKind)>;

/// The messages that a socket receives on connecting, in order; promises 8 and 9.
pub fn sync(view: &View<'_>, dialect: Dialect) -> Queue {
    let phase = wire::sync_of_phase(view.state, view.viewer, dialect);
    if dialect == Dialect::Interface { queued(phase).collect() } else { around(view, phase) }
}

/// The same for a socket that speaks `quizhall.v1`, around the messages of the phase.
pub fn around(view: &View<'_>, phase: Vec<Bytes>) -> Queue {
    let (state, viewer) = (view.state, view.viewer);
    let frames_of = |section: &'static Section| changed(section, &Known::default(), view);
    let mut frames: Queue = sections_for(view, true).flat_map(frames_of).collect();
    frames.extend(queued(phase));
    frames.extend(queued(wire::marks::sync_suffix(state, viewer)));
    frames.extend(queued(wire::mending::sync(state, viewer)));
    let is_new = |section: &&Section| section.pace != Pace::Clock && !(section.is_in_phase)(state);
    frames.extend(sections_for(view, false).filter(is_new).flat_map(frames_of));
    frames
}

/// The messages that a socket needs which has seen `before`, when the events in between are not available.
///
/// They never repeat a phase's opening message when the phase and round are the same, and never acknowledge an answer: that is
/// the reply to a message and comes separately. Lobby lists and the host's room are paced.
pub fn catch_up(before: &State, view: &View<'_>, dialect: Dialect) -> Queue {
    let (after, viewer) = (view.state, view.viewer);
    let mut frames = Queue::new();
    if (before.phase(), after.phase()) == (Phase::Lobby, Phase::Question) {
        frames.extend(queued(wire::game_started().of(viewer.recipient(dialect)).cloned()));
    }
    let phase = wire::catch_up(before, after, viewer, dialect);
    if dialect == Dialect::Interface {
        frames.extend(queued(phase));
        return frames;
    }
    let seen = View { state: before, ..*view };
    let frames_of = |section: &'static Section| changed(section, &section.known(&seen), view);
    frames.extend(sections_for(view, true).filter(|section| section.pace != Pace::Paced).flat_map(frames_of));
    frames.extend(queued(phase));
    let is_elsewhere = (before.phase(), before.round()) != (after.phase(), after.round());
    let is_new = |section: &&Section| section.pace != Pace::Clock && !(is_elsewhere && (section.is_in_phase)(after));
    frames.extend(sections_for(view, false).filter(is_new).flat_map(frames_of));
    frames
}

/// The statements of sections that change with time, which a socket receives last: those that it has not seen `before`.
pub fn clocks(before: Option<&State>, view: &View<'_>) -> Queue {
    let clocks = sections_for(view, false).filter(|section| section.pace == Pace::Clock);
    let known = |section: &Section| {
        before.map_or_else(Known::default, |before| section.known(&View { state: before, ..*view }))
    };
    clocks.flat_map(|section| changed(section, &known(section), view)).collect()
}

/// The messages of a viewer that come before the messages of the phase, or after them.
fn sections_for(view: &View<'_>, opens: bool) -> impl Iterator<Item = &'static Section> {
    let is_for = move |section: &&'static Section| section.opens == opens && section.is_for(view.state, view.viewer);
    SECTIONS.iter().copied().filter(is_for)
}

fn changed(section: &Section, known: &Known, view: &View<'_>) -> Queue {
    section.frames(section.changes(known, view))
}

fn queued(frames: impl IntoIterator<Item = Bytes>) -> impl Iterator<Item = (Bytes, FrameKind)> {
    frames.into_iter().map(|frame| (frame, FrameKind::Queued))
}
