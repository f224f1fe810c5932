//! A round of more than 5,000 answers: hosts with the extension review groups, and each message after that keeps the groups those of the whole
//! review.

use std::collections::BTreeMap;
use std::time::Instant;

use quizhall_engine::{ConnectionId, Dialect, EdgeEffect, Participant, wire};
use quizhall_protocol::to_host::{GroupedAnswers, ReviewGroup, ReviewGroups};
use quizhall_protocol::{Role, ServerMessage, ToHost, frame, read_server_message};
use quizhall_rules::{
    Actor, AnswerText, AnswerTexts, Change, Command, EnteredAnswer, Event, Moment, NewSeat, Origin, PlayerId,
    QuestionId, State, decide,
};
use uuid::Uuid;

use crate::rim::{OPTIONS, Rim};
use crate::stage::{answered, asking, caught_up, event, player, question, synced};

const HOST: u64 = 1;
const PLAIN: u64 = 2;
/// Players who answer both questions.
const PLAYERS: u64 = 2_600;

/// A host's picture of the review, folded from messages alone.
#[derive(Default, Debug, PartialEq)]
struct Desk(BTreeMap<Uuid, (GroupedAnswers, BTreeMap<String, ReviewGroup>)>);

impl Desk {
    fn of(frames: &[bytes::Bytes]) -> Self {
        let mut desk = Self::default();
        for frame in frames {
            desk.read(frame);
        }
        desk
    }

    fn read(&mut self, bytes: &bytes::Bytes) {
        match message(bytes) {
            ServerMessage::Host(ToHost::ReviewGroups(ReviewGroups { question_id, grouped, part, .. })) => {
                if part == Some(1) {
                    self.0.clear();
                }
                self.put(question_id, grouped);
            }
            ServerMessage::Host(ToHost::AnswersMarked(marked)) => {
                assert_eq!(marked.marks, [], "a host who knows groups is sent no single marks");
            }
            _ => {}
        }
    }

    fn put(&mut self, question: Uuid, mut grouped: GroupedAnswers) {
        let (known, groups) = self.0.entry(question).or_insert_with(|| (grouped.clone(), BTreeMap::new()));
        for group in std::mem::take(&mut grouped.groups) {
            if group.count == 0 {
                assert!(groups.remove(&group.key).is_some(), "a group goes that was there");
            } else {
                groups.insert(group.key.clone(), group);
            }
        }
        *known = grouped;
    }
}

fn message(bytes: &bytes::Bytes) -> ServerMessage {
    let text = frame::payload(bytes);
    read_server_message(std::str::from_utf8(&text).unwrap(), Role::Host).unwrap().unwrap()
}

fn sent_to(connection: u64, effects: &[EdgeEffect]) -> Vec<bytes::Bytes> {
    let of_socket = effects.iter().filter_map(|effect| match effect {
        EdgeEffect::Send(ConnectionId(to), frame, _) if *to == connection => Some(frame.clone()),
        _ => None,
    });
    of_socket.collect()
}

fn kinds(frames: &[bytes::Bytes]) -> Vec<&'static str> {
    let kind = |frame| match message(frame) {
        ServerMessage::Host(message) => message.name(),
        ServerMessage::All(message) => message.name(),
        other => panic!("{other:?} to a host"),
    };
    frames.iter().map(kind).collect()
}

/// Two open questions, a player on paper, and this many players with an answer to both; `text` gives each answer.
fn open(players: u64, text: impl Fn(u64, u64) -> String) -> (State, PlayerId) {
    let mut state = asking(players);
    let seat = Command::AddSeat(NewSeat { name: "Paper".to_owned(), player_limit: 100_000 }.into());
    state.apply(&decided(&state, &seat).unwrap());
    state.apply(&event(Change::QuestionReleased { question: question(2) }));
    for number in 1..=players {
        for of in 1..=2 {
            state.apply(&answered(number, of, &text(number, of)));
        }
    }
    let paper = state.players().last().unwrap().id;
    (state, paper)
}

fn decided(state: &State, command: &Command) -> Option<Event> {
    decide(state, Origin { actor: Actor::Host, command_id: None, at: Moment::default() }, command).ok().flatten()
}

/// The spellings of a few texts.
fn spelled(number: u64, of: u64) -> String {
    ["key1", "KEY1", "tuba", "Tuba!", "horn", "a horn", "kye1", "12"]
        [usize::try_from((number * of + number / 7) % 8).unwrap()]
    .to_owned()
}

fn texts() -> Vec<String> {
    (0..8).map(|number| spelled(number, 1)).collect()
}

