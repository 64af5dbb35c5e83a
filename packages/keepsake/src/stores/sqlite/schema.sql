-- The schema that the migrations end in, for reading; a test compares the two. Regenerate it after adding a migration.

CREATE TABLE owners (
  owner INTEGER PRIMARY KEY,
  tenant TEXT,
  user TEXT,
  revision INTEGER NOT NULL DEFAULT 0,
  epoch INTEGER NOT NULL DEFAULT 0,
  sequence INTEGER NOT NULL DEFAULT 0, digest TEXT,
  UNIQUE (tenant, user)
) STRICT;

CREATE TABLE scopes (
  scope INTEGER PRIMARY KEY,
  owner INTEGER NOT NULL REFERENCES owners,
  agent TEXT,
  app TEXT,
  last_position INTEGER NOT NULL DEFAULT 0,
  last_session INTEGER NOT NULL DEFAULT 0
, erased INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE INDEX scopes_of_owner ON scopes (owner);

CREATE TABLE sessions (
  session INTEGER PRIMARY KEY,
  scope INTEGER NOT NULL REFERENCES scopes,
  id TEXT NOT NULL,
  number INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  ended_at INTEGER,
  first_position INTEGER NOT NULL,
  last_position INTEGER NOT NULL,
  UNIQUE (scope, id)
) STRICT;

CREATE TABLE turns (
  turn INTEGER PRIMARY KEY,
  owner INTEGER NOT NULL,
  scope INTEGER NOT NULL REFERENCES scopes,
  session INTEGER NOT NULL,
  position INTEGER NOT NULL,
  at INTEGER NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('user', 'agent', 'other')),
  speaker TEXT,
  time_zone TEXT,
  id TEXT NOT NULL,
  text TEXT, metadata TEXT,
  UNIQUE (owner, id)
) STRICT;

CREATE UNIQUE INDEX turns_in_order ON turns (scope, position);

CREATE TABLE names (
  number INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE operations (
  operation INTEGER PRIMARY KEY,
  owner INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  scope INTEGER NOT NULL REFERENCES scopes,
  kind TEXT NOT NULL,
  memory INTEGER,
  at INTEGER NOT NULL,
  origin INTEGER NOT NULL REFERENCES names,
  session_number INTEGER NOT NULL,
  round INTEGER NOT NULL,
  parent TEXT,
  undoes TEXT,
  id TEXT NOT NULL,
  UNIQUE (owner, id)
) STRICT;

CREATE UNIQUE INDEX operations_in_order ON operations (owner, sequence);

CREATE INDEX operations_of_memory ON operations (memory) WHERE memory IS NOT NULL;

CREATE INDEX operations_of_parent ON operations (owner, parent) WHERE parent IS NOT NULL;

CREATE TABLE touched (
  operation INTEGER NOT NULL,
  place INTEGER NOT NULL,
  memory INTEGER NOT NULL,
  rank TEXT NOT NULL CHECK (rank IN ('first', 'second')),
  PRIMARY KEY (operation, place)
) STRICT, WITHOUT ROWID;

CREATE INDEX touched_of_memory ON touched (memory);

CREATE TRIGGER operations_are_never_changed BEFORE UPDATE ON operations
BEGIN SELECT RAISE(ABORT, 'the operation log is append-only'); END;

CREATE TRIGGER operations_are_never_deleted BEFORE DELETE ON operations
BEGIN SELECT RAISE(ABORT, 'the operation log is append-only'); END;

CREATE TRIGGER touched_are_never_changed BEFORE UPDATE ON touched
BEGIN SELECT RAISE(ABORT, 'the operation log is append-only'); END;

CREATE TRIGGER touched_are_never_deleted BEFORE DELETE ON touched
BEGIN SELECT RAISE(ABORT, 'the operation log is append-only'); END;

CREATE TABLE payloads (
  operation INTEGER PRIMARY KEY,
  before TEXT,
  after TEXT NOT NULL
) STRICT;

CREATE TABLE memories (
  memory INTEGER PRIMARY KEY,
  owner INTEGER NOT NULL,
  scope INTEGER NOT NULL REFERENCES scopes,
  session INTEGER,
  sequence INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  form TEXT NOT NULL,
  status TEXT NOT NULL,
  payload INTEGER,
  id TEXT NOT NULL,
  state TEXT, name TEXT,
  UNIQUE (owner, id),
  CHECK ((state IS NULL) <> (payload IS NULL))
) STRICT;

CREATE INDEX memories_by_revision ON memories (owner, revision);

CREATE TABLE evidence (
  turn INTEGER NOT NULL,
  memory INTEGER NOT NULL,
  PRIMARY KEY (turn, memory)
) STRICT, WITHOUT ROWID;

CREATE INDEX evidence_of_memory ON evidence (memory);

CREATE TABLE turn_documents (
  turn INTEGER PRIMARY KEY,
  owner INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  analyser INTEGER REFERENCES names,
  embedder INTEGER REFERENCES names,
  traits INTEGER NOT NULL,
  terms TEXT,
  vector BLOB
) STRICT;

CREATE INDEX turn_documents_by_revision ON turn_documents (owner, revision);

CREATE TABLE memory_documents (
  memory INTEGER PRIMARY KEY,
  owner INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  analyser INTEGER REFERENCES names,
  embedder INTEGER REFERENCES names,
  traits INTEGER NOT NULL,
  terms TEXT,
  vector BLOB
) STRICT;

CREATE INDEX memory_documents_by_revision ON memory_documents (owner, revision);

CREATE TABLE progress (
  scope INTEGER NOT NULL REFERENCES scopes,
  branch TEXT NOT NULL,
  position INTEGER NOT NULL,
  PRIMARY KEY (scope, branch)
) STRICT, WITHOUT ROWID;

CREATE TABLE erasures (
  erasure INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  owner INTEGER NOT NULL REFERENCES owners,
  at INTEGER NOT NULL,
  turns INTEGER NOT NULL,
  memories INTEGER NOT NULL,
  payloads INTEGER NOT NULL,
  documents INTEGER NOT NULL,
  scrubbed_at INTEGER
) STRICT;

CREATE INDEX erasures_to_scrub ON erasures (erasure) WHERE scrubbed_at IS NULL;

CREATE TABLE jobs (
  job INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  owner INTEGER NOT NULL,
  scope INTEGER NOT NULL,
  session TEXT,
  kind TEXT NOT NULL CHECK (kind IN ('consolidate', 'end-session', 'read-segment')),
  branch TEXT,
  from_position INTEGER,
  to_position INTEGER,
  state TEXT NOT NULL CHECK (state IN ('queued', 'parked')),
  attempts INTEGER NOT NULL,
  at INTEGER NOT NULL,
  reason TEXT,
  answer TEXT
, due_at INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE INDEX jobs_of_scope ON jobs (scope);

CREATE TABLE claims (
  owner INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  holder TEXT NOT NULL,
  until INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX memories_by_name ON memories (scope, name) WHERE name IS NOT NULL;

CREATE TABLE records (
  collection TEXT NOT NULL,
  key TEXT NOT NULL,
  owner INTEGER,
  version TEXT NOT NULL,
  expires_at INTEGER,
  value TEXT NOT NULL,
  PRIMARY KEY (collection, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX records_of_owner ON records (owner) WHERE owner IS NOT NULL;

CREATE INDEX records_by_expiry ON records (expires_at) WHERE expires_at IS NOT NULL;
