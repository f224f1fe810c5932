//! Unit tests of `baseline::answer`.

use super::*;
use crate::users::answer_frame;

/// The answers in what comes in these pieces, or nothing when a piece is none.
fn answers(pieces: &[&[u8]]) -> Option<Vec<String>> {
    let (mut partial, mut answers) = (Vec::new(), Vec::new());
    let all = pieces.iter().all(|piece| {
        let mut bytes = piece.to_vec();
        take(&mut partial, &mut bytes, |answer| answers.push(answer.answer))
    });
    all.then_some(answers)
}

#[test]
fn answers_are_read_however_they_are_cut() {
    let long = "a".repeat(300);
    let frames = [answer_frame(Uuid::nil(), "Paris"), answer_frame(Uuid::nil(), &long)].concat();
    let both = Some(vec!["Paris".to_owned(), long]);
    assert_eq!(answers(&[&frames]), both);
    for cut in 1..frames.len() {
        assert_eq!(answers(&[&frames[..cut], &frames[cut..]]), both, "cut at {cut}");
    }
}

#[test]
fn what_is_no_answer_is_refused() {
    let mut frame = answer_frame(Uuid::nil(), "Paris");
    frame[0] = 0x82;
    assert_eq!(answers(&[&frame]), None, "binary");
    assert_eq!(answers(&[b"\x81\x02{}\x81\x02{}"]), None, "without a mask");
    assert_eq!(answers(&[b"\x81\x82\0\0\0\0{}"]), None, "another message");
}
