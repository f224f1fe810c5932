//! A picture of the screen as a value: what it shows, and whether another one shows the same at another time.
//!
//! Used by `moments`, which compares the pictures of a log. What a picture has is decided in `screen`.

use bytes::Bytes;
use quizhall_protocol::http::moments::MomentKind;
use quizhall_protocol::slides::ScreenShow;
use quizhall_protocol::to_screen::{ScreenTimer, ScreenUpdate};
use quizhall_protocol::{ToScreen, frame};
use quizhall_rules::{Moment, Phase, QuestionId, Slide, State};

use super::screen::update;

/// A picture of the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture(ScreenUpdate);

impl Picture {
    /// The picture of this state at a moment.
    pub fn of(state: &State, at: Moment) -> Self {
        Self(update(state, at))
    }

    /// The frame that a screen is sent, as [`screen_update`](super::screen_update) makes it.
    pub fn frame(&self) -> Bytes {
        frame::text(&ToScreen::ScreenUpdate(self.0.clone()))
    }

    /// The payload of that frame.
    pub fn payload(&self) -> Bytes {
        serde_json::to_vec(&self.0).expect("wire types have string keys and cannot fail to serialize").into()
    }

    /// What it shows.
    pub fn kind(&self) -> MomentKind {
        let Self(picture) = self;
        if picture.blank {
            return MomentKind::Blank;
        }
        if picture.pause.is_some() {
            return MomentKind::Break;
        }
        if picture.tally.is_some() {
            return MomentKind::Tally;
        }
        match (picture.phase, &picture.show) {
            (Phase::Lobby, _) => MomentKind::Lobby,
            (Phase::Question, _) if picture.questions.is_empty() => MomentKind::Round,
            (Phase::Question, _) => MomentKind::Question,
            (Phase::RoundReview | Phase::Leaderboard | Phase::Ended, None) => MomentKind::Marking,
            (Phase::RoundReview | Phase::Leaderboard | Phase::Ended, Some(show)) => kind_of(show),
        }
    }

    /// The round, from 1; 0 in the lobby.
    pub fn round(&self) -> u32 {
        self.0.round.as_ref().map_or(0, |round| round.number)
    }

    /// The question that it is about, in the state of which it is the picture.
    pub fn question(&self, state: &State) -> Option<QuestionId> {
        match self.kind() {
            MomentKind::Question => state.released().last().map(|question| question.id),
            MomentKind::Tally => state.tally().map(|tally| tally.question),
            MomentKind::Answer => answered(state),
            MomentKind::Lobby
            | MomentKind::Round
            | MomentKind::Marking
            | MomentKind::Standings
            | MomentKind::Next
            | MomentKind::Podium
            | MomentKind::Winner
            | MomentKind::TieBreak
            | MomentKind::Break
            | MomentKind::Blank => None,
        }
    }

    /// The same picture with every timer at 0: two pictures are of one moment if only their running times differ.
    #[must_use]
    pub fn without_times(mut self) -> Self {
        let stop = |timer: &mut ScreenTimer| timer.remaining_ms = 0;
        let Self(picture) = &mut self;
        picture.timer.iter_mut().for_each(stop);
        picture.questions.iter_mut().filter_map(|question| question.timer.as_mut()).for_each(stop);
        picture.pause.iter_mut().for_each(|pause| stop(&mut pause.timer));
        picture.step.iter_mut().for_each(|step| step.remaining_ms = 0);
        self
    }
}

fn kind_of(show: &ScreenShow) -> MomentKind {
    match show {
        ScreenShow::Question(_) => MomentKind::Answer,
        ScreenShow::Standings(_) => MomentKind::Standings,
        ScreenShow::Next(_) => MomentKind::Next,
        ScreenShow::Podium(_) => MomentKind::Podium,
        ScreenShow::Winner(_) => MomentKind::Winner,
        ScreenShow::TieBreak(_) => MomentKind::TieBreak,
    }
}

/// The question whose answer is shown.
fn answered(state: &State) -> Option<QuestionId> {
    if state.phase() == Phase::RoundReview {
        return state.revealed().last().map(|revealed| revealed.question.id);
    }
    let Slide::Question(index) = state.slide() else { return None };
    state.released().nth(usize::try_from(index).ok()?).map(|question| question.id)
}
