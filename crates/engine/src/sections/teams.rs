//! Sections for the phones of a team: the phones themselves (`team_update`), and the sheet of the round (`team_sheet`).

use quizhall_protocol::to_player::{TeamSheet, TeamUpdate};
use quizhall_protocol::{ServerMessage, ToPlayer};
use quizhall_rules::{Change, Phase, State};

use super::{Fact, Section, View, Viewers};
use crate::wire::teams::{answered, devices, sheet, suggested};
use crate::wire::{FrameKind, TEAM_KEY};

/// The team as one of its phones sees it.
pub const TEAM_UPDATE: Section = Section {
    message: "team_update",
    viewers: Viewers::Phone,
    phases: &[Phase::Lobby, Phase::Question, Phase::RoundReview, Phase::Leaderboard],
    exists: |state| state.teams().is_some(),
    render: |view| update(view).map(|update| fact(ToPlayer::TeamUpdate(update))).into_iter().collect(),
    kind: |_| FrameKind::Replace(TEAM_KEY),
    ..Section::PLAIN
};

/// The answers and suggestions of a team in this round, whole. After an answer or a suggestion only its line is sent.
pub const TEAM_SHEET: Section = Section {
    message: "team_sheet",
    viewers: Viewers::Player,
    phases: &[Phase::Question, Phase::RoundReview],
    exists: |state| state.teams().is_some(),
    is_of_round: true,
    render: |view| {
        let sheet = view.player().and_then(|player| sheet(view.state, player));
        sheet.map(|sheet| fact(ToPlayer::TeamSheet(sheet))).into_iter().collect()
    },
    is_assumed: |message| {
        let empty = TeamSheet { whole: true, ..TeamSheet::default() };
        *message == ServerMessage::Player(ToPlayer::TeamSheet(empty))
    },
    line_of: |change| matches!(change, Change::Answered { .. } | Change::Suggested { .. }).then_some(line),
    ..Section::PLAIN
};

fn update(view: &View<'_>) -> Option<TeamUpdate> {
    let (player, (_, device)) = (view.player()?, view.viewer.as_player()?);
    let own = player.phones().find(|phone| phone.device == device)?;
    Some(TeamUpdate {
        team_code: player.team_code()?.as_str().to_owned(),
        device_id: own.id.uuid(),
        devices: devices(player),
        captain: view.state.teams().filter(|teams| teams.captain_only).map(|_| player.id.uuid()),
    })
}

fn line(change: &Change, state: &State) -> Option<Fact> {
    let sheet = |line| fact(ToPlayer::TeamSheet(line));
    if let Change::Answered { player, question, .. } = change {
        return answered(state, *player, *question).map(sheet);
    }
    let Change::Suggested { player, device, question, .. } = change else { return None };
    suggested(state, (*player, *device), *question).map(sheet)
}

fn fact(message: ToPlayer) -> Fact {
    Fact::of_game(ServerMessage::Player(message))
}
