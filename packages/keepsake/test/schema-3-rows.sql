-- Rows as a store of schema 3 added them: a segment that a model could not be made to read, and the empty index row of a
-- turn whose words were erased.
INSERT INTO jobs (job, id, owner, scope, session, kind, branch, from_position, to_position, state, attempts, at, reason, answer)
  VALUES (9, 'j9', 1, 1, NULL, 'read-segment', 'facts', 0, 2, 'parked', 1, 3002, 'no JSON', 'prose');
UPDATE turns SET text = NULL, speaker = NULL, time_zone = NULL WHERE turn = 2;
INSERT INTO turn_documents (turn, owner, revision, analyser, embedder, traits, terms, vector)
  VALUES (2, 1, 2, NULL, NULL, 0, NULL, NULL);
