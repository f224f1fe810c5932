//! The messages of the phase that rebuild a participant's view: on connecting, and when an edge missed something.

use bytes::Bytes;
use quizhall_protocol::Dialect;
use quizhall_rules::{Phase, Player, PlayerId, ReviewEntry, State, TeamPhone};

use super::boards::{self, Boards, game_ended, round_leaderboard};
use super::frames::{Frames, Recipient};
use super::outgoing::{
    Scores, answer_accepted, answer_count, lobby_update, question_released, round_ended, round_scores, scores_of,
};
use super::review::review;
use super::{marks, mending, room};
use crate::ids::Participant;

/// Whether the standings, and with `phonesAfterScreen` all scores, are kept from this socket until the host shows them. No
/// message of the interface states this: a plain socket receives the messages of the interface.
pub fn is_withheld(state: &State, participant: Participant, dialect: Dialect) -> bool {
    let of_player = participant.as_host().is_none();
    of_player && dialect == Dialect::QuizhallV1 && state.are_standings_held()
}

/// The messages of the phase for a player from whom the standings are kept: the player's own results, or nothing while phones
/// wait for the screen.
pub fn sync_withheld(state: &State, player: PlayerId, dialect: Dialect) -> Vec<Bytes> {
    let is_shown_own = !state.are_phones_after_screen();
    is_shown_own.then(|| round_scores(state, player, dialect)).into_iter().collect()
}

/// The messages of the phase, in order.
pub fn sync_of_phase(state: &State, participant: Participant, dialect: Dialect) -> Vec<Bytes> {
    if let (Some(player), true) = (participant.player(), is_withheld(state, participant, dialect)) {
        return sync_withheld(state, player, dialect);
    }
    let mut frames = frames_of(&sync_shared(state), participant.recipient(dialect));
    let boards = has_boards(state).then(|| Boards::new(state));
    frames.extend(sync_own(state, boards.as_ref(), participant, dialect));
    frames
}

/// The part of these messages that a recipient receives.
pub fn frames_of<'a>(messages: impl IntoIterator<Item = &'a Frames>, recipient: Recipient) -> Vec<Bytes> {
    messages.into_iter().filter_map(|message| message.of(recipient)).cloned().collect()
}

/// Whether the state has boards of which players are sent their own part.
pub(crate) fn has_boards(state: &State) -> bool {
    matches!(state.phase(), Phase::Leaderboard | Phase::Ended)
}

/// The part that every participant gets, first.
pub fn sync_shared(state: &State) -> Vec<Frames> {
    match state.phase() {
        Phase::Lobby => vec![lobby_update(state)],
        Phase::Question => state.released().map(|question| question_released(state, question)).collect(),
        Phase::RoundReview => vec![round_ended()],
        Phase::Leaderboard => vec![round_leaderboard(state)],
        Phase::Ended => vec![game_ended(state)],
    }
}

