/**
 * Erasing: its durable receipts (a receipt without `scrubbed_at` is the job still to finish), and people
 * who were erased, of whose key only a salted digest stays.
 */
export const addErasures = `
ALTER TABLE owners ADD COLUMN digest TEXT;
ALTER TABLE scopes ADD COLUMN erased INTEGER NOT NULL DEFAULT 0;

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
`
