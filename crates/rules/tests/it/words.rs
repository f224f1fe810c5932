//! Every sequence of up to seven commands with two players and two rounds of two questions: all reachable states, each checked once
//! for what must always hold. `make sim` uses sequences of nine; each further command makes five times as many. And every sequence
//! of up to ten commands with a team of two phones and another player.

use std::collections::HashSet;
use std::env;
use std::hash::{DefaultHasher, Hash, Hasher};

use quizhall_rules::{Actor, Change, Command, Event, Phase, State, Teams, decide};

use crate::model::{Model, Rules};
use crate::side_by_side::{What, Who, actor, command, difference, speaker};
use crate::stage::{Game, from, question, quiz};

/// The greatest length of sequences in a long run.
const LONGEST: &str = "QUIZHALL_LONGEST_WORD";
/// Without the last one: as long as these sequences are, it can do what the third can.
const QUESTIONS: [u8; 3] = [1, 2, 3];

#[test]
fn every_word_up_to_the_longest() {
    let longest = env::var(LONGEST).map_or(7, |longest| longest.parse::<usize>().unwrap());
    let seen = walk(start(), alphabet(), longest);
    assert!(seen > 1_000, "the walk stopped early: {seen} states");
}

#[test]
fn every_word_of_a_team() {
    let longest = 3 + env::var(LONGEST).map_or(7, |longest| longest.parse::<usize>().unwrap());
    for captain_only in [false, true] {
        let seen = walk(start_of_team(captain_only), alphabet_of_team(), longest);
        assert!(seen > 1_000, "the walk stopped early: {seen} states");
    }
}

/// The number of states that can be reached from `start`.
fn walk(start: (State, Model), alphabet: Vec<(Who, What)>, longest: usize) -> usize {
    let letters: Vec<_> = alphabet.into_iter().map(|(who, what)| (who, what, actor(who), command(what))).collect();
    let mut seen = HashSet::from([fingerprint(&start.0)]);
    let mut frontier = vec![start];
    let mut moves = 0_usize;
    for _ in 0..longest {
        let mut next = Vec::new();
        for (state, model) in &frontier {
            for (who, what, actor, command) in &letters {
                moves += 1;
                let mut model = model.clone();
                let expected = model.ask(*who, None, *what);
                let verdict = decide(state, from(*actor), command);
                let found = verdict.as_ref().map(Option::is_some).map_err(|refusal| format!("{refusal:?}"));
                assert_eq!(found, expected.map_err(String::from), "{what:?} by {who:?} in {}", state.phase());
                let Ok(Some(event)) = verdict else { continue };
                let mut after = state.clone();
                after.apply(&event);
                check_move(state, &event, &after);
                if seen.insert(fingerprint(&after)) {
                    check_state(&after);
                    assert_eq!(difference(&after, &model, 2, 4), None, "after {what:?} by {who:?}");
                    next.push((after, model));
                }
            }
        }
        frontier = next;
    }
    eprintln!("{} states, {moves} moves", seen.len());
    seen.len()
}

/// Both players in the lobby.
fn start() -> (State, Model) {
    let mut model = Model::new(2, 2, false);
    for (id, name) in [(1, "Ann"), (2, "Bob")] {
        model.ask(Who::Service, None, What::Join { id, name, token: id, key: None, limit: 100, team: None }).unwrap();
    }
    (Game::of_two().state, model)
}

fn alphabet() -> Vec<(Who, What)> {
    let mut said = vec![
        What::Start,
        What::EndRound,
        What::Scores,
        What::OwnScores,
        What::Show,
        What::Undo,
        What::HostHere(true),
        What::Next,
        What::End,
        What::Lock(true),
        What::Lock(false),
        What::Close,
        What::Withdraw(1),
    ];
    said.extend(QUESTIONS.map(What::Release));
    said.extend(QUESTIONS.map(|number| What::MarkAll(number, &["wrong"], true)));
    let mut letters: Vec<_> = said.into_iter().map(|what| (speaker(what, 0), what)).collect();
    for id in [1, 2] {
        let mut said = vec![What::Leave(id, 0), What::Return(id, 0), What::Remove(id)];
        for number in QUESTIONS {
            said.extend(
                [("right", true), ("wrong", false)]
                    .into_iter()
                    .flat_map(|(answer, correct)| [What::Submit(number, answer), What::Override(id, number, correct)]),
            );
        }
        letters.extend(said.into_iter().map(|what| (speaker(what, id), what)));
    }
    letters
}

/// A team with a second phone, and another player.
fn start_of_team(captain_only: bool) -> (State, Model) {
    let mut model = Model::new(2, 2, false);
    model.teams = Some(Rules { phones: 2, captain_only });
    let mut game = Game::with_teams(quiz(2, 2), Some(Teams { devices: 2, captain_only }));
    let joins = [(1, "Larks", Some(1)), (2, "Bob", None)];
    let joins = joins.map(|(id, name, team)| What::Join { id, name, token: id, key: None, limit: 100, team });
    for what in joins.into_iter().chain([What::AddPhone { team: 1, phone: 1, name: "Cem", key: None }]) {
        model.ask(Who::Service, None, what).unwrap();
        game.service(command(what));
    }
    (game.state, model)
}

