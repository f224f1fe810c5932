//! Copies of pictures that phones load ahead: which ones, how large they seem, and that name and key depend only on the game.

use std::collections::BTreeSet;

use quizhall_engine::Dialect;
use quizhall_engine::Participant;
use quizhall_engine::media::{copies_ahead, copy_for, copy_named};
use quizhall_engine::wire::screen_update;
use quizhall_protocol::frame;
use quizhall_rules::{
    Change, Created, Event, GameId, HostId, MarkingRule, MediaKind, Moment, PlayOptions, Question, QuestionKind,
    QuestionMedia, Quiz, Round, State,
};
use uuid::Uuid;

use crate::stage::{caught_up, synced};

/// A question with a picture of this length.
fn asked(number: u128, bytes: u32) -> Question {
    let media = QuestionMedia {
        id: Uuid::from_u128(99),
        kind: MediaKind::Picture,
        alt: "A tube".to_owned(),
        media_type: Some("image/png".to_owned()),
        bytes: Some(bytes),
        width: Some(800),
        height: Some(600),
    };
    let media = (bytes > 0).then_some(media);
    Question { media, ..Question::new(Uuid::from_u128(number).into(), QuestionKind::Text, "Which?", &["Oboe"]) }
}

/// A game of two rounds, with this secret.
fn game(secret: u8) -> State {
    let round = |questions| Round::new("", questions);
    State::created(&Created {
        game: GameId::from(Uuid::from_u128(7)),
        host: HostId::from(Uuid::nil()),
        code: "CODE".to_owned(),
        quiz: Quiz {
            title: String::new(),
            rounds: vec![round(vec![asked(1, 1_000), asked(2, 0), asked(3, 600_000)]), round(vec![asked(4, 5 << 20)])],
        },
        join_secret: [secret; 32],
        created_at_ms: 0,
        options: PlayOptions::default(),
        rule: MarkingRule::LATEST,
        sealed: None,
    })
}

fn apply(state: &mut State, change: Change) {
    state.apply(&Event::new(change, None));
}

fn lengths(state: &State) -> BTreeSet<u64> {
    copies_ahead(state).iter().map(|copy| copy.bytes).collect()
}

#[test]
fn the_copies_of_the_round_that_is_played_or_comes_next_are_named() {
    let mut state = game(1);
    assert_eq!(lengths(&state), BTreeSet::from([1_000, 600_000]));
    apply(&mut state, Change::Started);
    assert_eq!(lengths(&state), BTreeSet::from([1_000, 600_000]));
    apply(&mut state, Change::RoundEnded);
    assert_eq!(lengths(&state), BTreeSet::from([5 << 20]));
    apply(&mut state, Change::ScoresReleased { held: false });
    assert_eq!(lengths(&state), BTreeSet::from([5 << 20]));
    apply(&mut state, Change::NextRoundStarted);
    assert_eq!(lengths(&state), BTreeSet::from([5 << 20]));
    apply(&mut state, Change::RoundEnded);
    assert!(copies_ahead(&state).is_empty());
    apply(&mut state, Change::Ended);
    assert!(copies_ahead(&state).is_empty());
}

#[test]
fn name_and_key_follow_from_the_game_and_the_question() {
    let (one, same, other) = (game(1), game(1), game(2));
    let of = |state: &State, number: usize| {
        let copy = copy_for(state, &state.quiz().rounds[0].questions[number]).unwrap();
        (copy.name, copy.key)
    };
    assert_eq!(of(&one, 0), of(&same, 0));
    let all = [of(&one, 0), of(&one, 2), of(&other, 0), of(&other, 2)];
    assert_eq!(BTreeSet::from(all.map(|(name, _)| name)).len(), 4, "also for the same file in two questions");
    assert_eq!(BTreeSet::from(all.map(|(_, key)| key)).len(), 4);
    let (name, key) = of(&one, 2);
    assert_eq!(copy_named(&one, name).map(|copy| copy.key), Some(key));
    assert!(copy_named(&other, name).is_none());
    assert!(copy_for(&one, &one.quiz().rounds[0].questions[1]).is_none());
}

#[test]
fn a_copy_shows_the_length_of_its_file_to_a_quarter() {
    for bytes in [1_u32, 16_384, 16_385, 20_480, 100_000, 262_144, 262_145, 600_000, 2 << 20, 5 << 20] {
        let mut state = game(1);
        let question = asked(5, bytes);
        let copy = copy_for(&state, &question).unwrap();
        let (length, padded) = (u64::from(bytes), copy.padded_bytes());
        assert!(padded >= length.max(16_384) && padded <= (length * 5 / 4).max(16_384), "{bytes}: {padded}");
        assert_eq!(copy.sent_bytes(), padded + padded.div_ceil(262_144) * 16);
        apply(&mut state, Change::Started);
        assert_eq!(copy_for(&state, &question).unwrap().padded_bytes(), padded);
    }
}

#[test]
fn the_key_is_sent_to_sockets_of_the_extension_and_to_no_other_also_when_events_were_missed() {
    let mut before = game(1);
    apply(&mut before, Change::Started);
    let mut after = before.clone();
    let question = after.quiz().rounds[0].questions[0].id;
    apply(&mut after, Change::QuestionReleased { question });
    let copy = copy_for(&after, &after.quiz().rounds[0].questions[0]).unwrap();
    let key = copy.key.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"));
    let text = |frames: Vec<bytes::Bytes>| {
        frames.iter().map(|run| String::from_utf8(frame::payload(run).to_vec()).unwrap()).collect::<String>()
    };
    let viewer = Participant::Host;
    for dialect in [Dialect::Interface, Dialect::QuizhallV1] {
        let has_key = dialect == Dialect::QuizhallV1;
        assert!(!text(synced(&before, viewer, dialect)).contains(&key), "before the release");
        assert_eq!(text(synced(&after, viewer, dialect)).contains(&key), has_key);
        assert_eq!(text(caught_up(&before, &after, viewer, dialect)).contains(&key), has_key);
        assert_eq!(text(synced(&after, viewer, dialect)).contains("media"), has_key);
    }
}

#[test]
fn size_and_game_come_with_the_picture_and_again_with_the_answer_on_a_screen() {
    let mut state = game(1);
    let question = state.quiz().rounds[0].questions[0].id;
    apply(&mut state, Change::Started);
    apply(&mut state, Change::QuestionReleased { question });
    let json = |frame: &bytes::Bytes| serde_json::from_slice::<serde_json::Value>(&frame::payload(frame)).unwrap();
    let frames = synced(&state, Participant::Host, Dialect::QuizhallV1);
    let released = frames.iter().map(json).find(|message| message["type"] == "question_released").unwrap();
    let media = &released["payload"]["question"]["media"];
    assert_eq!((&media["width"], &media["height"]), (&800.into(), &600.into()));
    assert_eq!(media["gameId"], state.game().uuid().to_string());
    let picture = |state: &State| json(&screen_update(state, Moment::default()))["payload"].clone();
    assert_eq!(&picture(&state)["questions"][0]["media"], media);
    apply(&mut state, Change::RoundEnded);
    assert!(picture(&state).get("show").is_none(), "before the answer is revealed");
    apply(&mut state, Change::AnswerRevealed { question });
    assert_eq!(&picture(&state)["show"]["media"], media);
}
