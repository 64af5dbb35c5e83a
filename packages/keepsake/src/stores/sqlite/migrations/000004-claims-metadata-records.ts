/**
 * Claims on a person's work, and when a job may be tried again; a caller's metadata on turns (that of memories is in their
 * state) and names for memories, unique among the live ones of a scope; small records of whoever serves the memory. Index
 * rows that stood empty for a document that was removed go: nothing reads them any more.
 */
export const addClaimsMetadataRecords = `
ALTER TABLE jobs ADD COLUMN due_at INTEGER NOT NULL DEFAULT 0;

CREATE TABLE claims (
  owner INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  holder TEXT NOT NULL,
  until INTEGER NOT NULL
) STRICT;

ALTER TABLE turns ADD COLUMN metadata TEXT;
ALTER TABLE memories ADD COLUMN name TEXT;
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

DELETE FROM turn_documents WHERE terms IS NULL;
DELETE FROM memory_documents WHERE terms IS NULL;
`
