//! The fold: an evening's messages, for a player and for the host, and the sync messages after a reconnect.

use quizhall_client::{Phase, View};
use quizhall_protocol::{Role, read_server_message};

const PLAYER: Role = Role::Player;
const A: &str = "00000000-0000-0000-0000-00000000000a";
const B: &str = "00000000-0000-0000-0000-00000000000b";
const Q: &str = "00000000-0000-0000-0000-000000000051";
const R: &str = "00000000-0000-0000-0000-000000000052";

struct Told {
    view: View,
    role: Role,
}

impl Told {
    fn new(role: Role) -> Self {
        let mut view = View::new();
        view.connected();
        Self { view, role }
    }

    fn tell(&mut self, kind: &str, payload: &str) -> &View {
        let text = match payload {
            "" => format!(r#"{{"type":"{kind}"}}"#),
            payload => format!(r#"{{"type":"{kind}","payload":{payload}}}"#),
        };
        self.view.apply(&read_server_message(&text, self.role).unwrap().expect("a known type"));
        &self.view
    }

    fn release(&mut self, id: &str) -> &View {
        self.tell(
            "question_released",
            &format!(r#"{{"question":{{"id":"{id}","text":"?","type":"text","points":5}}}}"#),
        )
    }
}

fn board(score: u32) -> String {
    format!(r#"{{"leaderboard":[{{"playerId":"{A}","displayName":"Ann","score":{score},"rank":1}}]}}"#)
}

fn ids(view: &View) -> Vec<String> {
    view.questions.iter().map(|question| question.id.to_string()).collect()
}

#[test]
fn a_player_sees_a_round_and_the_next_one_clean() {
    let mut told = Told::new(PLAYER);
    let view = told.tell("lobby_update", &format!(r#"{{"players":[{{"id":"{A}","displayName":"Ann"}}]}}"#));
    assert_eq!((view.phase, view.player_count), (Phase::Lobby, 1));
    assert_eq!(told.tell("game_started", "").phase, Phase::Question);
    told.release(Q);
    assert_eq!(ids(told.release(R)), [Q, R]);
    let view = told.tell("answer_accepted", &format!(r#"{{"questionId":"{Q}"}}"#));
    assert_eq!(view.accepted.len(), 1);
    assert_eq!(told.tell("answer_accepted", &format!(r#"{{"questionId":"{Q}"}}"#)).accepted.len(), 1);
    assert_eq!(told.tell("round_ended", "").phase, Phase::RoundReview);
    let view = told.tell("round_leaderboard", &board(5));
    assert_eq!((view.phase, view.board[0].score), (Phase::Leaderboard, 5));
    told.tell("round_scores", r#"{"results":[],"roundTotal":5}"#);
    let view = told.tell("scoreboard_update", &board(7));
    assert_eq!((view.running[0].score, view.results.as_ref().unwrap().round_total), (7, 5));

    let view = told.release(R);
    assert_eq!((view.phase, ids(view), view.accepted.len()), (Phase::Question, vec![R.to_owned()], 0));
    assert_eq!(view.results, None);
    told.tell("round_ended", "");
    assert_eq!(told.tell("game_ended", &board(9)).phase, Phase::Ended);
    assert_eq!(told.view.board[0].score, 9);
}

#[test]
fn a_host_sees_counts_and_a_review_in_parts_with_overrides() {
    let mut told = Told::new(Role::Host);
    told.tell("game_started", "");
    told.release(Q);
    let view = told.tell("scoreboard_update", &format!(r#"{{"questionId":"{Q}","answerCount":3}}"#));
    assert_eq!(view.counts.values().copied().collect::<Vec<_>>(), [3]);
    told.tell("round_ended", "");
    let part = |number: u32, player: &str| {
        format!(
            r#"{{"answers":[{{"playerId":"{player}","displayName":"N","questionId":"{Q}","answer":"x","correct":false}}],"part":{number},"parts":2}}"#
        )
    };
    told.tell("round_review", &part(1, A));
    assert_eq!(told.tell("round_review", &part(2, B)).review.len(), 2);
    let overruled =
        |player: &str, question: &str| format!(r#"{{"playerId":"{player}","questionId":"{question}","correct":true}}"#);
    let view = told.tell("override_applied", &overruled(B, Q));
    assert_eq!(view.review.iter().map(|entry| entry.correct).collect::<Vec<_>>(), [false, true]);
    let view = told.tell("override_applied", &overruled(B, R));
    assert_eq!((view.review.len(), view.review[2].answer.as_str()), (3, ""));
    told.view.connected();
    assert_eq!(told.tell("round_ended", "").review.len(), 0, "the sync sends the review again");
    assert_eq!(told.tell("round_review", &part(1, A)).review.len(), 1);
}

#[test]
fn sync_messages_replace_what_was_known() {
    let mut told = Told::new(PLAYER);
    told.tell("game_started", "");
    told.release(Q);
    told.tell("answer_accepted", &format!(r#"{{"questionId":"{Q}"}}"#));
    told.view.connected();
    let view = told.release(R);
    assert_eq!((ids(view), view.accepted.len()), (vec![R.to_owned()], 0));
    told.view.settled(false);
    assert_eq!(told.view.phase, Phase::Question);
}

#[test]
fn silence_after_a_board_is_a_round_with_nothing_open() {
    let mut told = Told::new(PLAYER);
    told.release(Q);
    told.tell("round_leaderboard", &board(1));
    told.view.connected();
    told.view.settled(true);
    assert_eq!((told.view.phase, told.view.questions.len()), (Phase::Question, 0));
}

#[test]
fn a_big_lobby_counts_by_total() {
    let mut told = Told::new(PLAYER);
    assert_eq!(told.tell("lobby_update", r#"{"players":[],"total":5000}"#).player_count, 5000);
}
