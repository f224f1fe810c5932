-- Codes that screens show until a host has typed them. `hash` is the SHA-256 of the secret that the screen asks with; the token of the
-- screen is made of that secret and the game, and is stored nowhere. `added` is 1 once the game has the screen.

CREATE TABLE screen_pairing (
    code          TEXT NOT NULL PRIMARY KEY,
    hash          BLOB NOT NULL,
    expires_at_ms INTEGER NOT NULL,
    game_id       BLOB REFERENCES game (id) ON DELETE CASCADE,
    screen_id     BLOB,
    added         INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX screen_pairing_hash ON screen_pairing (hash);
CREATE INDEX screen_pairing_game ON screen_pairing (game_id);
