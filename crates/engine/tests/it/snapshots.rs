//! Snapshots: their encoding, and when an owner asks for one.

use std::sync::Arc;

use quizhall_engine::claim::{Claim, Row, Start};
use quizhall_engine::{
    AppendOutcome, Head, LOG_PER_SEAT, Liveness, Owner, OwnerEffect, OwnerInput, RequestId, SNAPSHOT_AT_END,
    SNAPSHOT_EVERY, SNAPSHOT_FORMAT, Snapshot, Time, ToOwner,
};
use quizhall_rules::{
    Actor, AutopilotPlan, BoardAfter, Change, Device, Event, Pace, PlayOptions, Screen, ScreenId, Setting, State,
    TimeLeft, TokenHash,
};
use uuid::Uuid;

use crate::desk::{EDGE, GRACE};
use crate::frames::PLAN;
use crate::stage::{answered, command_id, created, event, join, joined, lobby, player, question};

/// A snapshot of a state with a value in every field.
fn rich() -> Snapshot {
    let override_of =
        |number| Change::AnswerOverridden { player: player(number), question: question(1), correct: true };
    let mut events = vec![created(), joined(1), joined(2), joined(3), joined(4)];
    let changes = [
        Change::Claimed { epoch: 7, node: Uuid::nil() },
        Change::HostReturned,
        Change::Left { player: player(4), device: Device::FIRST },
        Change::Started,
        Change::QuestionReleased { question: question(2) },
        Change::QuestionReleased { question: question(1) },
    ];
    events.extend(changes.map(event));
    events.extend([answered(1, 1, "key1"), answered(2, 1, "\"Zürich\"\n"), answered(3, 2, "wrong")]);
    events.push(Event::new(answered(1, 2, "near").change, Some(command_id(3, 9))));
    events.extend([
        event(Change::PlayerRemoved { player: player(3), banned: false }),
        Event::new(Change::RoundEnded, Some(command_id(2, 4))),
        event(override_of(2)),
        event(override_of(4)),
        event(Change::Set(Setting::Locked(true))),
    ]);
    let state = State::replay(&events).unwrap();
    Snapshot { head: Head { seq: 0, batch: 1 }, next_seq: events.len() as u64, state: state.into() }
}

/// The same with its scores released, which empties the markings and fills the board, with its standings held, with points by hand, and
/// with a finished tie-break.
fn scored() -> Snapshot {
    let mut snapshot = rich();
    let mut state = State::clone(&snapshot.state);
    for change in [
        Change::PointsAdjusted { player: player(2), round: 0, points: -5, reason: Some("A phone".into()) },
        Change::ScoresReleased { held: true },
        Change::PointsAdjusted { player: player(1), round: 0, points: -5, reason: None },
        Change::TieBreakStarted { players: vec![player(1), player(2)], text: "How many?".to_owned(), answer: 88 },
        Change::TieBreakAnswered { player: player(2), answer: 85, device: Device::FIRST },
        Change::TieBreakEnded { places: vec![(player(2), 1), (player(1), 2)] },
    ] {
        state.apply(&event(change));
    }
    snapshot.state = state.into();
    snapshot
}

/// A question with a timer that is held, another that is closed, and a round with a limit in the quiz.
fn timed() -> Snapshot {
    let Change::Created(mut whole) = created().change else { unreachable!("the first event is the creation") };
    whole.quiz.rounds[0].time_limit = Some(600);
    whole.quiz.rounds[0].questions[0].time_limit = Some(30);
    let left = [None, Some(question(1))].map(|question| TimeLeft { question, ms: 4_711 });
    let changes = [
        Change::Created(whole),
        Change::Claimed { epoch: 1, node: Uuid::nil() },
        Change::Started,
        Change::QuestionReleased { question: question(1) },
        Change::QuestionReleased { question: question(2) },
        Change::TimerSet(TimeLeft { question: Some(question(2)), ms: 5_000 }.into()),
        Change::QuestionClosed { question: question(2) },
        Change::TimerHeld { held: true, left: left.to_vec() },
    ];
    let events = changes.map(event);
    let state = State::replay(&events).unwrap();
    Snapshot { head: Head { seq: 0, batch: 1 }, next_seq: events.len() as u64, state: state.into() }
}

