-- The whole service on many machines: accounts, quizzes, games, and the log that is a game's truth.
-- Times are milliseconds since 1970; 0/1 are no and yes, so that both engines share their statements.

CREATE TABLE host (
    id            UUID    NOT NULL PRIMARY KEY,
    name          TEXT    NOT NULL,
    name_key      TEXT    NOT NULL,
    password_hash TEXT,
    created_at_ms BIGINT  NOT NULL
);
CREATE UNIQUE INDEX host_name_key ON host (name_key);

-- A session: the SHA-256 of a bearer token, never the token.
CREATE TABLE host_token (
    hash          BYTEA   NOT NULL PRIMARY KEY,
    host_id       UUID    NOT NULL REFERENCES host (id) ON DELETE CASCADE,
    created_at_ms BIGINT  NOT NULL,
    expires_at_ms BIGINT  NOT NULL
);
CREATE INDEX host_token_host ON host_token (host_id);
CREATE INDEX host_token_expires ON host_token (expires_at_ms);

CREATE TABLE quiz (
    id             UUID    NOT NULL PRIMARY KEY,
    host_id        UUID    NOT NULL REFERENCES host (id) ON DELETE CASCADE,
    title          TEXT    NOT NULL,
    round_count    BIGINT  NOT NULL,
    question_count BIGINT  NOT NULL,
    body           TEXT    NOT NULL,
    created_at_ms  BIGINT  NOT NULL,
    updated_at_ms  BIGINT  NOT NULL
);
CREATE INDEX quiz_host ON quiz (host_id, updated_at_ms);

-- One line per game. Phase, end and closing are copied from the log, in the log's own statement.
-- A game holds its code until 24 h after its end; the index makes two holders impossible.
CREATE TABLE game (
    id            UUID    NOT NULL PRIMARY KEY,
    host_id       UUID    NOT NULL REFERENCES host (id),
    code          TEXT    NOT NULL,
    code_held     INTEGER NOT NULL DEFAULT 1,
    title         TEXT    NOT NULL,
    phase         TEXT    NOT NULL,
    closed        INTEGER NOT NULL DEFAULT 0,
    created_at_ms BIGINT  NOT NULL,
    ended_at_ms   BIGINT,
    -- About when its log last grew; exact to a minute, so that a busy game does not write this line with every row.
    active_at_ms  BIGINT  NOT NULL
);
CREATE UNIQUE INDEX game_code_held ON game (code) WHERE code_held = 1;
CREATE INDEX game_host ON game (host_id, created_at_ms);
CREATE INDEX game_live ON game (host_id) WHERE closed = 0 AND phase <> 'ended';

-- The truth: rows of events. `seq` is the row's first event, `n` how many it holds, `batch` its random name.
-- A row is only ever added behind the row that its writer saw last (see store/postgres/log.rs).
CREATE TABLE game_log (
    game_id UUID    NOT NULL,
    seq     BIGINT  NOT NULL,
    n       BIGINT  NOT NULL,
    epoch   BIGINT  NOT NULL,
    batch   BIGINT  NOT NULL,
    body    TEXT    NOT NULL,
    PRIMARY KEY (game_id, seq)
);