/// A command of the host about marks, by random numbers.
fn marking(paper: PlayerId, dice: &mut impl FnMut(u64) -> u64) -> Command {
    let of = question(1 + dice(2));
    let text = texts()[usize::try_from(dice(8)).unwrap()].clone();
    let (correct, half) = (dice(2) == 0, dice(3) == 0);
    match dice(8) {
        0 => mark(of, text, (correct, half, false)),
        1 | 2 => mark(of, text, (correct, half, true)),
        3 => Command::AcceptAnswer { question: of, texts: [text].into_iter().collect(), correct, half },
        4 => Command::OverrideAnswer { player: player(1 + dice(50)), question: of, correct },
        5 => Command::EnterAnswer(
            EnteredAnswer {
                player: paper,
                question: of,
                answer: AnswerText::parse(&format!("{text} {}", dice(3))).unwrap(),
            }
            .into(),
        ),
        6 => Command::Remove { player: player(1 + dice(50)) },
        _ => Command::UndoMarking,
    }
}

fn mark(question: QuestionId, text: String, (correct, half, alike): (bool, bool, bool)) -> Command {
    Command::MarkAnswers { question, texts: [text].into_iter().collect(), correct, half, alike }
}

fn whole(state: &State) -> Desk {
    Desk::of(&wire::review::review(state, Dialect::QuizhallV1))
}

#[test]
fn groups_are_for_rounds_of_more_than_5_000_answers_and_never_for_plain_sockets() {
    for (players, expected) in [(2_500, "round_review"), (2_501, "review_groups")] {
        let (state, _) = open(players, spelled);
        let mut rim = Rim::with(state, OPTIONS);
        rim.attach_v1(HOST, Participant::Host);
        rim.taken();
        let ended = rim.commit(vec![event(Change::RoundEnded)]).taken();
        let sent = kinds(&sent_to(HOST, &ended));
        let reviews: Vec<_> = sent.iter().filter(|kind| kind.contains("review")).collect();
        assert!(reviews.iter().all(|kind| **kind == expected), "{players}: {reviews:?}");
        let state = rim.edge.state().unwrap();
        let plain = synced(state, Participant::Host, Dialect::Interface);
        assert_eq!(kinds(&plain)[0], "round_ended");
        assert!(kinds(&plain)[1..].iter().all(|kind| *kind == "round_review"));
        assert_eq!(plain[1..], wire::round_review(state, Dialect::Interface));
    }
}

/// Random marks, undos, entered answers and removals, in several games: a host who stays, one who connects later, and one whose node
/// skipped events have the same groups, which are those of the whole review.
#[test]
fn every_message_keeps_the_groups_those_of_the_whole_review() {
    for seed in 1..=2_u64 {
        let mut random = seed;
        let mut dice = move |sides: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) % sides
        };
        let (state, paper) = open(PLAYERS, spelled);
        let mut rim = Rim::with(state, OPTIONS);
        rim.attach_v1(HOST, Participant::Host);
        rim.taken();
        let mut desk = Desk::of(&sent_to(HOST, &rim.commit(vec![event(Change::RoundEnded)]).taken()));
        let start = rim.edge.state().unwrap().clone();
        for _ in 0..60 {
            let state = rim.edge.state().unwrap();
            let Some(event) = decided(state, &marking(paper, &mut dice)) else { continue };
            let sent = sent_to(HOST, &rim.commit(vec![event]).taken());
            for frame in &sent {
                desk.read(frame);
            }
            assert_eq!(desk, whole(rim.edge.state().unwrap()), "seed {seed}");
        }
        let end = rim.edge.state().unwrap();
        assert_eq!(Desk::of(&synced(end, Participant::Host, Dialect::QuizhallV1)), desk);
        assert_eq!(Desk::of(&caught_up(&start, end, Participant::Host, Dialect::QuizhallV1)), desk);
    }
}

/// A plain host beside one with groups, and a host who was sent every answer before there were more than 5,000: each stays with what it has.
#[test]
fn hosts_stay_with_the_review_that_they_were_sent() {
    let (state, paper) = open(2_500, spelled);
    let mut rim = Rim::with(state, OPTIONS);
    rim.attach_v1(HOST, Participant::Host);
    rim.commit(vec![event(Change::RoundEnded)]).taken();
    let enter = EnteredAnswer { player: paper, question: question(1), answer: AnswerText::parse("tuba").unwrap() };
    let entered = decided(rim.edge.state().unwrap(), &Command::EnterAnswer(enter.into())).unwrap();
    rim.commit(vec![entered]).taken();
    assert_eq!(rim.edge.state().unwrap().answers_in_round(), 5_001);
    let marked =
        decided(rim.edge.state().unwrap(), &mark(question(1), "horn".to_owned(), (true, false, true))).unwrap();
    let sent = rim.commit(vec![marked.clone()]).taken();
    let ServerMessage::Host(ToHost::AnswersMarked(first)) = message(&sent_to(HOST, &sent)[0]) else {
        panic!("no marks")
    };
    assert!(!first.marks.is_empty());

    let mut again = Rim::with(rim.edge.state().unwrap().clone(), OPTIONS);
    again.attach_v1(HOST, Participant::Host);
    let undone = again.commit(vec![event(Change::MarkingUndone { of: None })]).taken();
    assert_eq!(kinds(&sent_to(HOST, &undone)), ["review_groups", "answers_marked", "marking_update"]);

    let mut plain = Rim::with(rim.edge.state().unwrap().clone(), OPTIONS);
    plain.attach(PLAIN, Participant::Host);
    assert_eq!(plain.commit(vec![event(Change::MarkingUndone { of: None })]).taken(), []);
}