/// A game whose phones wait for the screen, with a revealed answer, an explanation, a note for the host and a break.
fn between() -> Snapshot {
    let Change::Created(mut whole) = created().change else { unreachable!("the first event is the creation") };
    whole.options.phones_after_screen = true;
    let asked = &mut whole.quiz.rounds[0].questions[0];
    (asked.explanation, asked.host_note) = (Some("Because.".to_owned()), Some("Say it slowly.".to_owned()));
    let changes = [
        Change::Created(whole),
        Change::Claimed { epoch: 1, node: Uuid::nil() },
        Change::Started,
        Change::QuestionReleased { question: question(1) },
        Change::RoundEnded,
        Change::AnswerRevealed { question: question(1) },
        Change::BreakStarted { ms: 600_000, text: Some("Drinks".to_owned()) },
        Change::BreakMark { ms: 595_000 },
    ];
    let events = changes.map(event);
    let state = State::replay(&events).unwrap();
    Snapshot { head: Head { seq: 0, batch: 1 }, next_seq: events.len() as u64, state: state.into() }
}

/// A game of single questions with a screen, whose autopilot has begun and whose question the host and the answers close.
fn single() -> Snapshot {
    let Change::Created(mut whole) = created().change else { unreachable!("the first event is the creation") };
    whole.options = PlayOptions {
        pace: Pace::Question,
        board_after: BoardAfter::Third,
        answer_seconds: Some(20),
        close_when_answered: true,
        mark_later: true,
        autopilot: Some(AutopilotPlan { reveal_for: 8, break_for: 10, hold_without_host: false, ..PLAN }),
        ..PlayOptions::default()
    };
    let screen = Screen { id: ScreenId::from(Uuid::from_u64_pair(5, 1)), token: TokenHash([5; 32]), at_ms: 1 };
    let mut events = vec![event(Change::Created(whole)), joined(1)];
    let changes = [
        Change::Claimed { epoch: 1, node: Uuid::nil() },
        Change::ScreenAdded(screen),
        Change::Started,
        Change::QuestionReleased { question: question(1) },
    ];
    events.extend(changes.map(event));
    events.extend([answered(1, 1, "key1"), event(Change::QuestionClosing { question: question(1) })]);
    let state = State::replay(&events).unwrap();
    Snapshot { head: Head { seq: 0, batch: 1 }, next_seq: events.len() as u64, state: state.into() }
}

/// A database may contain snapshots of any version. A change of these bytes therefore gives the encoding another number, and the
/// golden file that number.
#[test]
fn the_encoding_is_pinned_to_its_format_number() {
    assert_eq!(SNAPSHOT_FORMAT, 11, "another format needs another golden file");
    for (snapshot, golden) in [
        (rich(), include_str!("golden/snapshot-11.json")),
        (scored(), include_str!("golden/snapshot-11-scored.json")),
        (timed(), include_str!("golden/snapshot-11-timed.json")),
        (between(), include_str!("golden/snapshot-11-between.json")),
        (single(), include_str!("golden/snapshot-11-single.json")),
    ] {
        let body = String::from_utf8(snapshot.clone().encode().unwrap()).unwrap();
        assert!(body == golden.trim_end(), "the encoding has changed: raise SNAPSHOT_FORMAT. It is now\n{body}");
        let read = Snapshot::decode((snapshot.head, snapshot.next_seq), SNAPSHOT_FORMAT, golden.trim_end().as_bytes());
        assert_eq!(read, Some(snapshot));
    }
}

