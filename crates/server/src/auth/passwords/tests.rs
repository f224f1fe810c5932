//! Unit tests of `auth::passwords`.

#![allow(clippy::unwrap_used)]
use super::*;

#[tokio::test]
async fn the_right_password_fits_and_no_other() {
    let passwords = Passwords::default();
    let stored = passwords.hash("correct horse".to_owned()).await.unwrap();
    assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "parameters");
    assert!(passwords.fits("correct horse".to_owned(), Some(stored.clone()), Standing::Stranger).await.unwrap());
    assert!(!passwords.fits("correct hors".to_owned(), Some(stored), Standing::Stranger).await.unwrap());
    assert!(!passwords.fits(String::new(), None, Standing::Known).await.unwrap());
}

#[tokio::test]
async fn at_most_the_waiting_room_is_filled() {
    let passwords = Passwords::default();
    let places = passwords.admitted.available_permits();
    let taken = Arc::clone(&passwords.admitted).acquire_many_owned(u32::try_from(places).unwrap()).await.unwrap();
    assert_eq!(passwords.hash("whatever it is".to_owned()).await, Err(Busy));
    assert_eq!(passwords.fits("whatever".to_owned(), None, Standing::Stranger).await, Err(Busy));
    assert_eq!(passwords.fits("whatever".to_owned(), None, Standing::Known).await, Ok(false), "has places of its own");
    drop(taken);
    assert!(passwords.hash("whatever it is".to_owned()).await.is_ok());
}

#[test]
fn lengths() {
    assert_eq!(Passwords::check("1234567"), Err(PasswordMistake::TooShort));
    assert_eq!(Passwords::check("12345678"), Ok(()));
    assert_eq!(Passwords::check(&"é".repeat(256)), Ok(()));
    assert_eq!(Passwords::check(&"é".repeat(257)), Err(PasswordMistake::TooLong));
    assert_eq!(Passwords::check(&"\u{1F600}".repeat(257)), Err(PasswordMistake::TooLong));
}
