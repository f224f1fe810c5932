//! The tokens of spectators: a random id and its proof under the secret of the game, so that no spectator is stored.
//!
//! Called by `http` and the upgrade. Whether the host lets spectators watch is in the game's state, not here.

use quizhall_engine::Viewer;
use quizhall_rules::State;
use subtle::ConstantTimeEq as _;
use uuid::Uuid;

use super::player_token::of_game_secret;
use super::token::{SECRET_BYTES, SpectatorSecret, ViewerToken};

/// Bytes of the id; as many of the proof follow.
const ID_BYTES: usize = SECRET_BYTES / 2;

/// A token for a new spectator of the game with this secret.
pub fn new_spectator(join_secret: &[u8; 32]) -> SpectatorSecret {
    let id = Uuid::new_v4();
    let mut secret = [0; SECRET_BYTES];
    secret[..ID_BYTES].copy_from_slice(id.as_bytes());
    secret[ID_BYTES..].copy_from_slice(&proof(join_secret, id.as_bytes()));
    SpectatorSecret(secret)
}

impl ViewerToken {
    /// Whose token it is in this state of the game that it names.
    pub fn viewer_in(&self, state: &State) -> Option<Viewer> {
        match self {
            Self::Screen(token) => state.screens().by_token(token).map(Viewer::Screen),
            Self::Spectator(secret) => {
                spectator_of(state.join_secret(), secret).filter(|_| state.may_watch()).map(Viewer::Spectator)
            }
        }
    }
}

/// Whose token it is, if the game with this secret has made it.
pub fn spectator_of(join_secret: &[u8; 32], presented: &SpectatorSecret) -> Option<Uuid> {
    let (id, shown) = presented.0.split_at(ID_BYTES);
    let is_genuine: bool = proof(join_secret, id).ct_eq(shown).into();
    is_genuine.then(|| Uuid::from_slice(id).ok()).flatten()
}

fn proof(join_secret: &[u8; 32], id: &[u8]) -> [u8; ID_BYTES] {
    let whole = of_game_secret(join_secret, b"quizhall spectator\0", id);
    std::array::from_fn(|at| whole[at])
}
