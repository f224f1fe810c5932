//! The whole table of phase × actor × command.

use std::collections::BTreeSet;

use quizhall_rules::{
    Actor, Command, Device, Expiry, HostRole, LOG_VERSION, Phase, PlayOptions, Refusal, Setting, Slide, TieQuestion,
    TimeLeft,
};
use serde_json::Value;

use crate::changes::{PLAN, variants};
use crate::co_hosts::{add, co_host_id};
use crate::screens::{add_screen, screen, show};
use crate::seats::{issue, take};
use crate::stage::{
    Game, accept, add_seat, adjust, correct_marks, credit, edit, enter, join, mark_all, overrule, player, question,
    release, submit, undo_adjustment,
};
use crate::teams::{phone, suggest};

/// The outcome of a command, one letter per phase in order: `E` an event, `.` nothing to do, `p` wrong phase, `u` unknown question,
/// `x` ended, `n` no round left, `k` unknown player, `s` no such seat code, `t` no teams, `r` the role. Actors that are not listed
/// are refused because of their role in every phase.
const TABLE: [(&str, &[(&str, &str)]); 77] = [
    ("join", &[("service", "EEEEx")]),
    ("leave", &[("service", "EEEE.")]),
    ("return", &[("service", ".....")]),
    ("host leaves", &[("service", ".....")]),
    ("host returns", &[("service", "EEEE.")]),
    ("start game", &[("host", "Epppp")]),
    ("release question 1", &[("host", "p.ppp")]),
    ("release question 2", &[("host", "pEppp")]),
    ("close question 1", &[("host", "pEppp")]),
    ("close question 2", &[("host", "puppp")]),
    ("close when answered", &[("host", "EEEEp")]),
    ("set the same options", &[("host", ".pppp")]),
    ("set other options", &[("host", "Epppp")]),
    ("end round", &[("host", "pEppp")]),
    ("override", &[("host", "ppEpp")]),
    ("mark answers", &[("host", "ppEpp")]),
    ("mark answers that were not given", &[("host", "pp.pp")]),
    ("accept answer", &[("host", "pEEpp")]),
    ("accept an answer that no one gave", &[("host", "pEEpp")]),
    ("open desk", &[("host", "p..pp")]),
    ("correct marks", &[("host", "puuEp")]),
    ("correct players", &[("host", "puuEp")]),
    ("adjust points", &[("host", "pEEEp")]),
    ("adjust no points", &[("host", "p...p")]),
    ("undo points that were not given", &[("host", "p...p")]),
    ("appeal", &[("player", "puu.p")]),
    ("dismiss appeal", &[("host", "puu.p")]),
    ("undo marking", &[("host", "p..pp")]),
    ("release scores", &[("host", "ppEpp")]),
    ("release own scores", &[("host", "ppEpp")]),
    ("show standings", &[("host", "ppp.p")]),
    ("start next round", &[("host", "pppEp")]),
    ("end game", &[("host", "pppEp")]),
    ("take a step that is not the next", &[("host", ".....")]),
    ("submit the same", &[("player", "p.ppp")]),
    ("submit another", &[("player", "pEppp")]),
    ("remove", &[("host", "EEEEp"), ("service", "EEEEE")]),
    ("ban", &[("host", "EEEEp")]),
    ("lock", &[("host", "EEEEp"), ("service", "EEEEE")]),
    ("set timer", &[("host", "pEppp")]),
    ("add time", &[("host", "p.ppp")]),
    ("hold timers", &[("host", "p.ppp")]),
    ("resume timers", &[("host", "p.ppp")]),
    ("start autopilot", &[("host", "pEEEp")]),
    ("stop autopilot", &[("host", "p...p")]),
    ("mark timers", &[("service", ".....")]),
    ("expire", &[("service", ".....")]),
    ("close", &[("service", "EEEEE")]),
    ("set extra time", &[("host", "EEEEp")]),
    ("set no extra time", &[("host", "....p")]),
    ("show the tally of a question that is marked", &[("host", "puuup")]),
    ("reveal answer", &[("host", "ppEEp")]),
    ("start break", &[("host", "EpEEp")]),
    ("end break", &[("host", ".p..p")]),
    ("play joker", &[("player", "....p")]),
    ("add screen", &[("host", "EEEEE")]),
    ("remove a screen that is not there", &[("host", ".....")]),
    ("add a co-host", &[("host", "EEEEp")]),
    ("remove a co-host who is not there", &[("host", ".....")]),
    ("issue a seat code", &[("host", "EEEEE"), ("service", "EEEEE")]),
    ("move a seat that has no code", &[("service", "sssss")]),
    ("show on screens", &[("host", "EEEEE")]),
    ("tie-break", &[("host", "pppEp")]),
    ("answer tie-break", &[("player", "....p")]),
    ("end tie-break", &[("host", "ppp.p")]),
    ("edit a text", &[("host", "EEEEp")]),
    ("edit to the same text", &[("host", "....p")]),
    ("withdraw question 1", &[("host", "pEEEp")]),
    ("withdraw question 2", &[("host", "puuup")]),
    ("rename", &[("host", "EEEEp")]),
    ("rename to the same", &[("host", "....p")]),
    ("add a phone", &[("service", "ttttx")]),
    ("remove a phone of no team", &[("host", "kkkkk"), ("service", "kkkkk")]),
    ("suggest an answer", &[("player", "prppp")]),
    ("add a seat", &[("host", "EEEEp")]),
    ("enter an answer", &[("host", "pkkpp")]),
    ("enter an answer to question 2", &[("host", "puupp")]),
];