#[test]
fn other_formats_and_damaged_bytes_are_no_snapshot() {
    let snapshot = rich();
    let (place, body) = ((snapshot.head, snapshot.next_seq), snapshot.clone().encode().unwrap());
    assert_eq!(Snapshot::decode(place, SNAPSHOT_FORMAT, &body), Some(snapshot));
    for format in [0, SNAPSHOT_FORMAT + 1, u32::MAX] {
        assert_eq!(Snapshot::decode(place, format, &body), None);
    }
    for length in (0..body.len()).step_by(7) {
        assert_eq!(Snapshot::decode(place, SNAPSHOT_FORMAT, &body[..length]), None, "{length} bytes of it");
    }
}

/// A number whose text is read as another number: such a state is not what its bytes say. Settled quizzes have none.
#[test]
fn a_state_that_reads_back_differently_makes_no_snapshot() {
    let read = |tolerance: f64| serde_json::from_str::<f64>(&serde_json::to_string(&tolerance).unwrap()).unwrap();
    let changes = |tolerance: &f64| read(*tolerance).to_bits() != tolerance.to_bits();
    let tolerance = (1..100_000_u32).map(|number| f64::from(number) * 1.1e-17 / 3.0).find(changes).unwrap();
    for (tolerance, is_kept) in [(tolerance, false), (0.25, true)] {
        let Change::Created(mut whole) = created().change else { unreachable!("the first event is the creation") };
        whole.quiz.rounds[0].questions[0].tolerance = tolerance;
        let state = Arc::new(State::created(&whole));
        let snapshot = Snapshot { head: Head { seq: 0, batch: 1 }, next_seq: 1, state };
        assert_eq!(snapshot.encode().is_some(), is_kept, "{tolerance}");
    }
}

/// An owner of a game with one player, and everything that it stored.
struct Writer {
    owner: Owner,
    log: Vec<Event>,
    out: Vec<OwnerEffect>,
    players: u64,
}

impl Writer {
    fn new(every: u64, replayed: Vec<Event>) -> Self {
        let players = replayed.iter().filter(|event| matches!(event.change, Change::Joined { .. })).count() as u64;
        let claim = Claim::read(&[Row { head: Head { seq: 0, batch: 7 }, events: replayed.clone() }]).unwrap();
        let row = claim.row(Uuid::nil(), 8);
        let log = replayed.into_iter().chain(row.events.iter().cloned()).collect();
        let start = Start {
            home: EDGE,
            nonce: 99,
            lobby_grace: GRACE,
            liveness: Liveness::ALONE,
            snapshot_every: every,
            log_per_seat: LOG_PER_SEAT,
        };
        Self { owner: Owner::new(Time::ZERO, claim.won(Time::ZERO, row, start)), log, out: Vec::new(), players }
    }

    /// Decides a join and sends its append; returns the other effects.
    fn write(&mut self) -> Vec<OwnerEffect> {
        self.players += 1;
        let (request, command) = (RequestId(self.players), join(self.players));
        let frame = ToOwner::Request { request, actor: Actor::Service, command };
        self.owner.step(Time::ZERO, OwnerInput::FromEdge(EDGE, frame), &mut self.out);
        self.owner.flush(&mut self.out);
        let (appends, rest): (Vec<_>, Vec<_>) =
            self.out.drain(..).partition(|effect| matches!(effect, OwnerEffect::Append(_)));
        for append in appends {
            let OwnerEffect::Append(append) = append else { continue };
            self.log.extend(append.events.iter().cloned());
        }
        rest
    }

    /// The append becomes durable; returns whether a snapshot is due then.
    fn commit(&mut self) -> bool {
        self.owner.step(Time::ZERO, OwnerInput::Appended(AppendOutcome::Committed), &mut self.out);
        self.out.drain(..).any(|effect| effect == OwnerEffect::SnapshotDue)
    }

