-- Tags, the index of the search, and when each question was asked.

-- A JSON array of texts.
ALTER TABLE quiz ADD COLUMN tags TEXT NOT NULL DEFAULT '[]';

-- What a search looks through, folded: a row for a quiz, with its titles, and one for each of its questions. Derived from `quiz`; a
-- row whose `updated_at_ms` differs from that of its quiz is out of date. Every line of `tags` is a tag.
CREATE TABLE quiz_search (
    quiz_id       UUID    NOT NULL PRIMARY KEY REFERENCES quiz (id) ON DELETE CASCADE,
    host_id       UUID    NOT NULL,
    updated_at_ms BIGINT  NOT NULL,
    words         TEXT    NOT NULL,
    tags          TEXT    NOT NULL
);
CREATE INDEX quiz_search_host ON quiz_search (host_id);

CREATE TABLE question_search (
    host_id     UUID    NOT NULL,
    quiz_id     UUID    NOT NULL REFERENCES quiz (id) ON DELETE CASCADE,
    place       BIGINT  NOT NULL,
    question_id UUID    NOT NULL,
    words       TEXT    NOT NULL,
    tags        TEXT    NOT NULL,
    -- The question in JSON.
    body        TEXT    NOT NULL,
    PRIMARY KEY (host_id, quiz_id, place)
);
CREATE INDEX question_search_quiz ON question_search (quiz_id);

-- How often a question was asked and answered in an ended game, as numbers alone. Derived from the game's log.
CREATE TABLE question_asked (
    host_id     UUID    NOT NULL,
    question_id UUID    NOT NULL,
    game_id     UUID    NOT NULL REFERENCES game (id) ON DELETE CASCADE,
    players     BIGINT  NOT NULL,
    answered    BIGINT  NOT NULL,
    -- NULL: answers are not marked.
    correct     BIGINT,
    PRIMARY KEY (host_id, question_id, game_id)
);
CREATE INDEX question_asked_game ON question_asked (game_id);

-- 1: the rows of `question_asked` are there.
ALTER TABLE game ADD COLUMN counted INTEGER NOT NULL DEFAULT 0;
CREATE INDEX game_uncounted ON game (host_id) WHERE phase = 'ended' AND closed = 0 AND counted = 0;
