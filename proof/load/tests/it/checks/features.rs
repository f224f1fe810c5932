//! Tests of the checks of timers and pictures: what must be passes, and every kind of flaw is found.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use aws_lc_rs::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey};
use quizhall_client::Reader as _;
use quizhall_load::full_game::clocks::{Clocks, GRACE};
use quizhall_load::full_game::features::Features;
use quizhall_load::full_game::pictures::Pictures;
use quizhall_load::full_game::stages::review_stage;
use quizhall_load::full_game::violations::Violations;
use quizhall_load::full_game::watch::Watch;
use quizhall_load::full_game::world::World;
use quizhall_load::media::picture;
use quizhall_protocol::http::quizzes::{QuestionBody, RoundBody};
use quizhall_protocol::shapes::{Question, ReleasedMedia};
use quizhall_protocol::to_all::{QuestionClosed, TimerUpdate};
use quizhall_protocol::{Dialect, QuestionKind, Role, ServerMessage, ToAll};
use serde_json::json;
use tokio::time::Instant;
use uuid::Uuid;

use super::{Ann, ENDED, Q, R, STARTED, kinds, open, released, world};

const FILE: Uuid = Uuid::from_u128(0xF11E);
const NAME: &str = "0123456789abcdef0123456789abcdef";
/// Of 32 bytes, each 0xab.
const BYTE_OF_KEY: u8 = 0xab;

fn timed_world() -> Arc<World> {
    let world = Arc::into_inner(world()).unwrap();
    Arc::new(world.with(Features { timers: true, media: false }, Pictures::default()))
}

fn closed(question: Uuid) -> ServerMessage {
    ServerMessage::All(ToAll::QuestionClosed(QuestionClosed { question_id: question }))
}

#[test]
fn closings_are_checked_on_sockets_of_the_extension() {
    type Flaw = (&'static str, fn(&mut Ann));
    let flaws: [Flaw; 5] = [
        ("closed_unreleased", |ann| ann.receives(&closed(super::NEXT))),
        ("closed_twice", |ann| ann.receives_all(&[closed(Q), closed(Q)])),
        ("ack_after_close", |ann| {
            ann.world.ledger.given(0, Q, "x");
            ann.receives_all(&[closed(Q), quizhall_oracle::answer_accepted(Q)]);
        }),
        ("closings_missed", |ann| {
            ann.world.clocks.close(Q);
            ann.receives(&ENDED);
        }),
        ("sync_missing", |ann| {
            ann.world.clocks.close(Q);
            ann.comes_back_to(&[released(Q), released(R)]);
        }),
    ];
    for (kind, flaw) in flaws {
        let world = timed_world();
        let mut ann = Ann::in_lobby(&world);
        open(&world);
        world.command(review_stage(0));
        ann.receives_all(&[STARTED, released(Q), released(R), closed(R)]);
        assert_eq!(kinds(&world), Vec::<&str>::new());
        flaw(&mut ann);
        assert_eq!(kinds(&world), [kind]);
    }
    let world = timed_world();
    let mut ann = Ann::in_lobby(&world);
    open(&world);
    world.command(review_stage(0));
    world.clocks.close(Q);
    ann.receives_all(&[STARTED, released(Q), closed(Q), released(R)]);
    ann.comes_back_to(&[released(Q), released(R), closed(Q)]);
    ann.receives(&ENDED);
    assert_eq!(kinds(&world), Vec::<&str>::new());
}

#[test]
fn a_closing_is_for_sockets_of_the_extension_alone() {
    let world = timed_world();
    let text = serde_json::to_string(&closed(Q)).unwrap();
    Watch::new(Arc::clone(&world), Dialect::QuizhallV1).read(&text, Role::Player).unwrap();
    assert_eq!(kinds(&world), ["closed_early"], "no question has a timer here");
    Watch::new(Arc::clone(&world), Dialect::Interface).read(&text, Role::Player).unwrap();
    assert!(kinds(&world).contains(&"message_shape"), "a text that was seen on another dialect is checked again");
}

#[test]
fn a_question_closes_no_sooner_than_its_time_allows() {
    let update = |ms| TimerUpdate { question_id: Some(Q), remaining_ms: ms, running: true, extra_ms: None };
    let begun_before = |time: Duration| {
        let clocks = Clocks::default();
        clocks.begin(Q, Instant::now().checked_sub(time).unwrap(), 5);
        clocks
    };
    let clocks = begun_before(Duration::ZERO);
    assert!(clocks.may_say(&update(5_000), false) && !clocks.may_say(&update(5_001), false));
    assert!(!clocks.may_say(&update(3_000), false), "two seconds have not passed");
    assert!(clocks.may_say(&update(7_000), true), "a command may have been carried out twice");
    clocks.add(Q, Duration::from_secs(2));
    assert!(clocks.may_say(&update(7_000), false) && !clocks.may_say(&update(7_001), false));

    let whole = Duration::from_secs(5 + 2 + 3) + GRACE;
    let before = whole.checked_sub(Duration::from_secs(1)).unwrap();
    for (time, may) in [(before, false), (whole, true)] {
        let clocks = begun_before(time);
        clocks.add(Q, Duration::from_secs(2));
        clocks.held(Duration::from_secs(3));
        assert_eq!(clocks.may_be_closed(Q), may);
        assert!(!clocks.may_be_closed(R), "it has no timer");
    }
}

/// Pictures of which `Q` has one, its content, and its encrypted copy.
fn pictures() -> (Pictures, Vec<u8>, Vec<u8>) {
    let content = picture(500, 7);
    let media = json!({"id": FILE, "kind": "picture", "alt": "A", "type": "image/png", "bytes": 500});
    let question = QuestionBody {
        id: Some(Q),
        media: Some(serde_json::from_value(media).unwrap()),
        ..QuestionBody::new(QuestionKind::Text, "?", &["x"])
    };
    let contents = HashMap::from([(FILE, Arc::new(content.clone()))]);
    let pictures = Pictures::of(&[RoundBody::new("", vec![question])], &contents);
    let key = LessSafeKey::new(UnboundKey::new(&CHACHA20_POLY1305, &[BYTE_OF_KEY; 32]).unwrap());
    let mut copy = content.clone();
    copy.resize(800, 0);
    key.seal_in_place_append_tag(Nonce::assume_unique_for_key([0; 12]), Aad::empty(), &mut copy).unwrap();
    (pictures, content, copy)
}

fn shown() -> ReleasedMedia {
    let media = json!({
        "name": NAME, "key": format!("{BYTE_OF_KEY:02x}").repeat(32), "kind": "picture", "type": "image/png",
        "bytes": 500, "alt": "A",
    });
    serde_json::from_value(media).unwrap()
}

fn noted(violations: &Violations) -> Vec<&'static str> {
    violations.list().iter().map(|violation| violation.kind).collect()
}

