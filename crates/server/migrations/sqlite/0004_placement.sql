-- Which node owns which games: what a node reports for that, and what operators order.

-- Nodes in the same place, NODE_ZONE; empty: none.
ALTER TABLE node ADD COLUMN zone TEXT NOT NULL DEFAULT '';
-- Thousandths of a core that the process used lately. NULL: a version that does not report them, and takes no orders.
ALTER TABLE node ADD COLUMN busy_millicores INTEGER;
-- Whether an operator wants it to own no games.
ALTER TABLE node ADD COLUMN drain INTEGER NOT NULL DEFAULT 0;

-- Orders to move a game away from its owner. A command inserts the row and deletes it; the owner carries it out in between.
CREATE TABLE game_move (
    game_id     BLOB NOT NULL PRIMARY KEY,
    -- The name of the order.
    id          BLOB NOT NULL,
    -- The owner when the order was given.
    node        BLOB NOT NULL,
    -- The node that shall own it; NULL: the one that suits best.
    target      BLOB,
    asked_at_ms INTEGER NOT NULL,
    -- 'taken', 'moved', 'kept' or 'alone'; NULL: the owner has not read it.
    outcome     TEXT,
    -- The owner afterwards, once it has moved.
    moved_to    BLOB
) STRICT;
