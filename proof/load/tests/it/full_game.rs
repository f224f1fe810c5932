//! `evening` when it cannot begin: an error in words, without the token.

use quizhall_client::Token;
use quizhall_load::full_game::{self, Features, Options, Source};

use crate::fake;

#[tokio::test]
async fn a_server_that_will_not_store_the_quiz_is_an_error_without_the_token() {
    let (endpoint, _) = fake::serve(1).await;
    let options = Options {
        nodes: vec![endpoint],
        token: Token::new("qh_a-secret-token"),
        players: 3,
        devices: None,
        source: Source::Invented,
        rounds: None,
        questions: None,
        features: Features::default(),
        think: "1ms..2ms".parse().unwrap(),
        chaos: 0.0,
        seed: 1,
        allow_losses: false,
        quiet: true,
    };
    let error = full_game::run(options.clone()).await.unwrap_err();
    let text = format!("{error:#} {error:?} {options:?}");
    assert!(text.contains("the quiz could not be stored: HTTP 404"), "{text}");
    assert!(!text.contains("secret"), "{text}");
}
