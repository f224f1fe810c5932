//! Files with a right digest whose values nothing would write: each ends in a verdict and never in a panic. With `PROOF_SECONDS` it
//! goes on that long.

use std::panic::catch_unwind;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use sha2::{Digest as _, Sha256};

use super::{file_of, found, number, random};

/// The games whose files are changed.
const GAMES: u64 = 8;
/// The last line of a file up to its digest: `"digest":"…"`.
const BEFORE: &str = "\"digest\":\"";
/// What follows the digest.
const AFTER: &str = "\"\n}\n";
/// Values that are at the end of a range, or of another type.
const STRANGE: [&str; 17] = [
    "0",
    "-1",
    "1",
    "255",
    "65536",
    "4294967295",
    "2147483647",
    "-2147483648",
    "9223372036854775807",
    "1e308",
    "0.5",
    "null",
    "true",
    "\"\"",
    "\"\\u0000\"",
    "[]",
    "{}",
];

#[test]
fn strange_values_end_in_a_verdict() {
    let files: Vec<Vec<u8>> = (0..GAMES).map(|seed| file_of(&random::game(seed))).collect();
    let texts: Vec<&str> = files.iter().map(|file| std::str::from_utf8(file).unwrap()).collect();
    let until = Instant::now() + Duration::from_secs(number("PROOF_SECONDS", 0));
    let (mut seed, mut read) = (0, 0_u64);
    while seed < 2_000 || Instant::now() < until {
        let mut dice = StdRng::seed_from_u64(seed);
        let text = texts.choose(&mut dice).unwrap();
        let file = changed(text.rsplit_once(BEFORE).unwrap().0, &mut dice);
        let verdict = catch_unwind(|| found(&file)).unwrap_or_else(|_| panic!("QUIZHALL_SEED={seed}"));
        read += u64::from(verdict.err().is_none_or(|said| !said.starts_with("The file is no proof")));
        seed += 1;
    }
    println!("{seed} files, of which {read} could be read");
    assert!(read > seed / 4, "the check itself sees only {read} of {seed}");
}

/// The file with up to three other values, and the digest of what it has then.
fn changed(body: &str, dice: &mut StdRng) -> Vec<u8> {
    let mut body = body.to_owned();
    for _ in 0..dice.random_range(1..=3) {
        let values = values_of(&body);
        let (from, to) = *values.choose(dice).unwrap();
        // A value of the same file and type can usually be read.
        let of_type: Vec<_> = values.iter().filter(|(at, _)| type_at(&body, *at) == type_at(&body, from)).collect();
        let (other, end) = **of_type.choose(dice).unwrap();
        let strange = *STRANGE.choose(dice).unwrap();
        let value = if dice.random_bool(0.7) { body[other..end].to_owned() } else { strange.to_owned() };
        body.replace_range(from..to, &value);
    }
    let digest = hex::encode(Sha256::digest(&body));
    format!("{body}{BEFORE}{digest}{AFTER}").into_bytes()
}

/// Where the values after a colon are that are no list and no object.
fn values_of(text: &str) -> Vec<(usize, usize)> {
    let after = text.match_indices("\":").map(|(at, _)| at + 2);
    after.filter_map(|from| Some((from, from + length_of(&text[from..])?))).collect()
}

/// Of a number its digits and its sign are one type.
fn type_at(text: &str, at: usize) -> u8 {
    match text.as_bytes()[at] {
        b'0'..=b'9' | b'-' => b'0',
        first => first,
    }
}

fn length_of(value: &str) -> Option<usize> {
    match value.bytes().next()? {
        b'[' | b'{' => None,
        b'"' => {
            let mut is_escaped = true;
            let end = value.bytes().position(|byte| {
                let is_end = byte == b'"' && !is_escaped;
                is_escaped = !is_escaped && byte == b'\\';
                is_end
            })?;
            Some(end + 1)
        }
        _ => value.find([',', '}', ']', '\n']),
    }
}
