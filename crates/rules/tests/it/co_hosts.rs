//! Co-hosts: their tokens, the commands of each role, ids of their own, and markings that each undoes separately.

use std::collections::BTreeMap;

use quizhall_rules::{
    Actor, Change, CoHost, CoHostId, Command, CommandId, Device, DisplayName, HostRole, Phase, Refusal, Setting, State,
    decide,
};
use uuid::Uuid;

use crate::stage::{
    Game, accept, adjust, command_id, correct_marks, from, mark_all, overrule, player, question, quiz, release, token,
    undo_adjustment,
};

const ROLES: [HostRole; 3] = [HostRole::Host, HostRole::Marker, HostRole::Moderator];

pub fn co_host_id(number: u8) -> CoHostId {
    Uuid::from_u128(0x0c00 + u128::from(number)).into()
}

pub fn co_host(number: u8, role: HostRole) -> CoHost {
    let label = DisplayName::parse(&format!("Helper {number}")).unwrap();
    CoHost { id: co_host_id(number), role, label, token: token(number), at_ms: 1_000 }
}

pub fn add(number: u8, role: HostRole) -> Command {
    Command::AddCoHost(co_host(number, role).into())
}

/// Question 1 is answered by 1 "right", 2 "wrong", 3 "wrong", 4 "other"; one co-host of each role.
fn with_helpers() -> Game {
    let mut game = Game::new(quiz(2, 2));
    for (number, name) in [(1, "Ann"), (2, "Bob"), (3, "Cleo"), (4, "Dan")] {
        game.joins(number, name);
    }
    for (number, role) in (1..).zip(ROLES) {
        game.host(add(number, role));
    }
    game.host(Command::StartGame);
    game.host(release(1));
    for (number, answer) in [(1, "right"), (2, "wrong"), (3, "wrong"), (4, "other")] {
        game.answers(number, 1, answer);
    }
    game
}

fn over(device: u8) -> Actor {
    Actor::CoHost(Device(device))
}

fn refusal(game: &Game, actor: Actor, command: &Command) -> Option<Refusal> {
    decide(&game.state, from(actor), command).err()
}

fn counting(state: &State) -> Vec<u8> {
    let counts =
        |number: &u8| state.answer_of(player(*number), question(1)).is_some_and(quizhall_rules::Answer::correct);
    (1..=4).filter(counts).collect()
}

#[test]
fn a_co_host_is_found_by_the_token_until_removed_and_numbers_never_move() {
    let mut game = Game::in_phase(Phase::Question);
    game.host(add(1, HostRole::Marker));
    assert_eq!(game.host(add(2, HostRole::Host)), Change::CoHostAdded(co_host(2, HostRole::Host).into()));
    assert_eq!(game.ask(Actor::Host, &add(2, HostRole::Host)), Ok(None), "a repeated request");
    assert_eq!(game.state.co_hosts().by_token(&token(2)), Some(Device(2)));
    let removed = game.host(Command::RemoveCoHost { co_host: co_host_id(1) });
    assert_eq!(removed, Change::CoHostRemoved { device: Device(1) });
    assert_eq!(game.ask(Actor::Host, &Command::RemoveCoHost { co_host: co_host_id(1) }), Ok(None));
    assert_eq!((game.state.co_hosts().by_token(&token(1)), game.state.co_hosts().role(Device(1))), (None, None));
    assert_eq!(game.state.co_hosts().by_token(&token(2)), Some(Device(2)));
    game.host(add(3, HostRole::Moderator));
    assert_eq!(game.state.co_hosts().device_of(co_host_id(3)), Some(Device(3)));
    assert_eq!(
        game.state.co_hosts().label(Device(1)).unwrap().as_str(),
        "Helper 1",
        "the results still name who marked"
    );
    for unknown in [1, 4, 255] {
        assert_eq!(game.ask(over(unknown), &release(2)), Err(Refusal::WrongRole), "device {unknown}");
    }
    assert!(State::replay(&game.log).unwrap() == game.state);
}

