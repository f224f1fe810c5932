//! Players on paper: entries that are refused.

use quizhall_engine::wire::{CloseCode, FromHost};
use quizhall_protocol::from_host::EnterAnswer;
use quizhall_rules::Refusal;

use crate::stage::{player, question};

#[test]
fn a_full_game_and_an_answer_without_text_are_refused_with_the_reason() {
    let close = quizhall_engine::wire::close_for(Refusal::Full);
    assert_eq!((close.code, close.reason().as_str()), (CloseCode::InvalidPayload, "invalid_payload: game full"));
    let (player_id, question_id) = (player(9).uuid(), question(1).uuid());
    let enter = FromHost::EnterAnswer(EnterAnswer { player_id, question_id, answer: "a\u{7}b".to_owned() });
    assert_eq!(quizhall_engine::wire::command_of(&enter, 1), None);
}