#[test]
fn a_picture_is_compared_with_what_was_uploaded() {
    type Flaw = (&'static str, fn(&Pictures, &Violations, &[u8], &[u8]));
    let flaws: [Flaw; 6] = [
        ("copy_readable", |pictures, violations, content, _| pictures.loaded("other", content.to_vec(), violations)),
        ("copy_differs", |pictures, violations, _, copy| pictures.loaded(NAME, copy[1..].to_vec(), violations)),
        ("copy_missing", |pictures, violations, _, _| {
            pictures.open(Q, &ReleasedMedia { name: "other".to_owned(), ..shown() }, violations);
        }),
        ("picture_not_opened", |pictures, violations, _, _| {
            pictures.open(Q, &ReleasedMedia { key: "cd".repeat(32), ..shown() }, violations);
        }),
        ("picture_differs", |pictures, violations, _, _| {
            pictures.open(Q, &ReleasedMedia { bytes: 501, ..shown() }, violations);
        }),
        ("picture_contents", |pictures, violations, _, _| {
            pictures.check(&Question::new(Q, QuestionKind::Text, "?", 1), violations);
        }),
    ];
    for (kind, flaw) in flaws {
        let ((pictures, content, copy), violations) = (pictures(), Violations::default());
        pictures.loaded(NAME, copy.clone(), &violations);
        pictures.open(Q, &shown(), &violations);
        let media = Some(shown());
        pictures.check(&Question { media, ..Question::new(Q, QuestionKind::Text, "?", 1) }, &violations);
        assert_eq!(noted(&violations), Vec::<&str>::new());
        flaw(&pictures, &violations, &content, &copy);
        assert_eq!(noted(&violations), [kind]);
    }
}

#[test]
fn a_key_in_any_other_message_is_a_leak_whichever_comes_first() {
    let question = Question { media: Some(shown()), ..Question::new(Q, QuestionKind::Text, "?", 1) };
    let release = serde_json::to_string(&question).unwrap();
    let leak = format!(r#"{{"type":"media_preload","payload":{{"key":"{}"}}}}"#, shown().key);
    let half = leak.replace(&shown().key, &shown().key[..40]);
    for (first, second) in [(&release, &leak), (&leak, &release), (&half, &release)] {
        let ((pictures, ..), violations) = (pictures(), Violations::default());
        for text in [first, second] {
            pictures.message(text, (*text == release).then_some(&question), &violations);
        }
        assert_eq!(noted(&violations), ["picture_key_leaked"], "{first}, {second}");
    }
    let ((pictures, ..), violations) = (pictures(), Violations::default());
    pictures.message(&release, Some(&question), &violations);
    pictures.message(&release, Some(&question), &violations);
    assert_eq!(noted(&violations), Vec::<&str>::new());
}
