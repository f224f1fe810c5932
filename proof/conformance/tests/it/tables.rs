//! The tables: how many rows, of which kinds, and that the list has every one.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::sync::LazyLock;

use quizhall_conformance::row::{Check, Verdict};
use quizhall_conformance::stage::command::Command;
use quizhall_conformance::tables;
use quizhall_conformance::{ids, list, markdown};
use quizhall_protocol::FromHost;
use uuid::Uuid;

static IDS: LazyLock<Vec<String>> = LazyLock::new(ids);

fn count(prefix: &str) -> usize {
    IDS.iter().filter(|id| id.starts_with(prefix)).count()
}

#[test]
fn the_matrices_are_whole() {
    assert_eq!(count("core/"), 8 * 5 * 2);
    assert_eq!(count("extended/"), 20 * 11 * 2);
    assert_eq!(count("payload/"), 6 * 16);
    assert_eq!(count("forms/"), 5 * 8);
    assert_eq!(count("auth/"), 8 * 5 * 5);
    assert_eq!(count("unasked/"), (38 + 2 * 4) * 2);
    assert!(count("envelope/") >= 30);
    assert!(count("join/") + count("http/") >= 60);
}

/// The fields and phases of the suite's own table are judged by playing them; which messages there are is compared here.
#[test]
fn the_messages_are_those_of_the_protocol() {
    use quizhall_oracle::shape::{SHAPES, extension};
    use quizhall_protocol::messages::Row;
    use quizhall_protocol::{Dialect, FromAny, FromHost, FromPlayer, ToAll, ToHost, ToPlayer, ToScreen, ToSender};

    let of_rows = |tables: &[&'static [Row]]| -> BTreeSet<_> {
        tables.iter().copied().flatten().map(|row: &Row| (row.name, row.direction.role(), row.since)).collect()
    };
    let inbound = tables::messages::MESSAGES.iter().map(|message| (message.name, message.sender, message.since));
    assert_eq!(inbound.collect::<BTreeSet<_>>(), of_rows(&[FromHost::ROWS, FromPlayer::ROWS, FromAny::ROWS]));
    let shapes = SHAPES.iter().map(|shape| (shape, Dialect::Interface));
    let shapes = shapes.chain(extension().map(|shape| (shape, Dialect::QuizhallV1)));
    let outbound: BTreeSet<_> = shapes.map(|(shape, since)| (shape.kind, shape.audience, since)).collect();
    assert_eq!(outbound, of_rows(&[ToAll::ROWS, ToHost::ROWS, ToPlayer::ROWS, ToScreen::ROWS, ToSender::ROWS]));
}

#[test]
fn the_matrices_of_the_extension_are_whole() {
    assert_eq!(count("v1_core/"), 8 * 5 * 2);
    assert_eq!(count("v1_matrix/"), 38 * 13 * 2 + 39 * 2);
    assert_eq!(count("v1_screens/"), 46 + (3 + 1) * 12 + 39);
    assert_eq!(count("v1_beside/"), (38 + 2 * 4) * 2);
    assert_eq!(count("v1_payload/"), 36 * 16);
    assert_eq!(count("v1_forms/"), 5 * 38 + 5);
    assert_eq!(count("v1_standing/"), 13 * 3 - 1);
    assert_eq!(count("v1_coverage/"), 18 * 2 + 21);
}

#[test]
fn rows_of_the_extension_and_no_others_are_left_out_where_those_are_not_offered() {
    let extension = tables::extension();
    assert!(extension.len() >= 350, "{} rows", extension.len());
    assert!(extension.iter().all(|row| row.id.starts_with("v1_")));
    assert!(tables::interface().iter().all(|row| !row.id.starts_with("v1_")));
    assert_eq!(tables::interface().len() + extension.len(), IDS.len());
}

