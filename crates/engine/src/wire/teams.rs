//! State → the view of a team on the wire: its phones, and their answers.

use bytes::Bytes;
use quizhall_protocol::shapes::TeamDevice;
use quizhall_protocol::to_player::{SheetAnswer, TeamSheet};
use quizhall_protocol::{ToPlayer, frame};
use quizhall_rules::{Device, Player, PlayerId, QuestionId, State, TeamPhone};

/// The sheet with only the answer to this question; nothing for a player who is no team.
pub fn answered(state: &State, player: PlayerId, question: QuestionId) -> Option<TeamSheet> {
    let player = state.player(player)?;
    let answer = state.answer_of(player.id, question)?;
    player.team_code()?;
    let answers = vec![entry(player, question, &answer.text, answer.by)?];
    Some(TeamSheet { answers, ..TeamSheet::default() })
}

/// The sheet with only what this phone suggests to this question; nothing when it suggests nothing.
pub fn suggested(state: &State, (player, device): (PlayerId, Device), question: QuestionId) -> Option<TeamSheet> {
    let player = state.player(player)?;
    let suggested = player.suggestions().iter().find(|one| (one.question, one.by) == (question, device))?;
    let suggestions = vec![entry(player, question, &suggested.text, device)?];
    Some(TeamSheet { suggestions, ..TeamSheet::default() })
}

/// The confirmation of a suggestion that changed nothing: this phone's suggestion, or the whole sheet once the captain has answered.
/// After only the line of the answer, the phone would drop the suggestions that came after it.
pub fn confirmed(state: &State, phone: (PlayerId, Device), question: QuestionId) -> Option<Bytes> {
    let sheet = suggested(state, phone, question).or_else(|| sheet(state, state.player(phone.0)?))?;
    Some(frame::text(&ToPlayer::TeamSheet(sheet)))
}

/// The phones of a team that were not removed, in order of joining; none of a player who is no team. The first place is always
/// among them: it can be given to another phone.
pub fn devices(player: &Player) -> Vec<TeamDevice> {
    listed(player).map(|phone| device(&phone)).collect()
}

/// The same with how many times each has moved to another phone, for hosts.
pub fn devices_with_moves(state: &State, player: &Player) -> Vec<TeamDevice> {
    let moves = |phone: &TeamPhone<'_>| state.moves_over(player.id, phone.device);
    listed(player).map(|phone| TeamDevice { moves: moves(&phone), ..device(&phone) }).collect()
}

fn listed(player: &Player) -> impl Iterator<Item = TeamPhone<'_>> {
    player.phones().filter(|phone| phone.device.is_first() || !phone.removed)
}

fn device(phone: &TeamPhone<'_>) -> TeamDevice {
    TeamDevice {
        device_id: phone.id.uuid(),
        display_name: phone.display_name.as_str().to_owned(),
        connected: phone.connected,
        moves: 0,
    }
}

/// The whole sheet; nothing for a player who is no team.
pub fn sheet(state: &State, player: &Player) -> Option<TeamSheet> {
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
