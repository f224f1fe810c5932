//! The statements that both engines understand word for word. Those that only one of them has stand beside their use.
//!
//! Ids are bound as they are stored (`Uuid`), numbers of 64 bits bit for bit as signed ones, yes and no as 1 and 0.

pub(super) mod retention;

pub(super) mod games {
    /// Gives a code back when its game ended long enough ago.
    pub(in crate::store) const RELEASE_CODE: &str = "
        UPDATE game SET code_held = 0 WHERE code = $1 AND code_held = 1 AND ended_at_ms <= $2";

    pub(in crate::store) const COUNT_LIVE: &str =
        "SELECT count(*) FROM game WHERE host_id = $1 AND closed = 0 AND phase <> 'ended'";

    pub(in crate::store) const INSERT: &str = "
        INSERT INTO game (id, host_id, code, title, phase, created_at_ms, active_at_ms, quiz_id)
        VALUES ($1, $2, $3, $4, 'lobby', $5, $5, $6)
        ON CONFLICT (code) WHERE code_held = 1 DO NOTHING";

    pub(in crate::store) const BY_CODE: &str = "
        SELECT id FROM game
        WHERE code = $1 AND code_held = 1 AND closed = 0 AND (ended_at_ms IS NULL OR ended_at_ms > $2)";

    pub(in crate::store) const BY_ID: &str = "
        SELECT id, host_id, quiz_id, code, title, phase, closed, created_at_ms, ended_at_ms, damaged FROM game WHERE id = $1";

    pub(in crate::store) const OF_HOST: &str = "
        SELECT id, host_id, quiz_id, code, title, phase, closed, created_at_ms, ended_at_ms, damaged FROM game
        WHERE host_id = $1 AND closed = 0 ORDER BY created_at_ms DESC, id DESC LIMIT 1000";

    pub(in crate::store) const ALL_OF_HOST: &str = "
        SELECT id, host_id, quiz_id, code, title, phase, closed, created_at_ms, ended_at_ms, damaged FROM game
        WHERE host_id = $1 ORDER BY created_at_ms, id";

    pub(in crate::store) const STILL: &str = "
        SELECT id, host_id, quiz_id, code, title, phase, closed, created_at_ms, ended_at_ms, damaged FROM game
        WHERE closed = 0 AND phase <> 'ended' AND active_at_ms < $1 ORDER BY created_at_ms, id";

    /// The lines and the logs after an id. The logs' ids are found one behind the other, each by the index.
    pub(in crate::store) const EVERY: &str = "
        WITH RECURSIVE log_ids (id) AS (
            SELECT * FROM (SELECT game_id FROM game_log WHERE game_id > $1 ORDER BY game_id LIMIT 1) AS first
            UNION ALL
            SELECT (SELECT game_id FROM game_log WHERE game_id > log_ids.id ORDER BY game_id LIMIT 1) FROM log_ids
            WHERE log_ids.id IS NOT NULL
        )
        SELECT id, max(closed) AS closed, max(has_line) AS has_line FROM (
            SELECT * FROM (SELECT id, closed, 1 AS has_line FROM game WHERE id > $1 ORDER BY id LIMIT 256) AS lines
            UNION ALL
            SELECT * FROM (SELECT id, 0, 0 FROM log_ids WHERE id IS NOT NULL LIMIT 256) AS logs
        ) AS every GROUP BY id ORDER BY id LIMIT 256";

    pub(in crate::store) const MARK_DAMAGED: &str = "UPDATE game SET damaged = $2 WHERE id = $1 AND damaged <> $2";

    pub(in crate::store) const CLOSE: &str = "UPDATE game SET closed = 1, closed_at_ms = $2, ended_at_ms = COALESCE(ended_at_ms, $2) WHERE id = $1 AND closed = 0";
}

pub(super) mod log {
    pub(in crate::store) const BEGIN: &str =
        "INSERT INTO game_log (game_id, seq, n, epoch, batch, body, checksum) VALUES ($1, 0, 1, 0, $2, $3, $4)";

    /// The rows of a page (game, first event, most rows, most bytes), in order. Where it ends is found by the rows' sizes
    /// alone, which stand apart from large bodies, and by no more rows than the page has: with rows of 36 KB a page of 1 MiB
    /// takes 1.6 ms, and 50 ms when the sizes of 4,096 rows are added up first.
    macro_rules! page {
        () => {
            "
    SELECT seq, n, epoch, batch, checksum, body FROM game_log
    WHERE game_id = $1 AND seq >= $2 AND seq < COALESCE((
        SELECT seq FROM (
            SELECT seq, sum(size) OVER so_far - size AS before, row_number() OVER so_far AS place FROM (
                SELECT seq, octet_length(body) AS size FROM game_log
                WHERE game_id = $1 AND seq >= $2 ORDER BY seq LIMIT $3
            ) AS sizes
            WINDOW so_far AS (ORDER BY seq ROWS UNBOUNDED PRECEDING)
        ) AS sums
        WHERE before >= $4 AND place > 2 LIMIT 1), 9223372036854775807)
    ORDER BY seq LIMIT $3"
        };
    }
    pub(in crate::store) use page;