    fn join(&mut self) -> bool {
        assert!(!self.write().contains(&OwnerEffect::SnapshotDue), "not durable yet");
        self.commit()
    }

    /// What the snapshot is worth that an edge with the whole log would make.
    fn worth(&self) -> usize {
        State::replay(&self.log).unwrap().weight()
    }

    fn retire(mut self) -> (Option<Snapshot>, Vec<Event>) {
        self.owner.step(Time::ZERO, OwnerInput::Retire { to: None }, &mut self.out);
        self.owner.flush(&mut self.out);
        let retired = self.out.iter().position(|effect| matches!(effect, OwnerEffect::Retired { .. })).unwrap();
        assert_eq!(retired + 1, self.out.len(), "it is the last effect");
        (self.owner.into_snapshot(), self.log)
    }
}

#[test]
fn an_owner_asks_for_a_snapshot_after_a_number_of_events() {
    let mut writer = Writer::new(50, vec![created(), joined(1)]);
    let mut asked = Vec::new();
    for number in 1..200 {
        if writer.join() {
            asked.push(number);
        }
    }
    assert_eq!(asked.first(), Some(&47), "with the two that were replayed and the claim");
    assert!(asked.windows(2).all(|pair| pair[1] - pair[0] >= 50), "{asked:?}");
    assert!(asked.len() >= 2, "{asked:?}");
}

/// A snapshot costs about as much as its state is worth: each event pays for a bounded part of one.
#[test]
fn the_larger_the_state_the_rarer_its_snapshots() {
    let mut writer = Writer::new(10, vec![created()]);
    let (mut worth, mut written) = (0, 0);
    for _ in 0..2_000 {
        if writer.join() {
            worth += writer.worth();
            written += 1;
        }
    }
    assert!((5..=9).contains(&written), "{written} snapshots");
    assert!(worth <= 2 * 2_000, "the snapshots hold {worth} players for 2000 events");
}

#[test]
fn an_owner_that_lets_go_leaves_a_snapshot_if_much_was_stored_since() {
    let many = SNAPSHOT_AT_END;
    for (joins, left) in [(many - 1, false), (many, true)] {
        let mut writer = Writer::new(SNAPSHOT_EVERY, vec![created()]);
        assert!(!(0..joins - 2).any(|_| writer.join()));
        let (snapshot, log) = writer.retire();
        assert_eq!(snapshot.is_some(), left, "after {joins} events");
        if let Some(snapshot) = snapshot {
            assert_eq!((snapshot.head.seq + 1, snapshot.next_seq), (log.len() as u64, log.len() as u64));
            assert_eq!(*snapshot.state, State::replay(&log).unwrap());
        }
    }
}

/// The events that a claim had to replay count as well.
#[test]
fn replayed_events_count() {
    let replayed: Vec<_> = std::iter::once(created()).chain((1..100).map(joined)).collect();
    let mut writer = Writer::new(102, replayed);
    assert!(writer.join());
    assert!(!writer.join());
}

#[test]
fn a_snapshot_keeps_which_screens_were_removed_and_one_of_an_earlier_version_is_not_read() {
    let (id, token) = (ScreenId::from(Uuid::from_u64_pair(5, 1)), TokenHash([5; 32]));
    let mut state = lobby(1);
    state.apply(&event(Change::ScreenAdded(Screen { id, token, at_ms: 1 })));
    state.apply(&event(Change::ScreenRemoved { screen: id }));
    let head = Head { seq: 3, batch: 3 };
    let body = Snapshot { head, next_seq: 4, state: Arc::new(state) }.encode().unwrap();
    let read = Snapshot::decode((head, 4), SNAPSHOT_FORMAT, &body).unwrap();
    assert!(read.state.screens().is_removed(id));
    // It would lack the removal, although the log has it.
    assert!(Snapshot::decode((head, 4), SNAPSHOT_FORMAT - 1, &body).is_none());
}
