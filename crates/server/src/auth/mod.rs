//! Authentication: tokens and how they arrive, host accounts and sessions.
//!
//! Called by `http`, `upgrade` and `cli`. Secrets are compared by hash, never logged and never repeated; every refusal
//! of a token is the same, whatever was wrong with it (promise 19). Knows neither axum nor SQL.

mod account_name;
mod carrier;
mod game_code;
mod hosts;
mod next_game;
mod oidc;
mod passwords;
mod player_token;
mod results_token;
mod scopes;
pub mod sessions;
mod set_up;
mod spectator_token;
mod token;
mod token_form;

pub use account_name::{MAX_NAME, NameMistake, account_name, name_key};
pub use carrier::Carrier;
pub use game_code::{
    LENGTH as CODE_LENGTH, LONGEST as LONGEST_TYPED_CODE, code_pattern, random_code, random_team_code, tidy_code,
    tidy_team_code, typed_pattern,
};
pub use hosts::{
    AccountError, HostGrant, HostSession, Hosts, MOST_TOKENS, NewPassword, Notify, Sample, Shared, SignedIn,
};
pub use next_game::{next_game_key, went_on_as};
pub use oidc::{BegunSignIn, ExternalAccount, OidcError, Provider};
pub use passwords::{Busy, LONGEST_PASSWORD, PasswordMistake, Passwords, SHORTEST_PASSWORD, Standing};
pub use player_token::{IssuedToken, idempotency_hash, moved_token, player_token, seat_code_hash};
pub use results_token::{NONCE_BYTES, results_token};
pub use scopes::Scopes;
pub use spectator_token::{new_spectator, spectator_of};
pub use token::{
    CoHostToken, HostToken, HostTokenHash, PairingSecret, PlayerToken, Presented, ResultsToken, ScreenToken,
    SpectatorSecret, ViewerToken,
};
pub use token_form::TokenForm;
