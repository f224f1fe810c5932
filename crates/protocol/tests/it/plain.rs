//! An answer in the form that nearly every client writes is read in one pass, as the full decoder reads it.

use quizhall_protocol::{CloseCode, Dialect, FromPlayer, Mistake, PlayerMessage};

const ID: &str = "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5";

fn plainly(answer: &str) -> String {
    format!(r#"{{"type":"submit_answer","payload":{{"questionId":"{ID}","answer":"{answer}"}}}}"#)
}

/// The message, after both ways of reading have given the same.
fn read(text: &str) -> Result<PlayerMessage, Mistake> {
    let read = PlayerMessage::decode(text, Dialect::Interface);
    assert_eq!(read, PlayerMessage::decode_any(text, Dialect::Interface), "{text}");
    read
}

fn is_answer(text: &str, expected: &str) -> bool {
    matches!(read(text), Ok(PlayerMessage::Game(FromPlayer::SubmitAnswer(given))) if given.answer == expected)
}

#[test]
fn what_clients_send_is_read() {
    let long = "x".repeat(5_000);
    let given = [("Bern", "Bern"), ("a \\\"b\\\"", "a \"b\""), ("Zürich \u{1F600}", "Zürich \u{1F600}")];
    for (written, meant) in given.into_iter().chain([("\\u0041", "A"), ("", ""), (long.as_str(), long.as_str())]) {
        assert!(is_answer(&plainly(written), meant), "{written}");
    }
    let turned = format!(r#" {{ "payload" : {{"answer":"Bern", "questionId":"{ID}"}}, "type":"submit_answer" }} "#);
    assert!(is_answer(&turned, "Bern"));
}

#[test]
fn what_is_unusual_is_read_or_refused() {
    let taken = [
        format!(r#"{{"type":"submit_answer","payload":{{"questionId":"{ID}","answer":"x","more":[[]]}}}}"#),
        format!(r#"{{"type":"submit_answer","payload":{{"questionId":"{ID}","answer":"x"}},"more":1}}"#),
        format!(r#"{{"t\u0079pe":"submit_answer","payload":{{"questionId":"{ID}","answer":"x"}}}}"#),
        format!(r#"{{"type":"submit_answer","payload":{{"questionId":"\u0030{}","answer":"x"}}}}"#, &ID[1..]),
    ];
    for text in taken {
        assert!(is_answer(&text, "x"), "{text}");
    }
    let refused = [
        format!(r#"["submit_answer",{{"questionId":"{ID}","answer":"x"}}]"#),
        format!(r#"{{"type":"submit_answer","payload":["{ID}","x"]}}"#),
        format!(r#"{{"type":"submit_answer","payload":{{"questionId":"{ID}","answer":"x","answer":"y"}}}}"#),
        format!(r#"{{"type":"submit_answer","type":"submit_answer","payload":{{"questionId":"{ID}","answer":"x"}}}}"#),
        format!(r#"{{"type":"submit_answer","payload":{{"questionId":"{}","answer":"x"}}}}"#, ID.replace('-', "")),
        plainly("\\u0000"),
        plainly("\\ud800"),
        plainly("x") + "}",
    ];
    for text in refused {
        assert!(read(&text).is_err(), "{text}");
    }
    let of_host = format!(r#"{{"type":"start_game","payload":{{"questionId":"{ID}","answer":"x"}}}}"#);
    assert_eq!(read(&of_host), Err(Mistake(CloseCode::WrongRole.into())));
}

/// Every message that differs from a good one by one byte: removed, inserted or replaced.
#[test]
fn nothing_is_read_otherwise_than_the_full_decoder_reads_it() {
    let good = plainly("Z\\u00fcrich, 4");
    let strange = br#"{}[]",:\ 0a-"#.iter().chain(&[0, b'\n', 0x7f, b'U']);
    let (mut taken, mut refused) = (0, 0);
    for at in 0..good.len() {
        for byte in strange.clone() {
            for (removed, new) in [(1, None), (0, Some(*byte)), (1, Some(*byte))] {
                let mut bytes = good.clone().into_bytes();
                bytes.splice(at..at + removed, new);
                let Ok(text) = String::from_utf8(bytes) else { continue };
                if read(&text).is_ok() { taken += 1 } else { refused += 1 }
            }
        }
    }
    assert!(taken > 500 && refused > 2_000, "{taken} taken, {refused} refused");
}
