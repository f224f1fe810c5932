//! The options of a game, between the rules and the wire: for HTTP, for hosts, and the section of a round.

use quizhall_protocol::from_host;
use quizhall_protocol::http::game_options::GameOptions;
use quizhall_protocol::http::games::Teams;
use quizhall_protocol::to_all::Section;
use quizhall_rules::{self as rules, AutopilotPlan, PlayOptions};

use super::count;

/// The options as the wire has them.
pub fn options_body(options: &PlayOptions) -> GameOptions {
    GameOptions {
        pace: options.pace,
        board_after: options.board_after,
        answer_seconds: options.answer_seconds,
        close_when_answered: options.close_when_answered,
        mark_later: options.mark_later,
        autopilot: options.autopilot.map(plan_body),
        speed_points: options.speed_points,
        streaks: options.streaks,
        phones_after_screen: options.phones_after_screen,
        clean_names: options.clean_names,
        teams: options.teams.map(teams_body),
    }
}

/// The options that a body asks for. Its limits have to be checked before.
pub fn options_of(body: &GameOptions) -> PlayOptions {
    PlayOptions {
        pace: body.pace,
        board_after: body.board_after,
        answer_seconds: body.answer_seconds,
        close_when_answered: body.close_when_answered,
        mark_later: body.mark_later,
        autopilot: body.autopilot.as_ref().map(plan_of),
        speed_points: body.speed_points,
        streaks: body.streaks,
        phones_after_screen: body.phones_after_screen,
        clean_names: body.clean_names,
        teams: body.teams.map(|Teams { devices, captain_only }| rules::Teams { devices, captain_only }),
    }
}

/// How several phones play as a team.
pub fn teams_body(teams: rules::Teams) -> Teams {
    Teams { devices: teams.devices, captain_only: teams.captain_only }
}

/// The plan of an autopilot as the wire has it.
pub fn plan_body(plan: AutopilotPlan) -> from_host::AutopilotPlan {
    from_host::AutopilotPlan {
        answer_for: plan.answer_for.into(),
        reveal_for: plan.reveal_for.into(),
        break_for: plan.break_for.into(),
        hold_without_host: plan.hold_without_host,
        standings_for: plan.standings_for.map(Into::into),
        hold_for_marking: plan.hold_for_marking,
    }
}

/// The plan of a message or a body whose limits were checked.
pub fn plan_of(plan: &from_host::AutopilotPlan) -> AutopilotPlan {
    let seconds = |seconds| u16::try_from(seconds).unwrap_or(u16::MAX);
    AutopilotPlan {
        answer_for: seconds(plan.answer_for),
        reveal_for: seconds(plan.reveal_for),
        break_for: seconds(plan.break_for),
        hold_without_host: plan.hold_without_host,
        standings_for: plan.standings_for.map(seconds),
        hold_for_marking: plan.hold_for_marking,
        to_the_end: true,
    }
}

/// The section of a round.
pub fn section(section: &rules::Section<'_>) -> Section {
    Section {
        index: count(section.index),
        title: section.title.to_owned(),
        question_index: count(section.question_index),
        question_count: count(section.question_count),
    }
}
