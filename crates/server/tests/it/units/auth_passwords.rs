//! Passwords: their lengths, their hashes, and how many are checked at once.

use futures_util::future::join_all;
use quizhall::auth::{Busy, PasswordMistake, Passwords, Standing};

#[tokio::test]
async fn the_right_password_fits_and_no_other() {
    let passwords = Passwords::default();
    let stored = passwords.hash("correct horse".to_owned()).await.unwrap();
    assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "parameters");
    let fits = |password: &str, stored| passwords.fits(password.to_owned(), stored, Standing::Stranger);
    assert_eq!(fits("correct horse", Some(stored.clone())).await, Ok(true));
    assert_eq!(fits("correct hors", Some(stored)).await, Ok(false));
    assert_eq!(fits("", None).await, Ok(false));
}

#[tokio::test]
async fn a_flood_of_strangers_is_refused_and_a_known_device_has_places_of_its_own() {
    let passwords = Passwords::default();
    let fits = |standing| passwords.fits("whatever it is".to_owned(), None, standing);
    let hashes = join_all((0..60).map(|_| passwords.hash("whatever it is".to_owned())));
    let strangers = join_all((0..60).map(|_| fits(Standing::Stranger)));
    let (hashes, strangers, known) = tokio::join!(hashes, strangers, fits(Standing::Known));
    assert!(hashes.iter().any(Result::is_ok) && hashes.contains(&Err(Busy)));
    assert!(strangers.contains(&Err(Busy)));
    assert_eq!(known, Ok(false));
    assert!(passwords.hash("whatever it is".to_owned()).await.is_ok(), "places are given back");
}

#[test]
fn lengths() {
    assert_eq!(Passwords::check("1234567"), Err(PasswordMistake::TooShort));
    assert_eq!(Passwords::check("12345678"), Ok(()));
    assert_eq!(Passwords::check(&"é".repeat(256)), Ok(()));
    assert_eq!(Passwords::check(&"é".repeat(257)), Err(PasswordMistake::TooLong));
    assert_eq!(Passwords::check(&"\u{1F600}".repeat(256)), Ok(()), "1,024 bytes");
}
