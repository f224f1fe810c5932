//! Messages that are coalesced, cut and split when a game is big (messages.md#big-games).

use std::time::Duration;

use quizhall_engine::wire::Recipient;
use quizhall_engine::{ConnectionId, Dialect, EdgeEffect, FrameKind, Participant, wire};
use quizhall_protocol::shapes::LeaderboardEntry;
use quizhall_protocol::{Role, ServerMessage, ToAll, ToHost, ToPlayer, frame, read_server_message};
use quizhall_rules::{Change, Event, State};

use crate::rim::Rim;
use crate::stage::{answered, as_player, asking, event, joined, lobby, plain, player, question, synced};

fn lists(effects: &[EdgeEffect]) -> usize {
    let is_list =
        |effect: &&EdgeEffect| matches!(effect, EdgeEffect::Broadcast(_, FrameKind::Replace(wire::LOBBY_KEY)));
    effects.iter().filter(is_list).count()
}

fn read(bytes: &bytes::Bytes, role: Role) -> ServerMessage {
    let text = frame::payload(bytes);
    read_server_message(std::str::from_utf8(&text).unwrap(), role).unwrap().unwrap()
}

/// Two joins at the same time: the second is shown at once, or after the pause for this size.
#[test]
fn lobby_lists_are_paced_by_the_size_of_the_lobby() {
    for (players, pause) in [(198, 0), (199, 0), (200, 250), (1_998, 250), (2_000, 1_000), (20_000, 2_000)] {
        let mut rim = Rim::at(lobby(players));
        rim.attach(1, Participant::Host);
        rim.taken();
        rim.now = Duration::from_secs(1);
        rim.commit(vec![joined(players + 1)]);
        assert_eq!(lists(&rim.taken()), 1, "the first is sent at once");
        rim.commit(vec![joined(players + 2)]);
        let wait = Duration::from_millis(pause);
        assert_eq!(lists(&rim.taken()), usize::from(pause == 0), "the second with {players} players");
        if pause > 0 {
            assert_eq!(rim.edge.next_deadline(), Some(rim.now + wait), "at {players}");
            assert_eq!(lists(&rim.tick_at(Duration::from_secs(1) + wait)), 1, "the last state is always sent");
        }
    }
}

#[test]
fn a_huge_lobby_is_cut_to_its_newest() {
    let ServerMessage::All(ToAll::LobbyUpdate(whole)) = read(&plain(&wire::lobby_update(&lobby(2_000))), Role::Host)
    else {
        panic!("not a list")
    };
    assert_eq!((whole.players.len(), whole.total), (2_000, None));
    let ServerMessage::All(ToAll::LobbyUpdate(cut)) = read(&plain(&wire::lobby_update(&lobby(2_001))), Role::Host)
    else {
        panic!("not a list")
    };
    assert_eq!((cut.players.len(), cut.total), (100, Some(2_001)));
    assert_eq!(cut.players[99].id, player(2_001).uuid());
}

fn counts(effects: &[EdgeEffect]) -> Vec<u32> {
    let count = |effect: &EdgeEffect| match effect {
        EdgeEffect::Send(_, bytes, FrameKind::Replace(_)) => match read(bytes, Role::Host) {
            ServerMessage::Host(ToHost::ScoreboardUpdate(count)) => Some(count.answer_count),
            _ => None,
        },
        _ => None,
    };
    effects.iter().filter_map(count).collect()
}

#[test]
fn counts_are_at_most_twenty_a_second_and_the_last_one_goes_out() {
    let mut rim = Rim::at(asking(1_000));
    rim.attach(1, Participant::Host);
    rim.taken();
    let mut received = Vec::new();
    for number in 1..=1_000 {
        rim.now = Duration::from_millis(1_000 + number);
        rim.commit(vec![answered(number, 1, "x")]);
        received.extend(counts(&rim.taken()));
    }
    assert!(received.len() <= 21, "{} in a second", received.len());
    let due = rim.edge.next_deadline().unwrap();
    received.extend(counts(&rim.tick_at(due)));
    assert_eq!(received.last(), Some(&1_000));
}

#[test]
fn a_pending_count_survives_a_gap_and_comes_before_the_end_of_the_round() {
    let mut rim = Rim::at(asking(3));
    rim.attach(1, Participant::Host);
    rim.now = Duration::from_secs(1);
    rim.commit(vec![answered(1, 1, "x")]).commit(vec![answered(2, 1, "x")]);
    assert_eq!(counts(&rim.taken()), [1], "the second is paced");
    let mut state = rim.edge.state().unwrap().clone();
    state.apply(&joined(4));
    rim.seq += 1;
    let seq = rim.seq;
    rim.catch_up(seq, state);
    rim.commit(vec![event(Change::RoundEnded)]);
    assert_eq!(counts(&rim.taken()), [2]);
}

#[test]
fn the_count_follows_when_a_player_is_removed() {
    let mut rim = Rim::at(asking(2));
    rim.attach(1, Participant::Host);
    rim.commit(vec![answered(1, 1, "x"), answered(2, 1, "x")]).taken();
    rim.now = Duration::from_secs(1);
    rim.commit(vec![event(Change::PlayerRemoved { player: player(1), banned: false })]);
    assert_eq!(counts(&rim.taken()), [1]);
}

/// A game with released scores in which player 1 is last.
fn scored(players: u64) -> State {
    let mut state = asking(players);
    for number in 2..=players {
        state.apply(&answered(number, 1, "key1"));
    }
    for change in [Change::RoundEnded, Change::ScoresReleased { held: false }] {
        state.apply(&event(change));
    }
    state
}