/// While questions are open no one knows single answers: a change of the key in so large a round is confirmed without them.
#[test]
fn a_change_of_the_key_is_confirmed_without_single_marks() {
    let (state, _) = open(PLAYERS, spelled);
    let mut rim = Rim::with(state, OPTIONS);
    rim.attach_v1(HOST, Participant::Host);
    rim.taken();
    let accept = Command::AcceptAnswer {
        question: question(1),
        texts: ["horn".to_owned()].into_iter().collect(),
        correct: true,
        half: false,
    };
    let accepted = decided(rim.edge.state().unwrap(), &accept).unwrap();
    let sent = sent_to(HOST, &rim.commit(vec![accepted]).taken());
    assert_eq!(kinds(&sent), ["answers_marked", "marking_update"]);
    assert!(sent[0].len() < 200);
}

/// More different texts than a message has groups: a host who decides on those that wait always has further ones.
#[test]
fn a_host_who_decides_always_has_more_groups_that_wait() {
    let mut state = asking(5_001);
    (1..=5_001).for_each(|number| state.apply(&nearly(number)));
    let mut rim = Rim::with(state, OPTIONS);
    rim.attach_v1(HOST, Participant::Host);
    rim.taken();
    let mut desk = Desk::of(&sent_to(HOST, &rim.commit(vec![event(Change::RoundEnded)]).taken()));
    for decided_on in [0, 480, 960] {
        let (grouped, groups) = &desk.0[&question(1).uuid()];
        assert_eq!((grouped.total, grouped.to_check), (5_001, 5_001 - decided_on));
        let waiting: Vec<_> = groups.values().filter(|group| !group.ruled).collect();
        assert!(waiting.len() >= 50, "{} wait after {decided_on}", waiting.len());
        let texts = first_waiting(&rim, 480);
        let marks = Command::MarkAnswers { question: question(1), texts, correct: false, half: false, alike: true };
        let marked = decided(rim.edge.state().unwrap(), &marks).unwrap();
        for frame in &sent_to(HOST, &rim.commit(vec![marked]).taken()) {
            desk.read(frame);
        }
    }
}

/// An answer that is close to a right one, and different from all others.
fn nearly(number: u64) -> Event {
    let Change::Answered { player, question, answer, device, .. } = answered(number, 1, &format!("kye{number}")).change
    else {
        panic!("an answer")
    };
    let (correct, near_miss, partial, elapsed) = (false, true, 0, None);
    event(Change::Answered { player, question, answer, correct, near_miss, partial, elapsed, device })
}

/// The first texts that wait.
fn first_waiting(rim: &Rim, most: usize) -> AnswerTexts {
    let reviewed = rim.edge.state().unwrap().reviewed(question(1));
    let waiting = reviewed.groups.iter().filter(|group| group.is_waiting());
    waiting.take(most).map(|group| group.texts[0].to_owned()).collect()
}

#[test]
fn pages_of_answers_follow_each_other_and_end() {
    let (mut state, _) = open(PLAYERS, spelled);
    state.apply(&event(Change::RoundEnded));
    let (mut seen, mut skip) = (Vec::new(), 0);
    loop {
        let (page, total) = wire::review::page(&state, (question(1), Some("TUBA")), skip);
        assert!(page.len() <= 200 && page.iter().all(|answer| answer.answer.to_lowercase().starts_with("tuba")));
        skip += page.len();
        seen.extend(page.into_iter().map(|answer| answer.player_id));
        if skip as u64 >= u64::from(total) {
            break;
        }
    }
    let mut distinct = seen.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!((seen.len(), distinct.len()), (skip, skip));
    assert_eq!(wire::review::page(&state, (question(1), Some("TUBA")), skip).0, []);
    assert_eq!(wire::review::page(&state, (question(1), None), 0).1, u32::try_from(PLAYERS).unwrap());
    assert_eq!(wire::review::page(&state, (question(1), Some("oboe")), 0), (vec![], 0));
}

/// The figures of docs/operate/performance.md, which `--nocapture` shows: a review of ten questions has at most 2 MB.
#[test]
fn a_review_of_50_000_players_is_small() {
    for texts in [400_u64, 40_000] {
        let mut state = asking(50_000);
        (1..=50_000).for_each(|number| state.apply(&answered(number, 1, &format!("answer {}", number * 7 % texts))));
        state.apply(&event(Change::RoundEnded));
        let began = Instant::now();
        let groups = wire::review::review(&state, Dialect::QuizhallV1);
        let bytes: usize = groups.iter().map(bytes::Bytes::len).sum();
        eprintln!("a question with {texts} texts: {bytes} bytes in {:?}", began.elapsed());
        assert!(bytes <= 200_000);
    }
}