fn actors() -> [(&'static str, Actor); 3] {
    [("host", Actor::Host), ("player", Actor::Player(player(1))), ("service", Actor::Service)]
}

fn outcome(game: &mut Game, actor: Actor, command: &Command) -> char {
    match game.ask(actor, command) {
        // What reads the command has to read the event as well.
        Ok(Some(event)) => {
            assert!(event.change.row().since <= command.row().since, "{command:?}");
            'E'
        }
        Ok(None) => '.',
        Err(Refusal::WrongPhase) => 'p',
        Err(Refusal::WrongRole) => 'r',
        Err(Refusal::UnknownQuestion) => 'u',
        Err(Refusal::UnknownPlayer) => 'k',
        Err(Refusal::Ended) => 'x',
        Err(Refusal::UnknownSeatCode) => 's',
        Err(Refusal::NoTeams) => 't',
        Err(other) => panic!("{command:?} by {actor:?}: {other}"),
    }
}

#[test]
fn every_command_by_every_actor_in_every_phase() {
    let mut cells = 0;
    for (name, rows) in TABLE {
        for (actor_name, actor) in actors() {
            let expected = rows.iter().find(|(who, _)| *who == actor_name).map_or("rrrrr", |(_, row)| row);
            let games = Phase::ALL.map(Game::in_phase);
            let found: String = games.into_iter().map(|mut game| outcome(&mut game, actor, &command(name))).collect();
            assert_eq!(found, expected, "{name} by {actor_name}");
            cells += found.len();
        }
    }
    assert_eq!(cells, TABLE.len() * 3 * 5);
}

/// A new command must be added here as well.
#[test]
fn every_command_is_in_the_table() {
    let name = |(name, _): &(&str, _)| match serde_json::to_value(command(name)).unwrap() {
        Value::String(kind) => kind,
        tagged => tagged.as_object().unwrap().keys().next().unwrap().clone(),
    };
    assert_eq!(TABLE.iter().map(name).collect::<BTreeSet<_>>(), variants::<Command>(r#""?""#));
    let newest = TABLE.iter().map(|(name, _)| command(name).row().since).max();
    assert!(newest <= Some(LOG_VERSION));
}

#[test]
fn a_closed_game_refuses_everything_but_closing_it_again() {
    for phase in Phase::ALL {
        for (name, _) in TABLE {
            for (who, actor) in actors() {
                let mut game = Game::in_phase(phase);
                game.service(Command::Close);
                let expected = if name == "close" { Ok(None) } else { Err(Refusal::Closed) };
                assert_eq!(game.ask(actor, &command(name)), expected, "{name} by {who} in {phase}");
            }
        }
    }
}

#[test]
fn a_command_that_is_refused_or_has_no_effect_changes_nothing() {
    for phase in Phase::ALL {
        for (name, _) in TABLE {
            for (who, actor) in actors() {
                let mut game = Game::in_phase(phase);
                let before = game.state.clone();
                let changes = matches!(game.ask(actor, &command(name)), Ok(Some(_)));
                assert_eq!(game.state != before, changes, "{name} by {who} in {phase}");
            }
        }
    }
}

fn command(name: &str) -> Command {
    match name {
        "join" => Command::Join(join(9, "Zoe").into()),
        "leave" => Command::Leave { player: player(1), device: Device::FIRST },
        "return" => Command::Return { player: player(1), device: Device::FIRST },
        "start game" => Command::StartGame,
        "release question 1" => release(1),
        "release question 2" => release(2),
        "close question 1" => Command::CloseQuestion { question: question(1) },
        "close question 2" => Command::CloseQuestion { question: question(2) },
        "close when answered" => Command::SetCloseWhenAnswered { on: true },
        "set the same options" => Command::SetOptions(PlayOptions::default().into()),
        "set other options" => Command::SetOptions(PlayOptions { mark_later: true, ..PlayOptions::default() }.into()),
        "end round" => Command::EndRound,
        "override" => overrule(2, 1, true),
        "host leaves" => Command::HostLeave,
        "host returns" => Command::HostReturn,
        "mark answers" => mark_all(1, &["wrong", "never given"], true),
        "mark answers that were not given" => mark_all(1, &["never given"], true),
        "accept answer" => accept(1, "Wrong!", true),
        "accept an answer that no one gave" => accept(1, "never given", false),
        "open desk" => Command::OpenDesk { open: true },
        "correct marks" => correct_marks(1, &["wrong", "never given"], true),
        "correct players" => credit(1, &[1], false),
        "appeal" => Command::Appeal { question: question(1), text: None },
        "dismiss appeal" => Command::DismissAppeal { player: player(1), question: question(1) },
        "undo marking" => Command::UndoMarking,
        "release scores" => Command::ReleaseScores,
        "release own scores" => Command::ReleaseOwnScores,
        "show standings" => Command::ShowStandings,
        "start next round" => Command::StartNextRound,
        "end game" => Command::EndGame,
        "take a step that is not the next" => Command::Next { number: 0 },
        "submit the same" => submit(1, "right"),
        "submit another" => submit(1, "else"),
        "remove" => Command::Remove { player: player(2) },
        "lock" => Command::Set(Setting::Locked(true)),
        "set timer" => Command::SetTimer(TimeLeft { question: Some(question(1)), ms: 30_000 }),
        "add time" => Command::AddTime(TimeLeft { question: Some(question(1)), ms: 10_000 }),
        "hold timers" => Command::HoldTimers { held: true },
        "resume timers" => Command::HoldTimers { held: false },
        "start autopilot" => Command::SetAutopilot(Some(PLAN)),
        "stop autopilot" => Command::SetAutopilot(None),
        "mark timers" => Command::MarkTimers,
        "expire" => Command::Expire(Expiry { question: Some(question(1)), generation: 1, is_step: false }),
        "close" => Command::Close,
        "ban" => Command::Ban { player: player(2) },
        "set extra time" => Command::SetExtraTime { player: player(2), percent: 150 },
        "set no extra time" => Command::SetExtraTime { player: player(2), percent: 100 },
        "show the tally of a question that is marked" => tally(1),
        "reveal answer" => Command::RevealAnswer { question: question(1) },
        "start break" => Command::StartBreak { ms: 60_000, text: None },
        "end break" => Command::EndBreak,
        "play joker" => Command::PlayJoker,
        "add screen" => add_screen(1),
        "remove a screen that is not there" => Command::RemoveScreen { screen: screen(9) },
        "show on screens" => show(Some(Slide::Winner)),
        "tie-break" => Command::TieBreak(TieQuestion { players: vec![player(1)], text: "?".into(), answer: 1 }.into()),
        "answer tie-break" => Command::AnswerTieBreak { answer: 1 },
        "end tie-break" => Command::EndTieBreak,
        "edit a text" => edit(1, "What?"),
        "edit to the same text" => edit(1, "Question 1?"),
        "withdraw question 1" => Command::WithdrawQuestion { question: question(1) },
        "withdraw question 2" => Command::WithdrawQuestion { question: question(2) },
        "rename" => Command::RenamePlayer { player: player(2), name: "Rob".into() },
        "rename to the same" => Command::RenamePlayer { player: player(2), name: "Bob".into() },
        "add a phone" => phone(1, "Cem"),
        "suggest an answer" => suggest(1, "right"),
        _ => on_paper(name).unwrap_or_else(|| of_tokens(name)),
    }
}

fn on_paper(name: &str) -> Option<Command> {
    Some(match name {
        "adjust points" => adjust(player(2), -5),
        "adjust no points" => adjust(player(2), 0),
        "undo points that were not given" => undo_adjustment(1),
        "add a seat" => add_seat("Zoe"),
        "enter an answer" => enter(player(1), 1, "right"),
        "enter an answer to question 2" => enter(player(1), 2, "right"),
        _ => return None,
    })
}

fn tally(number: u8) -> Command {
    Command::ShowTally { question: question(number), hidden: std::iter::empty::<String>().collect() }
}

fn of_tokens(name: &str) -> Command {
    match name {
        "add a co-host" => add(1, HostRole::Host),
        "remove a co-host who is not there" => Command::RemoveCoHost { co_host: co_host_id(9) },
        "issue a seat code" => issue(1, 0),
        "move a seat that has no code" => take(9, 0),
        "remove a phone of no team" => Command::RemovePhone { player: player(1), device: Device::FIRST },
        _ => panic!("no command {name}"),
    }
}
