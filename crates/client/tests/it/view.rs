//! The fold: the messages of a full game, for a player and for the host, and the sync messages after a reconnect.

use quizhall_client::{Phase, View};
use quizhall_protocol::{Role, ServerMessage, ToSender, read_server_message};

const PLAYER: Role = Role::Player;
const A: &str = "00000000-0000-0000-0000-00000000000a";
const B: &str = "00000000-0000-0000-0000-00000000000b";
const Q: &str = "00000000-0000-0000-0000-000000000051";
const R: &str = "00000000-0000-0000-0000-000000000052";

struct Fold {
    view: View,
    role: Role,
}

impl Fold {
    fn new(role: Role) -> Self {
        let mut view = View::new();
        view.connected();
        Self { view, role }
    }

    fn apply(&mut self, kind: &str, payload: &str) -> &View {
        let text = match payload {
            "" => format!(r#"{{"type":"{kind}"}}"#),
            payload => format!(r#"{{"type":"{kind}","payload":{payload}}}"#),
        };
        self.view.apply(&read_server_message(&text, self.role).unwrap().expect("a known type"));
        &self.view
    }

    fn release(&mut self, id: &str) -> &View {
        self.apply(
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
    let mut fold = Fold::new(PLAYER);
    let view = fold.apply("lobby_update", &format!(r#"{{"players":[{{"id":"{A}","displayName":"Ann"}}]}}"#));
    assert_eq!((view.phase, view.player_count), (Phase::Lobby, 1));
    assert_eq!(fold.apply("game_started", "").phase, Phase::Question);
    fold.release(Q);
    assert_eq!(ids(fold.release(R)), [Q, R]);
    let view = fold.apply("answer_accepted", &format!(r#"{{"questionId":"{Q}"}}"#));
    assert_eq!(view.accepted.len(), 1);
    assert_eq!(fold.apply("answer_accepted", &format!(r#"{{"questionId":"{Q}"}}"#)).accepted.len(), 1);
    assert_eq!(fold.apply("round_ended", "").phase, Phase::RoundReview);
    let view = fold.apply("round_leaderboard", &board(5));
    assert_eq!((view.phase, view.board[0].score), (Phase::Leaderboard, 5));
    fold.apply("round_scores", r#"{"results":[],"roundTotal":5}"#);
    let view = fold.apply("scoreboard_update", &board(7));
    assert_eq!((view.running[0].score, view.results.as_ref().unwrap().round_total), (7, 5));

    let view = fold.release(R);
    assert_eq!((view.phase, ids(view), view.accepted.len()), (Phase::Question, vec![R.to_owned()], 0));
    assert_eq!(view.results, None);
    fold.apply("round_ended", "");
    assert_eq!(fold.apply("game_ended", &board(9)).phase, Phase::Ended);
    assert_eq!(fold.view.board[0].score, 9);
}

#[test]
fn a_host_sees_counts_and_a_review_in_parts_with_overrides() {
    let mut fold = Fold::new(Role::Host);
    fold.apply("game_started", "");
    fold.release(Q);
    let view = fold.apply("scoreboard_update", &format!(r#"{{"questionId":"{Q}","answerCount":3}}"#));
    assert_eq!(view.counts.values().copied().collect::<Vec<_>>(), [3]);
    fold.apply("round_ended", "");
    let part = |number: u32, player: &str| {
        format!(
            r#"{{"answers":[{{"playerId":"{player}","displayName":"N","questionId":"{Q}","answer":"x","correct":false}}],"part":{number},"parts":2}}"#
        )
    };
    fold.apply("round_review", &part(1, A));
    assert_eq!(fold.apply("round_review", &part(2, B)).review.len(), 2);
    let overruled =
        |player: &str, question: &str| format!(r#"{{"playerId":"{player}","questionId":"{question}","correct":true}}"#);
    let view = fold.apply("override_applied", &overruled(B, Q));
    assert_eq!(view.review.iter().map(|entry| entry.correct).collect::<Vec<_>>(), [false, true]);
    let view = fold.apply("override_applied", &overruled(B, R));
    assert_eq!((view.review.len(), view.review[2].answer.as_str()), (3, ""));
    fold.view.connected();
    assert_eq!(fold.apply("round_ended", "").review.len(), 0, "the sync sends the review again");
    assert_eq!(fold.apply("round_review", &part(1, A)).review.len(), 1);
}

#[test]
fn sync_messages_replace_what_was_known() {
    let mut fold = Fold::new(PLAYER);
    fold.apply("game_started", "");
    fold.release(Q);
    fold.apply("answer_accepted", &format!(r#"{{"questionId":"{Q}"}}"#));
    fold.view.connected();
    let view = fold.release(R);
    assert_eq!((ids(view), view.accepted.len()), (vec![R.to_owned()], 0));
    fold.view.settled(false);
    assert_eq!(fold.view.phase, Phase::Question);
}

#[test]
fn silence_after_a_board_is_a_round_with_nothing_open() {
    let mut fold = Fold::new(PLAYER);
    fold.release(Q);
    fold.apply("round_leaderboard", &board(1));
    fold.view.connected();
    fold.view.settled(true);
    assert_eq!((fold.view.phase, fold.view.questions.len()), (Phase::Question, 0));
}

#[test]
fn a_big_lobby_counts_by_total() {
    let mut fold = Fold::new(PLAYER);
    assert_eq!(fold.apply("lobby_update", r#"{"players":[],"total":5000}"#).player_count, 5000);
}

#[test]
fn a_player_follows_the_lobby_by_what_changes() {
    let mut fold = Fold::new(PLAYER);
    let person = |id: &str, name: &str| format!(r#"{{"id":"{id}","displayName":"{name}"}}"#);
    fold.apply("lobby_update", &format!(r#"{{"players":[{},{}]}}"#, person(A, "Ann"), person(B, "Ben")));
    let names = |view: &View| view.players.iter().map(|player| player.display_name.clone()).collect::<Vec<_>>();
    let change = format!(r#"{{"joined":[{},{}],"left":["{B}"],"total":12}}"#, person(Q, "Cid"), person(A, "Ann"));
    let view = fold.apply("lobby_changed", &change);
    assert_eq!((names(view), view.player_count), (vec!["Cid".to_owned(), "Ann".to_owned()], 12));
    let view = fold.apply("lobby_changed", r#"{"total":120}"#);
    assert_eq!((view.players.len(), view.player_count), (2, 120));
}

#[test]
fn a_pong_is_understood_by_either_and_changes_no_view() {
    for role in [Role::Host, Role::Player] {
        let pong = read_server_message(r#"{"type":"pong"}"#, role).unwrap().unwrap();
        assert_eq!(pong, ServerMessage::Sender(ToSender::Pong));
        let mut fold = Fold::new(role);
        let before = fold.release(Q).clone();
        fold.view.apply(&pong);
        assert_eq!(fold.view, before);
    }
}