#[test]
fn a_game_has_ten_co_hosts() {
    let mut game = Game::in_phase(Phase::Lobby);
    (1..=10).for_each(|number| _ = game.host(add(number, HostRole::Marker)));
    assert_eq!(game.ask(Actor::Host, &add(11, HostRole::Marker)), Err(Refusal::TooManyCoHosts));
    game.host(Command::RemoveCoHost { co_host: co_host_id(4) });
    game.host(add(11, HostRole::Marker));
}

/// Every command that a host's socket can send, with the roles that may send it.
#[test]
fn each_role_sends_its_own_messages() {
    use HostRole::{Host, Marker, Moderator};
    let text = || std::iter::once("wrong".to_owned()).collect();
    let (wrong, who) = (question(1), player(2));
    let renamed = Command::RenamePlayer { player: who, name: "Rob".to_owned() };
    let reviewed: [(Command, &[HostRole]); 11] = [
        (overrule(2, 1, true), &[Host, Marker]),
        (mark_all(1, &["wrong"], true), &[Host, Marker]),
        (accept(1, "wrong", true), &[Host, Marker]),
        (Command::OpenDesk { open: true }, &[Host, Marker]),
        (Command::UndoMarking, &[Host, Marker]),
        (Command::Set(Setting::Locked(true)), &[Host, Moderator]),
        (Command::Remove { player: who }, &[Host, Moderator]),
        (Command::Ban { player: who }, &[Host, Moderator]),
        (renamed, &[Host, Moderator]),
        (Command::ReleaseScores, &[Host]),
        (Command::RevealAnswer { question: wrong }, &[Host]),
    ];
    let mut review = with_helpers();
    review.host(Command::EndRound);
    let mut board = with_helpers();
    for step in [Command::EndRound, Command::ReleaseScores] {
        board.host(step);
    }
    let shown: [(Command, &[HostRole]); 6] = [
        (adjust(who, 5), &[Host]),
        (undo_adjustment(1), &[Host]),
        (correct_marks(1, &["wrong"], true), &[Host, Marker]),
        (Command::CorrectMarks { question: wrong, texts: text(), correct: true, half: false }, &[Host, Marker]),
        (Command::StartNextRound, &[Host]),
        (Command::WithdrawQuestion { question: wrong }, &[Host]),
    ];
    let cases = reviewed.iter().map(|case| (&review, case)).chain(shown.iter().map(|case| (&board, case)));
    for (game, (command, roles)) in cases {
        for (device, role) in (1..).zip(ROLES) {
            let refused = refusal(game, over(device), command) == Some(Refusal::WrongRole);
            assert_eq!(refused, !roles.contains(&role), "{role:?} sends {command:?}");
        }
    }
    for device in 1..=3 {
        assert_eq!(refusal(&review, over(device), &add(9, Host)), Some(Refusal::WrongRole), "only the host invites");
        let late = refusal(&review, over(device), &release(2));
        assert_eq!(late, Some(Refusal::WrongPhase), "the phase is checked before the role");
    }
}