#[test]
fn a_big_board_is_its_top_and_ones_own_entry() {
    for (dialect, players, shown, own) in [
        (Dialect::Interface, 200, 200, 200),
        (Dialect::Interface, 201, 100, 101),
        (Dialect::QuizhallV1, 20, 20, 20),
        (Dialect::QuizhallV1, 21, 10, 13),
    ] {
        let state = scored(players);
        let boards = wire::Boards::new(&state);
        let part_of = |number| {
            let board = read(&boards.frame_for(&state, player(number), dialect), Role::Player);
            let ServerMessage::Player(ToPlayer::ScoreboardUpdate(mine)) = board else { panic!("not a board") };
            mine
        };
        let ServerMessage::All(ToAll::RoundLeaderboard(board)) =
            read(wire::round_leaderboard(&state).of(as_player(1).recipient(dialect)).unwrap(), Role::Player)
        else {
            panic!("not a board")
        };
        let total = (dialect == Dialect::QuizhallV1 && players == 21).then_some(21);
        assert_eq!((board.leaderboard.len(), board.total), (shown, total));
        let mine = part_of(1);
        assert_eq!((mine.leaderboard.len(), mine.total), (own, total), "of {players}");
        let last = mine.leaderboard.last().unwrap();
        assert_eq!((last.player_id, u64::from(last.rank)), (player(1).uuid(), players));
        let first = &state.board().standings[0];
        let first = (1..=players).find(|number| player(*number) == first.player).unwrap();
        assert_eq!(part_of(first).leaderboard.len(), shown, "the first is in the top");
    }
}

/// The places of the entries in the part of a board of 40 that one player with the extension is sent.
fn places_for(state: &State, number: u64) -> Vec<usize> {
    let board = read(&wire::Boards::new(state).frame_for(state, player(number), Dialect::QuizhallV1), Role::Player);
    let ServerMessage::Player(ToPlayer::ScoreboardUpdate(mine)) = board else { panic!("not a board") };
    let place = |entry: &LeaderboardEntry| {
        let standings = &state.board().standings;
        standings.iter().position(|standing| standing.player.uuid() == entry.player_id).unwrap()
    };
    mine.leaderboard.iter().map(place).collect()
}

#[test]
fn a_player_over_the_extension_is_shown_the_places_around_their_own() {
    let state = scored(40);
    for standing in state.board().standings.iter() {
        let own = state.board().place_of(standing.player).unwrap();
        let number = (1..=40).find(|number| player(*number) == standing.player).unwrap();
        let expected: Vec<usize> = (0..40_usize).filter(|place| *place < 10 || place.abs_diff(own) <= 2).collect();
        assert_eq!(places_for(&state, number), expected);
    }
    assert_eq!(
        places_for(&state, 99),
        (0..10).collect::<Vec<_>>(),
        "a player who is not on the board is shown the top"
    );
}

#[test]
fn the_hosts_board_is_no_shorter_over_the_extension() {
    let state = scored(200);
    for message in [wire::round_leaderboard(&state), wire::game_ended(&state)] {
        assert_eq!(message.of(Recipient::Host), message.of(Recipient::Plain));
        assert_ne!(message.of(Recipient::Player), message.of(Recipient::Plain));
    }
}

#[test]
fn a_player_who_returns_to_the_end_of_a_big_game_is_sent_the_own_place() {
    for (players, dialect, sent) in
        [(21, Dialect::QuizhallV1, 2), (20, Dialect::QuizhallV1, 1), (300, Dialect::Interface, 1)]
    {
        let mut state = scored(players);
        state.apply(&event(Change::Ended));
        let frames = synced(&state, as_player(1), dialect);
        let boards = frames.iter().filter(|frame| frame::payload(frame).windows(11).any(|some| some == b"leaderboard"));
        assert_eq!(boards.count(), sent, "{players} over {dialect:?}");
    }
}

#[test]
fn a_big_review_comes_in_parts() {
    let mut state = asking(2_001);
    for number in 1..=2_001 {
        state.apply(&answered(number, 1, "x"));
    }
    state.apply(&event(Change::RoundEnded));
    let parts: Vec<_> = wire::round_review(&state, Dialect::Interface)
        .iter()
        .map(|bytes| match read(bytes, Role::Host) {
            ServerMessage::Host(ToHost::RoundReview(review)) => (review.answers.len(), review.part, review.parts),
            other => panic!("not a review: {other:?}"),
        })
        .collect();
    assert_eq!(parts, [(1_000, Some(1), Some(3)), (1_000, Some(2), Some(3)), (1, Some(3), Some(3))]);
}

#[test]
fn scores_are_available_only_until_the_next_change() {
    let mut rim = Rim::at(asking(1));
    rim.attach(1, as_player(1));
    rim.taken();
    assert!(rim.edge.scores(ConnectionId(1), player(1), wire::Scores::Whole).is_none());
    let events: Vec<Event> = [Change::RoundEnded, Change::ScoresReleased { held: false }].map(event).to_vec();
    let out = rim.commit(events).taken();
    assert!(out.iter().any(|effect| matches!(effect, EdgeEffect::SendScores(_, players) if players.len() == 1)));
    assert!(rim.edge.scores(ConnectionId(1), player(1), wire::Scores::Whole).is_some());
    rim.commit(vec![event(Change::Ended)]);
    assert!(rim.edge.scores(ConnectionId(1), player(1), wire::Scores::Whole).is_none());
    assert!(rim.edge.state().unwrap().question(question(2)).is_some());
}
