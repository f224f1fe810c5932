//! The moments of a game, read from its whole log, and their pictures.
//!
//! Called by `registry` for a replay. Each request reads the log at most once, row after row, in the turns for loads, and no
//! further than its picture. A pass keeps the pictures of one block of moments for a while (`node/films.rs`), so that playing
//! them one after another does not read the log for each. A block is found only as long as the log has not grown and was not
//! rewritten.

use std::ops::Range;
use std::time::Duration;

use bytes::Bytes;
use quizhall_engine::claim::ClaimError;
use quizhall_engine::{Film, Moments};
use quizhall_rules::GameId;
use tokio::time::timeout;

use super::{beside, unread};
use crate::games::error::GameError;
use crate::games::node::Node;
use crate::games::node::films::Block;
use crate::store;

/// Moments whose pictures are kept together. A game of 40 questions and 1,000 players has some 3,000 moments.
const BLOCK: usize = 64;
/// How long a request may wait for its turn.
const TURN: Duration = Duration::from_secs(10);

/// The moments of a game, and the pictures of those with these places; `None` when it has no log.
pub(in crate::games) async fn film(node: &Node, game: GameId, wanted: Range<usize>) -> Result<Option<Film>, GameError> {
    let passes = timeout(TURN, node.films.passes.acquire()).await;
    // The semaphores are never closed.
    let (_pass, _turn) = (passes.map_err(|_| GameError::Busy)?, node.loads.acquire().await);
    match read(node, game, wanted).await? {
        Ok(film) => Ok(Some(film)),
        Err(ClaimError::Empty) => Ok(None),
        Err(error) => {
            node.found_damaged(game, &error);
            Err(GameError::Damaged)
        }
    }
}

/// The picture of one moment; `None` when there is none.
pub(in crate::games) async fn picture(node: &Node, game: GameId, index: usize) -> Result<Option<Bytes>, GameError> {
    let number = index / BLOCK;
    let load = async {
        let film = film(node, game, number * BLOCK..(number + 1) * BLOCK).await?;
        Ok::<Block, GameError>(film.map(|film| film.pictures).unwrap_or_default().into())
    };
    let block = match node.with_timeout(node.store.log_mark(game)).await? {
        Some(mark) => node.films.get((game, mark, number), load).await?,
        None => load.await?,
    };
    Ok(block.get(index % BLOCK).cloned())
}

/// Gives a log to the engine, page by page.
async fn read(node: &Node, game: GameId, wanted: Range<usize>) -> Result<Result<Film, ClaimError>, GameError> {
    let mut moments = Moments::new(wanted);
    loop {
        let page = node.in_time(node.store.read_log_page(game, moments.next_seq())).await;
        let rows = page.map_err(|error| unread(node, game, &error))?;
        let ends = store::is_last_page(&rows);
        let taken = beside(move || {
            rows.iter().try_for_each(|row| moments.row(row, row.at_ms))?;
            Ok::<_, ClaimError>(moments)
        });
        moments = match taken.await.map_err(|_| GameError::Unavailable)? {
            Ok(moments) => moments,
            Err(error) => return Ok(Err(error)),
        };
        if ends || moments.has_wanted() {
            return Ok(moments.finish());
        }
    }
}