    pub(in crate::store) const PAGE: &str = page!();

    pub(in crate::store) const HEAD: &str =
        "SELECT seq, batch FROM game_log WHERE game_id = $1 ORDER BY seq DESC LIMIT 1";
}

pub(super) mod probe {
    pub(in crate::store) const WRITE: &str = "UPDATE probe SET count = count + 1, at_ms = $1 WHERE id = 1";
}

pub(super) mod nodes {
    pub(in crate::store) const ENTER: &str = "
        INSERT INTO node (id, name, version, entered_at_ms, seen_at_ms, beat, games, sockets, bus_lag_us, draining)
        VALUES ($1, $2, $3, $4, $4, 1, 0, 0, NULL, 0)
        ON CONFLICT (id) DO NOTHING";

    pub(in crate::store) const RENEW: &str = "
        UPDATE node SET seen_at_ms = $2, beat = beat + 1, games = $3, sockets = $4, bus_lag_us = $5, draining = $6
        WHERE id = $1 RETURNING beat";

    pub(in crate::store) const EVICT: &str = "DELETE FROM node WHERE id = $1 AND seen_at_ms <= $2";

    pub(in crate::store) const LEAVE: &str = "DELETE FROM node WHERE id = $1";

    pub(in crate::store) const FREE_GAMES: &str = "UPDATE game SET owner = NULL WHERE owner = $1";

    pub(in crate::store) const LIST: &str = "
        SELECT id, name, version, $1 - seen_at_ms AS age_ms, $1 - entered_at_ms AS up_ms, games, sockets, bus_lag_us,
            draining
        FROM node ORDER BY entered_at_ms, id";

    pub(in crate::store) const OWNER: &str = "
        SELECT owner, EXISTS (SELECT 1 FROM node WHERE node.id = game.owner) AS listed FROM game WHERE id = $1";

    /// Compare and set. Whoever loses a race finds another owner than it expected, or waits for the winner and finds
    /// it then.
    pub(in crate::store) const MOVE_GAME: &str = "
        UPDATE game SET owner = $4
        WHERE id = $1 AND owner IS NOT DISTINCT FROM $3
            AND ($3 IS NULL OR $3 = $2 OR NOT EXISTS (SELECT 1 FROM node WHERE node.id = $3))";
}

pub(super) mod accounts {
    pub(in crate::store) const COUNT: &str = "SELECT count(*) FROM host WHERE password_hash IS NOT NULL";

    pub(in crate::store) const INSERT: &str = "
        INSERT INTO host (id, name, name_key, password_hash, created_at_ms) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (name_key) DO NOTHING";

    pub(in crate::store) const BY_NAME: &str =
        "SELECT id, name, password_hash, disabled_at_ms FROM host WHERE name_key = $1";

    pub(in crate::store) const SET_PASSWORD: &str = "UPDATE host SET password_hash = $2 WHERE id = $1";

    pub(in crate::store) const END_ALL: &str = "DELETE FROM host_token WHERE host_id = $1 RETURNING hash";

    pub(in crate::store) const CREATE_SESSION: &str =
        "INSERT INTO host_token (hash, host_id, created_at_ms, expires_at_ms) VALUES ($1, $2, $3, $4)";

    pub(in crate::store) const SESSION: &str = "
        SELECT h.id AS host_id, h.name, t.expires_at_ms FROM host_token t JOIN host h ON h.id = t.host_id
        WHERE t.hash = $1 AND t.expires_at_ms > $2 AND h.disabled_at_ms IS NULL";

    pub(in crate::store) const END: &str = "DELETE FROM host_token WHERE hash = $1";

    pub(in crate::store) const LIST: &str = "
        SELECT id, name, created_at_ms, disabled_at_ms, password_hash IS NOT NULL AS has_password,
            (SELECT count(*) FROM quiz WHERE quiz.host_id = host.id) AS quizzes,
            (SELECT count(*) FROM game WHERE game.host_id = host.id AND game.closed = 0) AS games
        FROM host ORDER BY name_key";

    pub(in crate::store) const EXISTS: &str = "SELECT EXISTS (SELECT 1 FROM host WHERE id = $1)";

    pub(in crate::store) const NAME_TAKEN: &str = "SELECT EXISTS (SELECT 1 FROM host WHERE name_key = $2 AND id <> $1)";

    pub(in crate::store) const RENAME: &str = "UPDATE host SET name = $2, name_key = $3 WHERE id = $1";

