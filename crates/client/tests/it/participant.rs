//! Reconnecting: the messages that are sent again, the acks that count, and the closes after which a client stays away.

use std::time::Duration;

use quizhall_client::answers::Answer;
use quizhall_client::{Event, Participant, Reader, Stop};
use quizhall_protocol::{Close, CloseCode, FromHost, Role, ServerMessage, ToAll};
use tokio::time::timeout;
use uuid::Uuid;

use crate::fake::{Fake, accepted, released, submitted};

const Q: Uuid = Uuid::from_u128(0x51);
const R: Uuid = Uuid::from_u128(0x52);
const LOBBY: &str = r#"{"type":"lobby_update","payload":{"players":[]}}"#;

/// The next event that is not a plain message; waits at most five seconds.
async fn next<R: Reader>(participant: &mut Participant<R>) -> Event {
    loop {
        match timeout(Duration::from_secs(5), participant.next()).await.expect("an event in time") {
            Event::Message(_) => {}
            event => return event,
        }
    }
}

/// Waits until the question is open, then answers it.
async fn answer_when_released(participant: &mut Participant, question: Uuid, text: &str) {
    loop {
        let event = timeout(Duration::from_secs(5), participant.next()).await.expect("a question in time");
        if let Event::Message(message) = event
            && let ServerMessage::All(ToAll::QuestionReleased(released)) = message.as_ref()
            && released.question.id == question
        {
            return participant.answer(question, text);
        }
    }
}

fn answer(question: Uuid, text: &str) -> Answer {
    Answer { question, text: text.to_owned() }
}

#[tokio::test]
async fn an_answer_without_an_ack_is_sent_again_after_the_resync() {
    let fake = Fake::start().await;
    let mut player = Participant::new(fake.options(Role::Player));
    let server = tokio::spawn(async move {
        let mut first = fake.accept().await;
        first.say(&released(Q)).await;
        assert_eq!(first.receive().await.unwrap(), submitted(Q, "blue"));
        drop(first);
        let mut second = fake.accept().await;
        assert_eq!(second.receives_at_most(0).await, Vec::<String>::new(), "not before the resync");
        second.say(&released(Q)).await;
        assert_eq!(second.receive().await.unwrap(), submitted(Q, "blue"));
        second.say(&accepted(Q)).await;
        second.receive().await
    });
    answer_when_released(&mut player, Q, "blue").await;
    assert!(matches!(next(&mut player).await, Event::Settled { silent: false }));
    let Event::Lost { closed, retry_in } = next(&mut player).await else { panic!("the line was cut") };
    assert_eq!(closed.code, None);
    assert!(retry_in <= Duration::from_millis(5), "{retry_in:?}");
    assert!(matches!(next(&mut player).await, Event::Connected));
    assert!(matches!(next(&mut player).await, Event::Settled { .. }));
    let Event::Acknowledged(acked) = next(&mut player).await else { panic!("the second time it is acked") };
    assert_eq!(acked, answer(Q, "blue"));
    assert_eq!(player.waiting(), 0);
    player.leave().await;
    assert!(matches!(next(&mut player).await, Event::Stopped(Stop::Left)));
    assert_eq!(server.await.unwrap(), None);
}

#[tokio::test]
async fn an_ack_during_sync_is_not_the_ack_of_a_retransmission() {
    let fake = Fake::start().await;
    let mut player = Participant::new(fake.options(Role::Player));
    let server = tokio::spawn(async move {
        let mut first = fake.accept().await;
        first.say(&released(Q)).await;
        assert_eq!(first.receive().await.unwrap(), submitted(Q, "red"));
        first.say(&accepted(Q)).await;
        assert_eq!(first.receive().await.unwrap(), submitted(Q, "blue"));
        drop(first);
        let mut second = fake.accept().await;
        second.say(&released(Q)).await;
        second.say(&accepted(Q)).await;
        assert_eq!(second.receive().await.unwrap(), submitted(Q, "blue"), "the ack during sync was for red");
        second.say(&accepted(Q)).await;
        second.receive().await
    });
    answer_when_released(&mut player, Q, "red").await;
    assert!(matches!(next(&mut player).await, Event::Settled { .. }));
    assert!(matches!(next(&mut player).await, Event::Acknowledged(acked) if acked.text == "red"));
    player.answer(Q, "blue");
    assert!(matches!(next(&mut player).await, Event::Lost { .. }));
    assert!(matches!(next(&mut player).await, Event::Connected));
    assert!(matches!(next(&mut player).await, Event::Settled { silent: false }));
    assert!(matches!(next(&mut player).await, Event::Acknowledged(acked) if acked.text == "blue"));
    drop(player);
    assert_eq!(server.await.unwrap(), None);
}

#[tokio::test]
async fn a_refused_message_is_not_sent_again_but_the_others_are() {
    let fake = Fake::start().await;
    let mut player = Participant::new(fake.options(Role::Player));
    let server = tokio::spawn(async move {
        let mut first = fake.accept().await;
        first.say(&released(Q)).await;
        first.say(&released(R)).await;
        first.receive().await.unwrap();
        first.receive().await.unwrap();
        first.close(CloseCode::WrongPhase.into()).await;
        let mut second = fake.accept().await;
        second.say(&released(Q)).await;
        second.say(&released(R)).await;
        assert_eq!(second.receive().await.unwrap(), submitted(R, "two"));
        second.receives_at_most(0).await
    });
    player.answer(Q, "one");
    player.answer(R, "two");
    loop {
        if let Event::Lost { closed, .. } = next(&mut player).await {
            assert_eq!(closed.known(), Some(CloseCode::WrongPhase));
            break;
        }
    }
    let driving = async {
        loop {
            next(&mut player).await;
        }
    };
    tokio::select! {
        () = driving => {}
        received = server => assert_eq!(received.unwrap(), Vec::<String>::new()),
    }
}

