-- Links to the released results of a game, at most one per game. Its token is derived from `nonce` and a secret of the
-- game's log; `hash` is the SHA-256 of the token, by which the link is found.

CREATE TABLE results_link (
    game_id       BLOB NOT NULL PRIMARY KEY REFERENCES game (id) ON DELETE CASCADE,
    nonce         BLOB NOT NULL,
    hash          BLOB NOT NULL,
    created_at_ms INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX results_link_hash ON results_link (hash);
