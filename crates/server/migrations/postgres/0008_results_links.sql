-- Links to the released results of a game, at most one per game. Its token is derived from `nonce` and a secret of the
-- game's log; `hash` is the SHA-256 of the token, by which the link is found.

CREATE TABLE results_link (
    game_id       UUID NOT NULL PRIMARY KEY REFERENCES game (id) ON DELETE CASCADE,
    nonce         BYTEA NOT NULL,
    hash          BYTEA NOT NULL,
    created_at_ms BIGINT NOT NULL
);
CREATE UNIQUE INDEX results_link_hash ON results_link (hash);
