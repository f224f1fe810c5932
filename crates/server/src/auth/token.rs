//! The tokens: 256 random bits in base64url after a prefix that names their kind. Stored and found by SHA-256.
//!
//! None of these types prints anything of its content.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use quizhall_rules::{GameId, ScreenId, TokenHash};
use rand::Rng as _;
use secrecy::{ExposeSecret as _, SecretString};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;
use uuid::Uuid;

use super::player_token::of_game_secret;

/// Most bytes of a presented token; a longer one is not read.
const MAX_PRESENTED: usize = 512;

pub(super) const HOST_PREFIX: &str = "qh_";
pub(super) const PLAYER_PREFIX: &str = "qp_";
pub(super) const NAMED_PREFIX: &str = "qk_";
pub(super) const SET_UP_PREFIX: &str = "qs_";
pub(super) const RESULTS_PREFIX: &str = "qr_";
const SCREEN_PREFIX: &str = "qw_";
pub(super) const PAIRING_PREFIX: &str = "qc_";
const CO_HOST_PREFIX: &str = "qo_";
pub(super) const SPECTATOR_PREFIX: &str = "qv_";

/// Secret bytes in a token.
pub(super) const SECRET_BYTES: usize = 32;

/// Bytes of the game's id at the front of a player's or a screen's token, by which the game is found without a search.
pub(super) const GAME_BYTES: usize = 16;

/// A host's token, given to its owner once; also the token of the set-up link.
#[derive(Clone)]
pub struct HostToken(SecretString);

impl HostToken {
    /// A fresh session token, `qh_…`.
    pub fn session() -> Self {
        Self::random(HOST_PREFIX)
    }

    /// A fresh token for a program, `qk_…`.
    pub fn named() -> Self {
        Self::random(NAMED_PREFIX)
    }

    /// A fresh token for the set-up link, `qs_…`.
    pub fn set_up() -> Self {
        Self::random(SET_UP_PREFIX)
    }

    /// The token itself, for its owner.
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }

    /// The hash to store.
    pub fn hash(&self) -> HostTokenHash {
        HostTokenHash::of(self.expose())
    }

    fn random(prefix: &str) -> Self {
        Self(format!("{prefix}{}", URL_SAFE_NO_PAD.encode(random_bytes())).into())
    }
}

/// SHA-256 of a host's token, which is stored and identifies a session inside the service.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct HostTokenHash(pub(crate) [u8; 32]);

impl HostTokenHash {
    /// The hash of this token.
    pub fn of(token: &str) -> Self {
        Self(sha256(token.as_bytes()))
    }

    /// Whether two hashes are equal; the comparison takes the same time for all hashes.
    pub(super) fn matches(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

/// A player's token: `qp_` and base64url of the game's id and 32 secret bytes.
#[derive(Clone)]
pub struct PlayerToken(SecretString);

impl PlayerToken {
    pub(super) fn new(game: GameId, secret: [u8; SECRET_BYTES]) -> Self {
        Self(of_game(PLAYER_PREFIX, game, secret).into())
    }

    /// The token itself, for its owner.
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }

    /// The hash that the game's log stores.
    pub fn hash(&self) -> TokenHash {
        TokenHash(sha256(self.expose().as_bytes()))
    }
}

/// A screen's token: `qw_` and base64url of the game's id and 32 secret bytes.
#[derive(Clone)]
pub struct ScreenToken(SecretString);

impl ScreenToken {
    /// A fresh token of a screen of `game`.
    pub fn random(game: GameId) -> Self {
        Self::new(game, random_bytes())
    }

    /// The token in `game`, with this secret, for the screen that had this id in the previous game; the same each time.
    pub fn following(game: GameId, join_secret: &[u8; 32], before: ScreenId) -> Self {
        Self::new(game, of_game_secret(join_secret, b"quizhall next screen\0", before.uuid().as_bytes()))
    }

