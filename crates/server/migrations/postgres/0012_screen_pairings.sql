-- Codes that screens show until a host has typed them. `hash` is the SHA-256 of the secret that the screen asks with; the token of the
-- screen is made of that secret and the game, and is stored nowhere. `added` is 1 once the game has the screen.

CREATE TABLE screen_pairing (
    code          TEXT NOT NULL PRIMARY KEY,
    hash          BYTEA NOT NULL,
    expires_at_ms BIGINT NOT NULL,
    game_id       UUID REFERENCES game (id) ON DELETE CASCADE,
    screen_id     UUID,
    added         BIGINT NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX screen_pairing_hash ON screen_pairing (hash);
CREATE INDEX screen_pairing_game ON screen_pairing (game_id);