#[test]
fn an_extension_is_legal_from_its_role_in_its_phases_alone() {
    let verdicts = tables::extension().into_iter().filter(|row| row.id.starts_with("v1_matrix/"));
    let legal: Vec<_> = verdicts
        .filter(|row| matches!(&row.check, Check::Message(case) if matches!(case.verdict, Verdict::Accepted)))
        .map(|row| row.id)
        .collect();
    let (pings, legal): (Vec<_>, Vec<_>) = legal.into_iter().partition(|id| id.ends_with("/ping"));
    assert_eq!(pings.len(), 13 * 2, "either role, everywhere");
    let is_of_player = |id: &String| id.ends_with("/play_joker") || id.ends_with("/answer_tie_break");
    let (of_player, legal): (Vec<_>, Vec<_>) = legal.into_iter().partition(is_of_player);
    assert!(of_player.len() == 2 * 12 && of_player.iter().all(|id| id.contains("/player/")), "{of_player:?}");
    let (appeals, legal): (Vec<_>, Vec<_>) = legal.into_iter().partition(|id| id.ends_with("/appeal"));
    assert!(appeals.len() == 3 && appeals.iter().all(|id| id.contains("/player/")), "{appeals:?}");
    assert!(legal.iter().all(|id| id.contains("/host/")), "{legal:?}");
    let of = |kind: &str| legal.iter().filter(|id| id.ends_with(kind)).count();
    assert_eq!([of("mark_answers"), of("undo_marking"), of("lock_game"), of("remove_player")], [3, 7, 12, 11]);
    assert_eq!([of("release_own_scores"), of("show_standings")], [3, 3]);
    assert_eq!([of("reveal_answer"), of("start_break"), of("end_break")], [6, 8, 8]);
    assert_eq!(of("set_extra_time"), 11);
    assert_eq!([of("/tie_break"), of("end_tie_break")], [3, 3]);
    assert_eq!([of("accept_answer"), of("open_desk")], [6, 7]);
    assert_eq!([of("correct_marks"), of("dismiss_appeal")], [3, 3]);
    assert_eq!([of("adjust_points"), of("undo_adjustment")], [10, 10]);
    assert_eq!([of("edit_question"), of("withdraw_question"), of("rename_player")], [12, 9, 11]);
    assert_eq!([of("add_seat"), of("enter_answer")], [12, 0]);
}

#[test]
fn ids_begin_with_their_group() {
    for group in tables::groups() {
        for row in (group.rows)() {
            assert!(row.id.starts_with(&format!("{}/", group.name)), "{}", row.id);
        }
    }
}

#[test]
fn every_row_is_on_one_line_of_the_list() {
    let listed = list("");
    let ids_listed: Vec<&str> = listed.lines().map(|line| line.split('\t').next().unwrap()).collect();
    assert_eq!(ids_listed, *IDS);
    assert_eq!(ids_listed.iter().collect::<BTreeSet<_>>().len(), ids_listed.len(), "two rows are alike");
    assert!(listed.lines().all(|line| line.split('\t').count() == 4));
    let frames = list("frames/");
    assert_eq!(frames.lines().count(), count("frames/"), "--filter selects");
    assert!(frames.lines().all(|line| line.starts_with("frames/")), "{frames}");
    assert_eq!(list("no such row"), "");
}

#[test]
fn the_overview_is_short_and_names_every_group_with_its_rows() {
    let page = markdown();
    assert!(page.lines().count() <= 200, "{} lines", page.lines().count());
    for group in tables::groups() {
        let row = format!("\n| `{}` | {} | ", group.name, (group.rows)().len());
        assert_eq!(page.matches(&row).count(), 1, "{row}");
    }
}