    fn new(game: GameId, secret: [u8; SECRET_BYTES]) -> Self {
        Self(of_game(SCREEN_PREFIX, game, secret).into())
    }

    /// The token itself, for the screen.
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }

    /// The hash that the game's log stores.
    pub fn hash(&self) -> TokenHash {
        TokenHash(sha256(self.expose().as_bytes()))
    }
}

/// A co-host's token: `qo_` and base64url of the game's id and 32 secret bytes.
#[derive(Clone)]
pub struct CoHostToken(SecretString);

impl CoHostToken {
    /// A fresh token of a co-host of `game`.
    pub fn random(game: GameId) -> Self {
        Self(of_game(CO_HOST_PREFIX, game, random_bytes()).into())
    }

    /// The token itself, for the co-host.
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }

    /// The hash that the game's log stores.
    pub fn hash(&self) -> TokenHash {
        TokenHash(sha256(self.expose().as_bytes()))
    }
}

/// The secret of a screen that shows a code: `qc_` and base64url of 32 secret bytes, from which its token will be made.
#[derive(Clone)]
pub struct PairingSecret([u8; SECRET_BYTES]);

impl PairingSecret {
    /// A fresh secret.
    pub fn random() -> Self {
        Self(random_bytes())
    }

    /// The secret itself, shown to the screen once.
    pub fn expose(&self) -> SecretString {
        format!("{PAIRING_PREFIX}{}", URL_SAFE_NO_PAD.encode(self.0)).into()
    }

    /// The hash to store.
    pub fn hash(&self) -> [u8; 32] {
        sha256(&self.0)
    }

    /// The token of the screen in this game, the same each time.
    pub fn token(&self, game: GameId) -> ScreenToken {
        ScreenToken::new(game, sha256(&[&self.0[..], game.uuid().as_bytes()].concat()))
    }
}

/// The secret part of a spectator's token: an id and its proof, so that nothing of it has to be stored
/// (`spectator_token`).
#[derive(Clone, Copy)]
pub struct SpectatorSecret(pub(super) [u8; SECRET_BYTES]);

impl SpectatorSecret {
    /// The token itself, for the spectator: `qv_` and base64url of the game's id and the secret.
    pub fn expose(&self, game: GameId) -> SecretString {
        of_game(SPECTATOR_PREFIX, game, self.0).into()
    }
}

/// The token that a screen or a spectator presents.
#[derive(Clone, Copy)]
pub enum ViewerToken {
    /// The hash of a screen's token.
    Screen(TokenHash),
    /// The secret of a spectator's token.
    Spectator(SpectatorSecret),
}

/// A token that names its game.
fn of_game(prefix: &str, game: GameId, secret: [u8; SECRET_BYTES]) -> String {
    let mut bytes = [0; GAME_BYTES + SECRET_BYTES];
    bytes[..GAME_BYTES].copy_from_slice(game.uuid().as_bytes());
    bytes[GAME_BYTES..].copy_from_slice(&secret);
    format!("{prefix}{}", URL_SAFE_NO_PAD.encode(bytes))
}

/// The token of a results link: `qr_` and base64url of 32 secret bytes.
#[derive(Clone)]
pub struct ResultsToken(SecretString);

impl ResultsToken {
    pub(super) fn new(secret: [u8; SECRET_BYTES]) -> Self {
        Self(format!("{RESULTS_PREFIX}{}", URL_SAFE_NO_PAD.encode(secret)).into())
    }

    /// The token itself, for the link.
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }

    /// The hash to store.
    pub fn hash(&self) -> [u8; 32] {
        sha256(self.expose().as_bytes())
    }
}

/// A token as a request presented it, not checked yet.
#[derive(Clone)]
pub struct Presented(SecretString);

impl Presented {
    /// Takes the text of the request; a text that cannot be a token becomes one that is never valid.
    pub fn new(text: &str) -> Self {
        let plausible = text.len() <= MAX_PRESENTED && text.bytes().all(|byte| byte.is_ascii_graphic());
        Self(if plausible { text.into() } else { String::new().into() })
    }