fn alphabet_of_team() -> Vec<(Who, What)> {
    let said =
        [What::Start, What::EndRound, What::Scores, What::Next, What::Remove(1), What::Release(1), What::Release(3)];
    let mut letters: Vec<_> = said.into_iter().map(|what| (Who::Host, what)).collect();
    for place in [0, 1] {
        letters.extend([What::Leave(1, place), What::Return(1, place)].map(|what| (Who::Service, what)));
        let who = if place == 0 { Who::Player(1) } else { Who::Phone(1, place) };
        let said =
            [What::Submit(1, "right"), What::Submit(1, "wrong"), What::Suggest(1, "right"), What::Suggest(3, "other")];
        letters.extend(said.map(|what| (who, what)));
    }
    letters.push((Who::Player(2), What::Submit(1, "right")));
    letters.push((Who::Service, What::AddPhone { team: 1, phone: 2, name: "Dov", key: None }));
    letters
}

/// Two independent hashes of the whole stored state: 128 bits, so that no two of a million states collide.
fn fingerprint(state: &State) -> (u64, u64) {
    let text = serde_json::to_string(state).unwrap();
    let hash = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        salt.hash(&mut hasher);
        text.hash(&mut hasher);
        hasher.finish()
    };
    (hash(1), hash(2))
}

/// Every event changes the game once: applied again, it changes nothing.
fn check_move(before: &State, event: &Event, after: &State) {
    assert!(before != after, "{event:?} changed nothing");
    let step = match event.change {
        Change::Started => (Phase::Lobby, Phase::Question),
        Change::RoundEnded => (Phase::Question, Phase::RoundReview),
        Change::ScoresReleased { .. } if before.are_standings_held() => (Phase::Leaderboard, Phase::Leaderboard),
        Change::ScoresReleased { .. } => (Phase::RoundReview, Phase::Leaderboard),
        Change::NextRoundStarted => (Phase::Leaderboard, Phase::Question),
        Change::Ended => (Phase::Leaderboard, Phase::Ended),
        _ => (before.phase(), before.phase()),
    };
    assert_eq!((before.phase(), after.phase()), step, "{event:?}");
    let rounds = usize::from(event.change == Change::NextRoundStarted);
    assert_eq!(after.round(), before.round() + rounds);
    let fewer = matches!(
        event.change,
        Change::PlayerRemoved { .. } | Change::NextRoundStarted | Change::MarkingUndone { of: None }
    );
    for number in QUESTIONS.map(question) {
        assert!(fewer || after.answer_count(number) >= before.answer_count(number), "{event:?}");
    }
    let again = match &event.change {
        Change::Answered { player, device, question, answer, .. } => {
            let answer = quizhall_rules::AnswerText::parse(answer).unwrap();
            decide(
                after,
                from(Actor::player_over(*player, *device)),
                &Command::SubmitAnswer { question: *question, answer, elapsed: None },
            )
        }
        Change::AnswerOverridden { player, question, correct } => {
            let (player, question, correct) = (*player, *question, *correct);
            decide(after, from(Actor::Host), &Command::OverrideAnswer { player, question, correct })
        }
        Change::QuestionReleased { question } => {
            decide(after, from(Actor::Host), &Command::ReleaseQuestion { question: *question })
        }
        Change::PlayerRemoved { player, .. } => decide(after, from(Actor::Host), &Command::Remove { player: *player }),
        _ => Ok(None),
    };
    assert!(again == Ok(None), "{event:?} again: {again:?}");
}

/// The properties of every state.
fn check_state(state: &State) {
    let review: Vec<_> = state.review().collect();
    for number in QUESTIONS.map(question) {
        let entries = review.iter().filter(|entry| entry.question.id == number).count();
        assert_eq!(state.answer_count(number), entries);
        assert!(entries == 0 || state.is_released(number));
    }
    let mut pairs = HashSet::new();
    assert!(review.iter().all(|entry| pairs.insert((entry.player.id, entry.question.id))), "an answer counts twice");
    assert_eq!(state.lobby().count(), state.present_count());
    assert_eq!(state.players().count(), state.player_count());
    assert_eq!(state.players().filter(|player| player.connected).count(), state.connected_count());
    assert!(state.players().all(|player| player.present || !player.connected), "connected, but not in the room");
    assert!(!state.are_standings_held() || state.phase() == Phase::Leaderboard, "held in {}", state.phase());
    check_scores(state);
    check_board(state);
    if state.phase() == Phase::Lobby {
        assert!(review.is_empty() && state.released().count() == 0 && state.board().standings.is_empty());
    }
}

/// The points on the board are those of the answers in released rounds, computed again from the history.
fn check_scores(state: &State) {
    for standing in state.board().standings.iter() {
        let of_player = |past: &quizhall_rules::PastAnswer<'_>| past.scored && past.player.id == standing.player;
        let score: i64 = state.all_answers().filter(of_player).map(|past| i64::from(past.earned.points)).sum();
        assert_eq!(standing.score, score);
        if matches!(state.phase(), Phase::Leaderboard | Phase::Ended) {
            assert_eq!(standing.round_score, state.results_of(standing.player).round_total);
        }
    }
}

/// A rank is one more than the number of better players; the board has no removed player, and every player who answered.
fn check_board(state: &State) {
    let standings = &state.board().standings;
    for standing in standings.iter() {
        let better = standings.iter().filter(|other| other.score > standing.score).count();
        assert_eq!(standing.rank as usize, better + 1);
        assert!(state.player(standing.player).is_some());
    }
    assert!(standings.is_sorted_by_key(|standing| standing.rank));
    if state.phase() == Phase::Leaderboard {
        assert!(state.review().all(|entry| state.board().standing_of(entry.player.id).is_some()));
    }
}
