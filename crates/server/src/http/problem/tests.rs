//! Unit tests of `http::problem`.

use super::*;

#[test]
fn kinds_have_names_of_their_own_and_error_statuses() {
    let mut slugs: Vec<_> = Kind::ALL.iter().map(|kind| kind.slug).collect();
    slugs.sort_unstable();
    slugs.dedup();
    assert_eq!(slugs.len(), Kind::ALL.len());
    assert!(Kind::ALL.iter().all(|kind| (400..600).contains(&kind.status)));
}

#[test]
fn every_status_has_a_problem_of_the_same_status() {
    for number in [400, 401, 403, 404, 405, 408, 413, 415, 426, 431, 500, 503] {
        let status = StatusCode::from_u16(number).unwrap_or_default();
        assert_eq!(Refused::of_status(status).status(), status);
    }
}

#[test]
fn a_client_that_has_written_too_much_learns_when_to_try_again() {
    let response = Refused::from(Refusal::TooMuch).into_response();
    assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(response.headers().get(RETRY_AFTER), Some(&HeaderValue::from(2)));
}
