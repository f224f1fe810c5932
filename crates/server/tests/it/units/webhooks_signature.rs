//! The signature of a delivery: the example of the Standard Webhooks specification.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use quizhall::webhooks::{shown_secret, signatures};

#[test]
fn the_example_of_the_specification_has_its_signature() {
    let (secret, new) = (STANDARD.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap(), vec![7; 32]);
    let body = r#"{"test": 2432232314}"#;
    let signed = |keys: &[Vec<u8>]| signatures(keys, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, body);
    let known = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
    assert_eq!(signed(std::slice::from_ref(&secret)), known);
    assert_eq!(shown_secret(&secret), "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    // The specification separates the signatures of several keys by spaces.
    assert_eq!(signed(&[new.clone(), secret]), format!("{} {known}", signed(&[new])));
}