#[tokio::test]
async fn codes_that_say_stay_away_are_obeyed() {
    for code in CloseCode::ALL.iter().copied().filter(|code| code.advice() == quizhall_protocol::Advice::Stop) {
        let fake = Fake::start().await;
        let mut player = Participant::new(fake.options(Role::Player));
        let server = tokio::spawn(async move {
            fake.accept().await.close(code.into()).await;
            timeout(Duration::from_millis(50), fake.accept()).await.is_err()
        });
        assert!(matches!(next(&mut player).await, Event::Connected));
        let Event::Stopped(Stop::Closed(closed)) = next(&mut player).await else { panic!("{code:?} means stop") };
        assert_eq!(closed.known(), Some(code));
        assert!(timeout(Duration::from_millis(30), player.next()).await.is_err(), "nothing after the end");
        assert!(server.await.unwrap(), "{code:?}: came back");
    }
}

#[tokio::test]
async fn the_servers_window_sets_the_delay() {
    let fake = Fake::start().await;
    let mut player = Participant::new(fake.options(Role::Player));
    tokio::spawn(async move {
        fake.accept().await.close(Close::with_retry(CloseCode::ServiceRestart, 11, 13)).await;
    });
    assert!(matches!(next(&mut player).await, Event::Connected));
    let Event::Lost { retry_in, .. } = next(&mut player).await else { panic!("a restart is no end") };
    assert!((11.0..=13.0).contains(&retry_in.as_secs_f64()), "{retry_in:?}");
}

#[tokio::test]
async fn a_refused_handshake_ends_or_waits_by_its_status() {
    let fake = Fake::start().await;
    let mut player = Participant::new(fake.options(Role::Player));
    let server = tokio::spawn(async move {
        fake.answer_http("503 Service Unavailable", "retry-after: 0\r\n", "").await;
        fake.answer_http("404 Not Found", "", "{}").await;
    });
    let Event::Refused { error, .. } = next(&mut player).await else { panic!("503 is tried again") };
    assert_eq!(error.retry_after(), Some(Duration::ZERO));
    assert!(matches!(next(&mut player).await, Event::Stopped(Stop::Refused(_))));
    server.await.unwrap();
}

#[tokio::test]
async fn the_round_takes_unacknowledged_answers_with_it() {
    let fake = Fake::start().await;
    let mut player = Participant::new(fake.options(Role::Player));
    let server = tokio::spawn(async move {
        let mut peer = fake.accept().await;
        peer.say(&released(Q)).await;
        peer.receive().await.unwrap();
        peer.say(r#"{"type":"round_ended"}"#).await;
        peer.say(&released(R)).await;
        peer.receives_at_most(0).await;
    });
    answer_when_released(&mut player, Q, "late").await;
    assert!(matches!(next(&mut player).await, Event::Settled { .. }));
    let Event::Unacknowledged(left) = next(&mut player).await else { panic!("it was not acknowledged") };
    assert_eq!(left, [answer(Q, "late")]);
    tokio::select! {
        event = next(&mut player) => assert!(matches!(event, Event::Lost { .. }), "{event:?}"),
        done = server => done.unwrap(),
    }
}

#[tokio::test]
async fn stepping_out_sends_a_close_frame_and_the_player_comes_back() {
    let fake = Fake::start().await;
    let mut player = Participant::new(fake.options(Role::Player));
    let server = tokio::spawn(async move {
        let mut first = fake.accept().await;
        first.say(LOBBY).await;
        let close_frame = loop {
            match first.frame().await {
                Some(message) if message.is_close() => break true,
                Some(_) => {}
                None => break false,
            }
        };
        fake.accept().await;
        close_frame
    });
    assert!(matches!(next(&mut player).await, Event::Connected));
    assert!(matches!(next(&mut player).await, Event::Settled { silent: false }));
    assert!(player.is_settled());
    player.step_out(true, Duration::from_millis(1));
    assert!(!player.is_settled());
    assert!(matches!(next(&mut player).await, Event::Connected));
    assert!(server.await.unwrap(), "a close frame came");
}

#[tokio::test]
async fn a_silent_line_settles_and_a_host_command_goes_out_once() {
    let fake = Fake::start().await;
    let mut host = Participant::new(fake.options(Role::Host));
    assert!(!host.command(&FromHost::StartGame), "no line yet");
    let server = tokio::spawn(async move {
        let mut first = fake.accept().await;
        assert_eq!(first.receive().await.unwrap(), r#"{"type":"end_round"}"#);
        assert_eq!(first.receive().await.unwrap(), r#"{"type":"release_scores"}"#);
        drop(first);
        fake.accept().await.receives_at_most(0).await
    });
    assert!(matches!(next(&mut host).await, Event::Connected));
    assert!(host.command(&FromHost::EndRound));
    assert!(matches!(next(&mut host).await, Event::Settled { silent: true }));
    assert!(host.command(&FromHost::ReleaseScores));
    assert!(matches!(next(&mut host).await, Event::Lost { .. }));
    let driving = async {
        loop {
            next(&mut host).await;
        }
    };
    tokio::select! {
        () = driving => {}
        received = server => assert_eq!(received.unwrap(), Vec::<String>::new()),
    }
}
