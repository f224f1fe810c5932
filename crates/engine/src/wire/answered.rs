//! The number of players who have answered a question, in the form that the room may know: never who they are.

use bytes::Bytes;
use quizhall_protocol::to_player::AnsweredStatus;
use quizhall_protocol::{ToPlayer, frame};
use quizhall_rules::{Phase, QuestionId, State};

use super::count;

/// With fewer players, the number and one's own answer would reveal what another player did.
const LEAST: u32 = 5;
/// With more players, it would be sent to more phones than look at it.
const MOST: u32 = 200;

/// How many players have answered, and out of how many: a player who is away and has no answer does not count.
pub(super) fn answered(state: &State, question: QuestionId) -> (u32, u32) {
    let is_away = |player| state.player(player).is_some_and(|player| !player.connected);
    let gone = state.answerers(question).filter(|player| is_away(*player)).count();
    (count(state.answer_count(question)), count(state.connected_count() + gone))
}

/// Whether phones may be sent anything of this state; costs nothing.
pub fn may_show_answered(state: &State) -> bool {
    let (players, connected) = (count(state.player_count()), count(state.connected_count()));
    state.phase() == Phase::Question && players >= LEAST && connected <= MOST
}

/// `answered_status` of the newest question. `None` before its first answer, with too few or too many players, and once it is
/// closed for any player, because the number would then show that another player has extra time.
pub fn answered_status(state: &State) -> Option<Bytes> {
    let newest = state.released().last().filter(|_| may_show_answered(state))?.id;
    let (answered, of) = answered(state, newest);
    let is_shown = answered > 0 && (LEAST..=MOST).contains(&of);
    let is_open = || state.players().all(|player| state.is_open_for(newest, player.id));
    let status = AnsweredStatus { question_id: newest.uuid(), answered, of };
    (is_shown && is_open()).then(|| frame::text(&ToPlayer::AnsweredStatus(status)))
}