    /// Whether both contain the same token.
    pub(super) fn same_as(&self, other: &Self) -> bool {
        self.0.expose_secret().as_bytes().ct_eq(other.0.expose_secret().as_bytes()).into()
    }

    /// Its hash as a host's token.
    pub(super) fn host_hash(&self) -> HostTokenHash {
        HostTokenHash::of(self.0.expose_secret())
    }

    /// Whether it has the form of a session token, or of a token for programs.
    pub(super) fn looks_like_session(&self) -> bool {
        let text = self.0.expose_secret();
        text.starts_with(HOST_PREFIX) || text.starts_with(NAMED_PREFIX)
    }

    /// Whether it has the form of a set-up link's token.
    pub(super) fn looks_like_set_up(&self) -> bool {
        self.0.expose_secret().starts_with(SET_UP_PREFIX)
    }

    /// Its hash, if it has the form of a results link's token.
    pub fn as_results(&self) -> Option<[u8; 32]> {
        let text = self.0.expose_secret();
        let secret = URL_SAFE_NO_PAD.decode(text.strip_prefix(RESULTS_PREFIX)?).ok()?;
        (secret.len() == SECRET_BYTES).then(|| sha256(text.as_bytes()))
    }

    /// The game it names and its hash, if it has the form of a player's token.
    pub fn as_player(&self) -> Option<(GameId, TokenHash)> {
        self.named_game(PLAYER_PREFIX)
    }

    /// The secret of a screen that shows a code, if it has the form of one.
    pub(crate) fn as_pairing(&self) -> Option<PairingSecret> {
        let secret = URL_SAFE_NO_PAD.decode(self.0.expose_secret().strip_prefix(PAIRING_PREFIX)?).ok()?;
        secret.try_into().ok().map(PairingSecret)
    }

    /// The game it names and the token, if it has the form of a screen's or a spectator's token. Whether the game knows the
    /// token is not checked here.
    pub fn as_viewer(&self) -> Option<(GameId, ViewerToken)> {
        let of_spectator = || {
            let (game, secret) = self.of_game(SPECTATOR_PREFIX)?;
            Some((game, ViewerToken::Spectator(SpectatorSecret(secret))))
        };
        let of_screen = self.named_game(SCREEN_PREFIX);
        of_screen.map(|(game, token)| (game, ViewerToken::Screen(token))).or_else(of_spectator)
    }

    /// The game it names and its hash, if it has the form of a co-host's token.
    pub(crate) fn as_co_host(&self) -> Option<(GameId, TokenHash)> {
        self.named_game(CO_HOST_PREFIX)
    }

    fn named_game(&self, prefix: &str) -> Option<(GameId, TokenHash)> {
        let (game, _) = self.of_game(prefix)?;
        Some((game, TokenHash(sha256(self.0.expose_secret().as_bytes()))))
    }

    fn of_game(&self, prefix: &str) -> Option<(GameId, [u8; SECRET_BYTES])> {
        let bytes = URL_SAFE_NO_PAD.decode(self.0.expose_secret().strip_prefix(prefix)?).ok()?;
        let (game, secret) = bytes.split_at_checked(GAME_BYTES)?;
        Some((Uuid::from_slice(game).ok()?.into(), secret.try_into().ok()?))
    }
}

/// 256 bits from the thread's generator, which the operating system seeds.
pub(super) fn random_bytes() -> [u8; SECRET_BYTES] {
    let mut bytes = [0; SECRET_BYTES];
    rand::rng().fill_bytes(&mut bytes);
    bytes
}

pub(super) fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

macro_rules! prints_nothing {
    ($($name:ident)*) => { $(
        impl fmt::Debug for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(concat!(stringify!($name), "(…)"))
            }
        }
    )* };
}

prints_nothing!(CoHostToken HostToken HostTokenHash PlayerToken ResultsToken ScreenToken SpectatorSecret PairingSecret Presented);
