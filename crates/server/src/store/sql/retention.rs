//! The statements of `deletion`, which both engines understand word for word.

/// Closed games, and games that ended long enough ago, as long as something of them is left to delete.
pub(in crate::store) const DUE: &str = "
    SELECT id FROM game
    WHERE id > $4
        AND ((closed = 1 AND COALESCE(closed_at_ms, active_at_ms) <= $1) OR (phase = 'ended' AND ended_at_ms <= $2))
        AND (closed = 0 OR COALESCE(ended_at_ms, closed_at_ms, active_at_ms) <= $3
            OR EXISTS (SELECT 1 FROM game_log WHERE game_log.game_id = game.id)
            OR EXISTS (SELECT 1 FROM game_snapshot WHERE game_snapshot.game_id = game.id))
    ORDER BY id LIMIT $5";

pub(in crate::store) const LOG_SIZE: &str = "
    SELECT count(*), CAST(COALESCE(sum(octet_length(body)), 0) AS BIGINT) FROM game_log WHERE game_id = $1";

pub(in crate::store) const IS_OVER: &str =
    "SELECT EXISTS (SELECT 1 FROM game WHERE id = $1 AND (closed = 1 OR phase = 'ended'))";

pub(in crate::store) const CLOSE: &str = "
    UPDATE game SET closed = 1, closed_at_ms = COALESCE(closed_at_ms, $2), ended_at_ms = COALESCE(ended_at_ms, $2)
    WHERE id = $1 AND (closed = 1 OR phase = 'ended')";

pub(in crate::store) const HOLD: &str = "
    INSERT INTO game_hold (game_id, holder, held_at_ms, until_ms) VALUES ($1, $2, $3, $4)
    ON CONFLICT (game_id) DO UPDATE
    SET holder = excluded.holder, held_at_ms = excluded.held_at_ms, until_ms = excluded.until_ms
    WHERE game_hold.until_ms <= excluded.held_at_ms OR game_hold.holder = excluded.holder";

pub(in crate::store) const RELEASE: &str = "
    UPDATE game_hold SET until_ms = $4 WHERE game_id = $1 AND holder = $2 AND held_at_ms = $3 AND until_ms > $4";

pub(in crate::store) const HOLDS: &str =
    "SELECT game_id, holder, held_at_ms, until_ms FROM game_hold WHERE held_at_ms >= $1";

pub(in crate::store) const IS_HELD: &str =
    "SELECT EXISTS (SELECT 1 FROM game_hold WHERE game_id = $1 AND until_ms > $2)";

pub(in crate::store) const HAS_HOLD: &str =
    "SELECT EXISTS (SELECT 1 FROM game_hold WHERE game_id = $1 AND holder = $2 AND until_ms > $3)";

pub(in crate::store) const MAY_BE_DELETED: &str = "SELECT NOT EXISTS (SELECT 1 FROM game WHERE id = $1 AND closed = 0)";

pub(in crate::store) const SIZES: &str = "
    SELECT seq, CAST(octet_length(body) AS BIGINT) FROM game_log WHERE game_id = $1 ORDER BY seq LIMIT $2";

/// From the front: an owner that has not noticed yet finds its head in place, and puts nothing back.
pub(in crate::store) const DELETE_ROWS: &str = "DELETE FROM game_log WHERE game_id = $1 AND seq <= $2";

pub(in crate::store) const DELETE_PART: &str = "
    DELETE FROM game_snapshot WHERE game_id = $1 AND (name, part) IN (
        SELECT name, part FROM game_snapshot WHERE game_id = $1 ORDER BY name, part DESC LIMIT 1)";

pub(in crate::store) const DELETE_SNAPSHOTS: &str = "DELETE FROM game_snapshot WHERE game_id = $1";

pub(in crate::store) const BLANK_LINE: &str = "UPDATE game SET title = '' WHERE id = $1 AND closed = 1 AND title <> ''";

pub(in crate::store) const DELETE_LINE: &str = "
    DELETE FROM game WHERE id = $1 AND closed = 1 AND COALESCE(ended_at_ms, closed_at_ms, active_at_ms) <= $2
        AND NOT EXISTS (SELECT 1 FROM game_log WHERE game_id = $1)";

/// Jumps from game to game: a log is not read row by row.
pub(in crate::store) const LOG_ORPHANS: &str = "
    WITH RECURSIVE games (id) AS (
        SELECT * FROM (SELECT game_id FROM game_log ORDER BY game_id LIMIT 1) AS first
        UNION ALL
        SELECT (SELECT game_id FROM game_log WHERE game_id > games.id ORDER BY game_id LIMIT 1) FROM games
        WHERE games.id IS NOT NULL
    )
    SELECT id FROM games WHERE id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM game WHERE game.id = games.id)";

pub(in crate::store) const SNAPSHOT_ORPHANS: &str = "
    SELECT DISTINCT game_id FROM game_snapshot
    WHERE NOT EXISTS (SELECT 1 FROM game WHERE game.id = game_snapshot.game_id)";

pub(in crate::store) const SWEEP_SESSIONS: &str =
    "DELETE FROM host_token WHERE expires_at_ms <= $1 OR created_at_ms <= $2";

pub(in crate::store) const SWEEP_HOLDS: &str = "DELETE FROM game_hold WHERE held_at_ms <= $1 AND until_ms <= $1";

pub(in crate::store) const REWRITE: &str = "
    UPDATE game_log SET body = $5, checksum = $6 WHERE game_id = $1 AND seq = $2 AND n = $3 AND batch = $4";

pub(in crate::store) const CLOSED_OF: &str = "SELECT id FROM game WHERE host_id = $1 AND closed = 1 ORDER BY id";
