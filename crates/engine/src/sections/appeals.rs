//! Sections about appeals: each appeal for hosts (`appeals_update`), and a player's own (`appeal_status`).

use quizhall_protocol::shapes::AppealOutcome;
use quizhall_protocol::to_host::{Appealed, AppealsUpdate};
use quizhall_protocol::to_player::{AppealStatus, OwnAppeal};
use quizhall_protocol::{ServerMessage, ToHost, ToPlayer};
use quizhall_rules::{Appeal, Phase, Player};

use super::{About, Fact, Section, View, Viewers};
use crate::wire::appeals::outcome;

/// The most appeals in a message.
const PART: usize = 1_000;
const ROUNDS: &[Phase] = &[Phase::Question, Phase::RoundReview, Phase::Leaderboard];

/// Every appeal. On connecting a host receives the open ones.
pub const APPEALS: Section = Section {
    message: "appeals_update",
    viewers: Viewers::Hosts,
    phases: ROUNDS,
    render: |view| {
        let appeals = view.players().filter(|player| player.has_appealed());
        appeals.flat_map(|player| view.state.appeals_of(player.id)).map(fact).collect()
    },
    is_assumed: |message| appeals(message).iter().all(|appeal| appeal.outcome != AppealOutcome::Open),
    is_same: |_, one, other| {
        let outcome = |appeal: &Appealed| appeal.outcome;
        appeals(one).iter().map(outcome).eq(appeals(other).iter().map(outcome))
    },
    join: Some(|messages| {
        let all: Vec<Appealed> = messages.iter().flat_map(appeals).cloned().collect();
        // A list without appeals states that there is none.
        let parts = if all.is_empty() { vec![&all[..]] } else { all.chunks(PART).collect() };
        parts.into_iter().map(|part| message(part.to_vec())).collect()
    }),
    ..Section::PLAIN
};

/// All appeals of a player.
pub const APPEAL_STATUS: Section = Section {
    message: "appeal_status",
    viewers: Viewers::Player,
    phases: ROUNDS,
    render: |view| view.player().map(|player| own(view, player)).into_iter().collect(),
    is_assumed: |message| {
        let status = ServerMessage::Player(ToPlayer::AppealStatus(AppealStatus { appeals: Vec::new() }));
        *message == status
    },
    ..Section::PLAIN
};

fn fact(appeal: Appeal<'_>) -> Fact {
    let about = About::answer(appeal.player.id, appeal.question);
    let appealed = Appealed {
        player_id: appeal.player.id.uuid(),
        display_name: appeal.player.display_name.as_str().to_owned(),
        question_id: appeal.question.uuid(),
        answer: appeal.answer.to_owned(),
        text: appeal.text.map(str::to_owned),
        outcome: outcome(appeal.status),
    };
    Fact { about, message: message(vec![appealed]) }
}

fn own(view: &View<'_>, player: &Player) -> Fact {
    let appeals = view
        .state
        .appeals_of(player.id)
        .map(|appeal| OwnAppeal { question_id: appeal.question.uuid(), outcome: outcome(appeal.status) });
    Fact::of_game(ServerMessage::Player(ToPlayer::AppealStatus(AppealStatus { appeals: appeals.collect() })))
}

fn message(appeals: Vec<Appealed>) -> ServerMessage {
    ServerMessage::Host(ToHost::AppealsUpdate(AppealsUpdate { appeals }))
}

fn appeals(message: &ServerMessage) -> &[Appealed] {
    let ServerMessage::Host(ToHost::AppealsUpdate(update)) = message else { return &[] };
    &update.appeals
}