#[test]
fn each_device_of_the_host_has_ids_of_its_own() {
    let mut game = with_helpers();
    let event = game.decided_with_id(over(1), Some(command_id(9, 1)), &release(2)).unwrap().unwrap();
    assert_eq!((event.host, event.command_id), (Device(1), Some(command_id(9, 1))));
    let stored = serde_json::to_string(&event).unwrap();
    assert!(stored.ends_with(r#""s":[9,1],"h":1}"#), "{stored}");
    assert_eq!(serde_json::from_str::<quizhall_rules::Event>(&stored).unwrap(), event);
    assert!(game.decided_with_id(Actor::Host, Some(command_id(4, 1)), &Command::EndRound).unwrap().is_some());
    assert_eq!(game.state.last_host_command(Device(1)), Some(command_id(9, 1)));
    assert_eq!(game.state.last_host_command(Device::FIRST), Some(command_id(4, 1)));
    let older: Option<CommandId> = Some(command_id(8, 5));
    assert_eq!(game.decided_with_id(over(1), older, &Command::ReleaseScores), Err(Refusal::Superseded));
}

/// Both mark the same answer, one after the other: undoing the marker's marking does not affect later ones.
#[test]
fn a_marker_takes_back_the_own_markings_and_what_was_marked_since_stays() {
    let mut game = with_helpers();
    game.host(Command::EndRound);
    let marker = over(2);
    assert_eq!(game.ask(marker, &Command::UndoMarking), Ok(None));
    game.must(marker, &mark_all(1, &["wrong"], true));
    game.host(overrule(2, 1, false));
    game.host(overrule(4, 1, true));
    assert_eq!(counting(&game.state), [1, 3, 4]);
    assert_eq!(game.state.answer_of(player(3), question(1)).unwrap().marker, Device(2));
    assert_eq!((game.state.undoable(None), game.state.undoable(Some(Device(2)))), (3, 1));
    let undone = game.must(marker, &Command::UndoMarking);
    assert_eq!(undone, Change::MarkingUndone { of: Some(Device(2)) });
    assert_eq!(counting(&game.state), [1, 4]);
    assert_eq!(game.ask(marker, &Command::UndoMarking), Ok(None), "a marker cannot undo the host's markings");
    game.host(Command::UndoMarking);
    game.host(Command::UndoMarking);
    assert_eq!(counting(&game.state), [1], "undoing the host's markings restores the state before the marker's");
    assert!(State::replay(&game.log).unwrap() == game.state);
}

#[test]
fn a_marker_takes_back_the_own_change_of_the_key() {
    let mut game = with_helpers();
    game.must(over(2), &accept(1, "wrong", true));
    game.host(accept(1, "other", true));
    game.host(accept(1, "wrong", false));
    assert_eq!(counting(&game.state), [1, 4]);
    game.must(over(2), &Command::UndoMarking);
    assert_eq!(counting(&game.state), [1, 4], "the host has changed the same text since");
    game.host(Command::UndoMarking);
    assert_eq!(counting(&game.state), [1, 4], "the text had no ruling before both changes");
    game.host(Command::UndoMarking);
    assert_eq!(counting(&game.state), [1]);
}

/// Markings of three devices in any order, undone in any order, compared with a stack of marks for each answer.
#[test]
fn any_mixture_of_markings_and_undos_is_what_a_pile_of_marks_for_each_answer_says() {
    let mut seed = 7_u64;
    let mut dice = |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    for _ in 0..200 {
        let mut game = with_helpers();
        game.host(add(4, HostRole::Marker));
        game.host(Command::EndRound);
        // The number and the mark of each marking, by player.
        let mut piles: BTreeMap<u8, Vec<(usize, bool)>> = (1..=4).map(|number| (number, Vec::new())).collect();
        let mut markings: Vec<(usize, Actor)> = Vec::new();
        for number in 0..30 {
            let actor = [Actor::Host, over(2), over(4)][usize::try_from(dice(3)).unwrap()];
            if dice(3) == 0 {
                let own = |(_, by): &&(usize, Actor)| actor == Actor::Host || *by == actor;
                let latest = markings.iter().rev().find(own).map(|(number, _)| *number);
                let change = game.ask(actor, &Command::UndoMarking).unwrap();
                assert_eq!(change.is_some(), latest.is_some());
                if let Some(latest) = latest {
                    markings.retain(|(number, _)| *number != latest);
                    for pile in piles.values_mut() {
                        pile.retain(|(number, _)| *number != latest);
                    }
                }
            } else {
                let (correct, group) = (dice(2) == 0, dice(2) == 0);
                let who = u8::try_from(dice(4) + 1).unwrap();
                let named: Vec<u8> = if group { vec![2, 3] } else { vec![who] };
                let before = counting(&game.state);
                let touched: Vec<u8> = named.into_iter().filter(|who| before.contains(who) != correct).collect();
                let command = if group { mark_all(1, &["wrong"], correct) } else { overrule(who, 1, correct) };
                let change = game.ask(actor, &command).unwrap();
                assert_eq!(change.is_some(), !touched.is_empty());
                for who in &touched {
                    piles.get_mut(who).unwrap().push((number, correct));
                }
                if change.is_some() {
                    markings.push((number, actor));
                }
            }
            let counts = |(who, pile): (&u8, &Vec<(usize, bool)>)| {
                pile.last().map_or(*who == 1, |(_, correct)| *correct).then_some(*who)
            };
            assert_eq!(counting(&game.state), piles.iter().filter_map(counts).collect::<Vec<_>>());
        }
        assert!(State::replay(&game.log).unwrap() == game.state);
    }
}