/// The participant's own part; `boards` are those of a state that [has some](has_boards).
pub fn sync_own(state: &State, boards: Option<&Boards>, participant: Participant, dialect: Dialect) -> Vec<Bytes> {
    match (state.phase(), participant.player()) {
        (Phase::Question, None) => state.released().map(|question| answer_count(state, question.id)).collect(),
        (Phase::Question, Some(player)) => state.answered_by(player).into_iter().map(answer_accepted).collect(),
        (Phase::RoundReview, None) => review(state, dialect),
        (Phase::Leaderboard, Some(player)) => {
            boards.map(|boards| scores_of(state, boards, (player, dialect), Scores::Whole)).into_iter().collect()
        }
        // `game_ended` has the rest.
        (Phase::Ended, Some(player)) if dialect == Dialect::QuizhallV1 && boards::are_cut_for_players(state) => {
            boards.map(|boards| scores_of(state, boards, (player, dialect), Scores::Standings)).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// The messages of the phase that a socket needs which has seen `before`, when the events in between are not available.
pub fn catch_up(before: &State, after: &State, participant: Participant, dialect: Dialect) -> Vec<Bytes> {
    let is_v1 = dialect == Dialect::QuizhallV1;
    let mut frames = Vec::new();
    if (before.phase(), before.round()) != (after.phase(), after.round()) {
        frames.extend(sync_of_phase(after, participant, dialect));
        if is_v1 {
            frames.extend(marks::sync_suffix(after, participant));
            frames.extend(mending::catch_up(before, after, participant));
        }
        return frames;
    }
    match after.phase() {
        Phase::Question => frames.extend(questions_since(before, after, participant, dialect)),
        Phase::RoundReview => {
            if let Some(device) = participant.as_host() {
                frames.extend(review(after, dialect));
                frames.extend(is_v1.then(|| marks::marking_update(after, device)));
            }
        }
        Phase::Leaderboard if is_v1 && before.are_standings_held() != after.are_standings_held() => {
            frames.extend(shown_standings(after, participant, dialect));
        }
        Phase::Lobby | Phase::Leaderboard | Phase::Ended => {}
    }
    if is_v1 {
        if are_scores_changed(before, after) {
            frames.extend(changed_board(after, participant, Scores::corrected));
        } else if has_new_order(before, after) {
            frames.extend(changed_board(after, participant, Scores::reordered));
        }
        frames.extend(mending::catch_up(before, after, participant));
    }
    frames
}

/// The boards that were kept from a player.
fn shown_standings(state: &State, participant: Participant, dialect: Dialect) -> Vec<Bytes> {
    match participant.player() {
        None => Vec::new(),
        Some(player) => {
            let mut frames = frames_of(&[round_leaderboard(state)], participant.recipient(dialect));
            frames.push(scores_of(state, &Boards::new(state), (player, dialect), Scores::after_hold(state)));
            frames
        }
    }
}

/// Whether marks of a round that is out were corrected, or points by hand given in it: within a phase no score changes otherwise.
fn are_scores_changed(before: &State, after: &State) -> bool {
    let counted = |player: &Player| {
        let all = player.adjustments().iter().filter(|one| after.is_scored(one.round as usize));
        all.map(|one| one.number).collect::<Vec<_>>()
    };
    let differs = |now: &Player, then: &Player| now.score() != then.score() || counted(now) != counted(then);
    before.players().any(|player| after.player(player.id).is_some_and(|now| differs(now, player)))
}

/// Whether a tie-break has ended since.
fn has_new_order(before: &State, after: &State) -> bool {
    let over = |state: &State| state.tie_breaks().iter().filter(|one| one.places.is_some()).count();
    over(before) != over(after)
}

fn changed_board(state: &State, participant: Participant, part: fn(&State) -> Option<Scores>) -> Option<Bytes> {
    let Some(player) = participant.player() else { return Some(marks::board_update(state)) };
    let part = part(state)?;
    Some(scores_of(state, &Boards::new(state), (player, Dialect::QuizhallV1), part))
}

/// Whether the host's view of the players is out of date.
pub fn room_changed(before: &State, after: &State) -> bool {
    let players = |state: &State| {
        let player = |player: &Player| {
            let phone =
                |phone: TeamPhone<'_>| (phone.connected, phone.removed, state.moves_over(player.id, phone.device));
            let phones: Vec<_> = player.phones().map(phone).collect();
            let is_here = (player.is_removed(), player.present, player.connected, player.on_paper, phones);
            (is_here, state.moves_of(player.id), state.time_percent_of(player.id), player.joker)
        };
        state.all_players().map(player).collect::<Vec<_>>()
    };
    before.is_locked() != after.is_locked() || players(before) != players(after)
}

fn questions_since(before: &State, after: &State, participant: Participant, dialect: Dialect) -> Vec<Bytes> {
    let new = after.released().filter(|question| !before.is_released(question.id));
    let new: Vec<_> = new.map(|question| question_released(after, question)).collect();
    let mut frames = frames_of(&new, participant.recipient(dialect));
    // A host who had no list is sent all of them with it, see [`room_changed`].
    let Some(device) = participant.as_host() else { return frames };
    if dialect == Dialect::QuizhallV1 && room::is_room_listed(before) {
        let was_sent = |player, question| before.answer_of(player, question).is_some();
        frames.extend(room::newly_answered(after, was_sent));
    }
    if dialect == Dialect::QuizhallV1 {
        // Of the answers of players on paper the host knows the marks already.
        let is_other = |entry: &ReviewEntry<'_>| {
            let known = before.answer_of(entry.player.id, entry.question.id);
            known.is_some_and(|known| known.text == entry.answer.text && known.correct() != entry.answer.correct())
        };
        let marked = after.entered_answers().filter(is_other);
        frames.extend(marked.flat_map(|of| marks::answers_marked(after, of.question.id, &[of.player.id])));
    }
    let undoable = |state: &State| state.undoable(after.co_hosts().undone_over(device));
    if dialect == Dialect::QuizhallV1 && undoable(before) != undoable(after) {
        frames.push(marks::marking_update(after, device));
    }
    let changed = after.released().filter(|question| {
        after.answer_count(question.id) != before.answer_count(question.id) || !before.is_released(question.id)
    });
    frames.extend(changed.map(|question| answer_count(after, question.id)));
    frames
}
