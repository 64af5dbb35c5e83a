/**
 * Segments that a model could not be made to read: which branch and which turns, and what it answered. The table is
 * made anew, since SQLite cannot change which kinds a column allows.
 */
export const addSegmentJobs = `
ALTER TABLE jobs RENAME TO old_jobs;
DROP INDEX jobs_of_scope;

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
) STRICT;
CREATE INDEX jobs_of_scope ON jobs (scope);

-- Erasures have had their own table since schema 2; nothing ever queued one here.
INSERT INTO jobs (job, id, owner, scope, session, kind, state, attempts, at, reason)
  SELECT job, id, owner, scope, session, kind, state, attempts, at, reason FROM old_jobs WHERE kind <> 'erase';
DROP TABLE old_jobs;
`
