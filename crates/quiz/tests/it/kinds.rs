//! The words for kinds, known and unknown.

#![allow(clippy::unwrap_used)]

use quizhall_quiz::{QuestionKind, UnknownKind, WireKind};

#[test]
fn every_kind_has_one_word_wherever_it_is_written() {
    for kind in QuestionKind::ALL {
        let word = format!("\"{}\"", kind.as_str());
        assert_eq!(serde_json::to_string(kind).unwrap(), word, "in the log");
        assert_eq!(serde_json::to_string(&WireKind::from(*kind)).unwrap(), word, "on the wire");
        assert_eq!(serde_json::from_str::<QuestionKind>(&word).unwrap(), *kind);
        assert_eq!(serde_json::from_str::<WireKind>(&word).unwrap(), WireKind::Known(*kind));
    }
}

#[test]
fn an_unknown_word_is_kept_and_is_no_kind() {
    let kind: WireKind = serde_json::from_str("\"essay\"").unwrap();
    assert_eq!(serde_json::to_string(&kind).unwrap(), "\"essay\"");
    assert_eq!((kind.known(), kind.or_text()), (Err(UnknownKind), QuestionKind::Text));
    // The text that clients of the interface have always received.
    assert_eq!(UnknownKind.to_string(), "must be text, multiple_choice, true_false or numeric");
    assert!(serde_json::from_str::<WireKind>("7").unwrap_err().to_string().contains("expected a string"));
}