    /// Whether somebody can sign in, but to this account alone.
    pub(in crate::store) const IS_LAST: &str = "
        SELECT EXISTS (SELECT 1 FROM host WHERE id = $1 AND password_hash IS NOT NULL AND disabled_at_ms IS NULL)
            AND NOT EXISTS (SELECT 1 FROM host WHERE id <> $1 AND password_hash IS NOT NULL AND disabled_at_ms IS NULL)";

    pub(in crate::store) const DISABLE: &str = "
        UPDATE host SET disabled_at_ms = CASE WHEN $2 IS NULL THEN NULL ELSE COALESCE(disabled_at_ms, $2) END WHERE id = $1";

    pub(in crate::store) const COUNT_OWNED: &str = "
        SELECT (SELECT count(*) FROM game WHERE host_id = $1) AS games, (SELECT count(*) FROM quiz WHERE host_id = $1) AS quizzes";

    pub(in crate::store) const HAND_GAMES: &str = "UPDATE game SET host_id = $2 WHERE host_id = $1";

    pub(in crate::store) const HAND_QUIZZES: &str = "UPDATE quiz SET host_id = $2 WHERE host_id = $1";

    pub(in crate::store) const DELETE: &str = "DELETE FROM host WHERE id = $1";

    pub(in crate::store) const CLOSE_GAMES: &str = "
        UPDATE game SET closed = 1, closed_at_ms = $2, ended_at_ms = COALESCE(ended_at_ms, $2)
        WHERE host_id = $1 AND closed = 0";

    pub(in crate::store) const DELETE_QUIZZES: &str = "DELETE FROM quiz WHERE host_id = $1";
}

pub(super) mod quizzes {
    pub(in crate::store) const INSERT: &str = "
        INSERT INTO quiz (id, host_id, title, round_count, question_count, body, created_at_ms, updated_at_ms)
        SELECT $1, $2, $3, $4, $5, $6, $7, $8
        WHERE (SELECT count(*) FROM quiz WHERE host_id = $2) < $9";

    pub(in crate::store) const REPLACE: &str = "
        UPDATE quiz SET title = $3, round_count = $4, question_count = $5, body = $6, updated_at_ms = $7
        WHERE id = $1 AND host_id = $2";

    pub(in crate::store) const DELETE: &str = "DELETE FROM quiz WHERE id = $1 AND host_id = $2";

    pub(in crate::store) const OF_HOST: &str = "
        SELECT id, title, round_count, question_count, updated_at_ms,
            (SELECT max(created_at_ms) FROM game
             WHERE game.host_id = quiz.host_id AND game.quiz_id = quiz.id AND phase <> 'lobby') AS last_played_at_ms
        FROM quiz WHERE host_id = $1 ORDER BY updated_at_ms DESC, id DESC";

    pub(in crate::store) const ONE: &str = "
        SELECT id, host_id, title, round_count, question_count, body, created_at_ms, updated_at_ms FROM quiz
        WHERE id = $1 AND host_id = $2";
}

pub(super) mod snapshots {
    /// Nothing for a game that is being erased from, or was until `$11`: the state may hold what is to be erased.
    pub(in crate::store) const ADD: &str = "
        INSERT INTO game_snapshot (game_id, name, part, seq, batch, next_seq, format, parts, checksum, body)
        SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10
        WHERE NOT EXISTS (SELECT 1 FROM game_hold WHERE game_id = $1 AND until_ms > $11)";

    pub(in crate::store) const HEADS: &str = "
        SELECT DISTINCT seq, batch FROM game_snapshot WHERE game_id = $1 AND parts IS NOT NULL ORDER BY seq DESC, batch";

    pub(in crate::store) const COMPLETE: &str = "
        SELECT name, next_seq, format, parts, checksum FROM game_snapshot
        WHERE game_id = $1 AND seq = $2 AND batch = $3 AND parts IS NOT NULL ORDER BY name";

    pub(in crate::store) const PART: &str =
        "SELECT body FROM game_snapshot WHERE game_id = $1 AND name = $2 AND part = $3";

    /// What is in the way of the one with the name `$2`: all but it and the newest other one that is complete and
    /// belongs to the log. The last part first, so that none looks complete that is not.
    pub(in crate::store) const SUPERSEDED: &str = "
        SELECT name, part FROM game_snapshot WHERE game_id = $1 AND name NOT IN (
            SELECT s.name FROM game_snapshot s
            WHERE s.game_id = $1 AND s.parts IS NOT NULL AND EXISTS (
                SELECT 1 FROM game_log l WHERE l.game_id = $1 AND l.seq = s.seq AND l.batch = s.batch)
            ORDER BY CASE WHEN s.name = $2 THEN 0 ELSE 1 END, s.seq DESC, s.name LIMIT 2)
        ORDER BY name, part DESC";

    pub(in crate::store) const DELETE_PART: &str =
        "DELETE FROM game_snapshot WHERE game_id = $1 AND name = $2 AND part = $3";
}