/// The rows of each group when a number was last raised. A group may grow; a row that goes needs a reason, and this table says so:
/// `unasked`, `v1_beside` and `v1_screens` had each message in each sub-state, though its type or role decides. The rules try every
/// command by every actor in every phase (`crates/rules/tests/it/table.rs`).
const FEWEST: &[(&str, usize)] = &[
    ("core", 80),
    ("extended", 440),
    ("unasked", 92),
    ("payload", 96),
    ("forms", 40),
    ("fields", 28),
    ("envelope", 66),
    ("frames", 52),
    ("resync", 32),
    ("auth", 200),
    ("browser", 24),
    ("join", 90),
    ("http", 116),
    ("evening", 14),
    ("lobby", 11),
    ("sockets", 10),
    ("limits", 13),
    ("host_api", 8),
    ("security", 11),
    ("coverage", 40),
    ("v1_core", 80),
    ("v1_matrix", 926),
    ("v1_beside", 92),
    ("v1_screens", 133),
    ("v1_payload", 512),
    ("v1_answers", 26),
    ("v1_seconds", 70),
    ("v1_forms", 170),
    ("v1_standing", 38),
    ("v1_handshake", 3),
    ("v1_evening", 3),
    ("v1_rounds", 4),
    ("v1_standings", 6),
    ("v1_steps", 4),
    ("v1_media", 1),
    ("v1_timers", 6),
    ("v1_extra_time", 2),
    ("v1_jokers", 4),
    ("v1_sealed", 1),
    ("v1_ties", 3),
    ("v1_seats", 3),
    ("v1_co_hosts", 3),
    ("v1_spectators", 4),
    ("v1_teams", 4),
    ("v1_room", 14),
    ("v1_marking", 14),
    ("v1_appeals", 3),
    ("v1_adjustments", 3),
    ("v1_mending", 5),
    ("v1_pace", 5),
    ("v1_paper", 4),
    ("v1_key", 5),
    ("v1_kinds", 6),
    ("v1_streaks", 2),
    ("v1_speed", 3),
    ("v1_ping", 5),
    ("v1_between", 5),
    ("v1_text", 10),
    ("v1_coverage", 52),
];

#[test]
fn no_group_has_fewer_rows_than_it_had() {
    let groups: Vec<&str> = tables::groups().map(|group| group.name).collect();
    assert_eq!(groups, FEWEST.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    for (group, fewest) in FEWEST {
        let rows = count(&format!("{group}/"));
        assert!(rows >= *fewest, "{group} has {rows} rows, and had {fewest}");
    }
}

#[test]
fn rows_that_must_be_accepted_are_messages_the_oracle_can_read() {
    let id = "0190a0a0-0000-7000-8000-000000000000";
    for row in tables::all() {
        let Check::Message(case) = row.check else { continue };
        if !matches!(case.verdict, Verdict::Accepted) {
            continue;
        }
        let mut text = case.text.clone();
        for name in ["OPEN", "NEXT", "PLAYER"] {
            text = text.replace(&format!("${name}_UPPER"), id).replace(&format!("${name}"), id);
        }
        Command::read(&text).unwrap_or_else(|error| panic!("{}: {error:#}", row.id));
    }
}

#[test]
fn the_tests_named_for_codes_out_of_reach_are_there_and_name_the_code() {
    use quizhall_conformance::tables::coverage::OUT_OF_REACH;

    let top = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for out in OUT_OF_REACH.iter().filter(|out| !out.shown_by.is_empty()) {
        let text =
            std::fs::read_to_string(top.join(out.shown_by)).unwrap_or_else(|_| panic!("{} is missing", out.shown_by));
        assert!(text.contains(&out.code.number().to_string()), "{} does not name {}", out.shown_by, out.code.number());
    }
}

#[test]
fn what_a_row_writes_is_read_back_as_meant() {
    let question = Uuid::new_v4();
    let commands = [
        Command::release(question),
        Command::overrule(question, question, false),
        Command::answer(question, "é\""),
        Command::mark(question, &["é\"", ""], true),
        Command::accept(question, "é\"", true),
        Command::Host(FromHost::UndoMarking),
        Command::lock(true),
        Command::remove(question),
        Command::Host(FromHost::ReleaseOwnScores),
        Command::Host(FromHost::ShowStandings),
        Command::tally(question, &[]),
        Command::tally(question, &["é\"", ""]),
        Command::set_timer(Some(question), 30),
        Command::set_timer(None, 30),
        Command::add_time(None, 10),
        Command::Host(FromHost::PauseTimer),
        Command::Host(FromHost::ResumeTimer),
        Command::start_autopilot(30),
        Command::Host(FromHost::StopAutopilot),
        Command::extra_time(question, 150),
        Command::PING,
    ];
    for command in commands {
        assert_eq!(Command::read(&command.text()).unwrap().text(), command.text());
    }
    assert!(Command::read(r#"{"type":"lobby_update"}"#).is_err());
    assert!(Command::read("nonsense").is_err());
}
