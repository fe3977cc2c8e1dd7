-- What schema version 3 looks like on SQLite. This file never changes: databases like this are
-- out there, and every later heckmeck must open them.
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO meta VALUES ('schema', '1');
CREATE TABLE games (
    id TEXT PRIMARY KEY,
    created TEXT NOT NULL,
    public INTEGER NOT NULL,
    status TEXT NOT NULL,
    edition TEXT NOT NULL,
    secret BLOB NOT NULL,
    summary TEXT NOT NULL
);
INSERT INTO games VALUES
    ('fox', '2026-01-02T03:04:05.678901+00:00', 1, 'playing', 'deluxe', x'00ff', '{"seats": 2}');
CREATE INDEX games_listed ON games (created) WHERE public AND status IN ('waiting', 'playing');
CREATE INDEX games_status ON games (status);
CREATE TABLE entries (
    game TEXT NOT NULL,
    n INTEGER NOT NULL,
    at TEXT NOT NULL,
    word TEXT NOT NULL,
    PRIMARY KEY (game, n)
) WITHOUT ROWID;
INSERT INTO entries VALUES
    ('fox', 0, '2026-01-02T03:04:05.678901+00:00', 'created'),
    ('fox', 1, '2026-01-02T03:05:00.000000+00:00', 'roll'),
    ('fox', 2, '2026-01-02T03:05:00.000000+00:00', '=11234WWW');
ALTER TABLE games ADD COLUMN due TEXT;
CREATE INDEX games_due ON games (due) WHERE due IS NOT NULL;
CREATE TABLE pushes (
    game TEXT NOT NULL,
    seat TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    at TEXT NOT NULL,
    subscription TEXT NOT NULL,
    PRIMARY KEY (game, seat, endpoint)
) WITHOUT ROWID;
UPDATE meta SET value = '2' WHERE key = 'schema';
CREATE TABLE books (
    id TEXT PRIMARY KEY,
    created TEXT NOT NULL,
    secret TEXT NOT NULL,
    name TEXT NOT NULL,
    people TEXT NOT NULL
);
INSERT INTO books VALUES
    ('boka-miru-tela', '2026-01-02T03:04:05.678901+00:00', 'ab12', 'Müllers', '{"Omi":"Ada"}');
CREATE TABLE pages (
    game TEXT NOT NULL,
    number INTEGER NOT NULL,
    book TEXT NOT NULL,
    n INTEGER NOT NULL,
    at TEXT NOT NULL,
    record TEXT NOT NULL,
    facts TEXT,
    judged TEXT,
    PRIMARY KEY (game, number)
);
INSERT INTO pages VALUES
    ('gone', 0, 'boka-miru-tela', 77, '2026-01-02T03:06:00.000000+00:00', '{"heckmeck": 1}', NULL, NULL),
    ('gone', 1, 'boka-miru-tela', 99, '2026-01-02T03:07:00.000000+00:00', '{"heckmeck": 1}', '{"edition": "classic"}', '{}');
CREATE INDEX pages_book ON pages (book, at);
UPDATE meta SET value = '3' WHERE key = 'schema';
