//! State → frames about a team: its phones, and what they have answered. The edge decides when.

use bytes::Bytes;
use quizhall_protocol::shapes::TeamDevice;
use quizhall_protocol::to_player::{SheetAnswer, TeamSheet, TeamUpdate};
use quizhall_protocol::{ToPlayer, frame};
use quizhall_rules::{Device, Phase, Player, PlayerId, QuestionId, State, TeamPhone};

use crate::ids::Participant;

/// `team_update` to a phone of a team; nothing for a player who is no team, and nothing behind the end of the game.
pub fn team_update(state: &State, player: PlayerId, device: Device) -> Option<Bytes> {
    let player = state.player(player).filter(|_| state.phase() != Phase::Ended)?;
    let own = player.phones().find(|phone| phone.device == device)?;
    let captain = state.teams().filter(|teams| teams.captain_only).map(|_| player.id.uuid());
    Some(frame::text(&ToPlayer::TeamUpdate(TeamUpdate {
        team_code: player.team_code()?.as_str().to_owned(),
        device_id: own.id.uuid(),
        devices: devices(player),
        captain,
    })))
}

/// `team_sheet`, whole; nothing for a player who is no team.
pub fn sheet(state: &State, player: PlayerId) -> Option<Bytes> {
    Some(frame::text(&ToPlayer::TeamSheet(sheet_of(state, state.player(player)?)?)))
}

/// `team_sheet` with the answer to this question alone; nothing for a player who is no team.
pub fn answered(state: &State, player: PlayerId, question: QuestionId) -> Option<Bytes> {
    let player = state.player(player)?;
    let answer = state.answer_of(player.id, question)?;
    player.team_code()?;
    let answers = vec![entry(player, question, &answer.text, answer.by)?];
    Some(frame::text(&ToPlayer::TeamSheet(TeamSheet { answers, ..TeamSheet::default() })))
}

/// `team_sheet` with what this phone suggests to this question alone; nothing when it suggests nothing.
pub fn suggested(state: &State, (player, device): (PlayerId, Device), question: QuestionId) -> Option<Bytes> {
    let player = state.player(player)?;
    let suggested = player.suggestions().iter().find(|one| (one.question, one.by) == (question, device))?;
    let suggestions = vec![entry(player, question, &suggested.text, device)?];
    Some(frame::text(&ToPlayer::TeamSheet(TeamSheet { suggestions, ..TeamSheet::default() })))
}

/// What confirms a suggestion that changed nothing: what this phone suggests, or what its captain has answered.
pub fn confirmed(state: &State, phone: (PlayerId, Device), question: QuestionId) -> Option<Bytes> {
    suggested(state, phone, question).or_else(|| answered(state, phone.0, question))
}

/// The phones of a team that were not removed, in order of joining; none of a player who is no team. The first place is always
/// among them: it can be given to another phone.
pub fn devices(player: &Player) -> Vec<TeamDevice> {
    let is_listed = |phone: &TeamPhone<'_>| phone.device.is_first() || !phone.removed;
    let phones = player.phones().filter(is_listed).map(|phone| TeamDevice {
        device_id: phone.id.uuid(),
        display_name: phone.display_name.as_str().to_owned(),
        connected: phone.connected,
    });
    phones.collect()
}

/// What a phone of a team is sent on connecting.
pub fn sync(state: &State, participant: Participant) -> Vec<Bytes> {
    let Some((player, device)) = participant.as_player().filter(|_| state.teams().is_some()) else { return Vec::new() };
    team_update(state, player, device).into_iter().chain(begun_sheet(state, player)).collect()
}

/// What it needs at a later state.
pub fn catch_up(before: &State, after: &State, participant: Participant) -> Vec<Bytes> {
    let Some((player, device)) = participant.as_player().filter(|_| after.teams().is_some()) else { return Vec::new() };
    let update = team_update(after, player, device);
    let update = update.filter(|update| team_update(before, player, device).as_ref() != Some(update));
    let is_other_round = before.round() != after.round();
    let was_sent = begun_sheet(before, player).filter(|_| !is_other_round);
    update.into_iter().chain(begun_sheet(after, player).filter(|sheet| was_sent.as_ref() != Some(sheet))).collect()
}

/// The sheet while the round is on it, once there is something.
fn begun_sheet(state: &State, player: PlayerId) -> Option<Bytes> {
    let is_shown = matches!(state.phase(), Phase::Question | Phase::RoundReview);
    let sheet = sheet_of(state, state.player(player)?).filter(|_| is_shown)?;
    let is_begun = !sheet.answers.is_empty() || !sheet.suggestions.is_empty();
    is_begun.then(|| frame::text(&ToPlayer::TeamSheet(sheet)))
}

fn sheet_of(state: &State, player: &Player) -> Option<TeamSheet> {
    player.team_code()?;
    let given = state.released().filter_map(|question| Some((question.id, state.answer_of(player.id, question.id)?)));
    // The host can mark where there is no answer.
    let given = given.filter(|(_, answer)| !answer.text.is_empty());
    let answers = given.filter_map(|(question, answer)| entry(player, question, &answer.text, answer.by)).collect();
    let suggestions = player.suggestions().iter();
    let suggestions = suggestions.filter_map(|one| entry(player, one.question, &one.text, one.by)).collect();
    Some(TeamSheet { whole: true, answers, suggestions })
}

fn entry(player: &Player, question: QuestionId, text: &str, by: Device) -> Option<SheetAnswer> {
    let by = player.phones().find(|phone| phone.device == by)?.id.uuid();
    Some(SheetAnswer { question_id: question.uuid(), answer: text.to_owned(), by })
}
