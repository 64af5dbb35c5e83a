/** `MEM0` in the file's header. */
export const APPLICATION_ID = 0x4d454d30

/**
 * `memories`: by the id that the client knows. `versions`: memories of the engine that came to stand for such an id, in order.
 * `turns`: what came with a message. `sweeps`: how far a person's notes were cleared of what was erased.
 */
export const SCHEMA = `
CREATE TABLE memories (
  id              TEXT PRIMARY KEY,
  tenant          TEXT NOT NULL,
  user            TEXT NOT NULL,
  metadata        TEXT,
  feedback        TEXT,
  feedback_reason TEXT
) STRICT;
CREATE INDEX memories_of ON memories (tenant, user);
CREATE TABLE versions (
  memory TEXT PRIMARY KEY,
  id     TEXT NOT NULL,
  number INTEGER NOT NULL,
  tenant TEXT NOT NULL,
  user   TEXT NOT NULL
) STRICT;
CREATE INDEX versions_of ON versions (tenant, user);
CREATE INDEX versions_by_id ON versions (id, number);
CREATE TABLE turns (
  turn     TEXT NOT NULL,
  tenant   TEXT NOT NULL,
  user     TEXT NOT NULL,
  metadata TEXT NOT NULL,
  PRIMARY KEY (tenant, user, turn)
) STRICT, WITHOUT ROWID;
CREATE TABLE runs (
  tenant TEXT NOT NULL,
  user   TEXT NOT NULL,
  run    TEXT NOT NULL,
  PRIMARY KEY (tenant, user, run)
) STRICT, WITHOUT ROWID;
CREATE TABLE sweeps (
  tenant TEXT NOT NULL,
  user   TEXT NOT NULL,
  erased INTEGER NOT NULL,
  PRIMARY KEY (tenant, user)
) STRICT, WITHOUT ROWID;`

/** Each has the columns `tenant` and `user`. */
export const TABLES = ['memories', 'versions', 'turns', 'runs', 'sweeps'] as const
