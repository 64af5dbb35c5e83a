-- Rows as a store of schema 2 added them to those of schema 1: a job that waits, one that was parked, a finished erasure.
INSERT INTO jobs (job, id, owner, scope, session, kind, state, attempts, at, reason) VALUES
  (4, 'j1', 1, 1, 's1', 'end-session', 'queued', 0, 3000, NULL),
  (7, 'j2', 1, 1, NULL, 'consolidate', 'parked', 5, 3001, 'no model');
INSERT INTO erasures (id, owner, at, turns, memories, payloads, documents, scrubbed_at) VALUES
  ('e1', 1, 2500, 0, 0, 0, 0, 2501);
