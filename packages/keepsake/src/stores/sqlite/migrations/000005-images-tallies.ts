/**
 * Images of people's caches, in parts; what several recalls did to a memory together, as JSON; and entries of recalls may leave the
 * log, where a later one stands for them. No other entry ever does.
 */
export const addImagesAndTallies = `
CREATE TABLE images (
  row INTEGER PRIMARY KEY,
  owner INTEGER NOT NULL,
  part INTEGER NOT NULL,
  image TEXT NOT NULL,
  parts INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  UNIQUE (owner, part)
) STRICT;

ALTER TABLE touched ADD COLUMN tally TEXT;
CREATE INDEX reinforcements_of_scope ON operations (scope, sequence) WHERE kind = 'reinforce';

DROP TRIGGER operations_are_never_deleted;
CREATE TRIGGER operations_are_never_deleted BEFORE DELETE ON operations WHEN old.kind <> 'reinforce'
BEGIN SELECT RAISE(ABORT, 'the operation log is append-only'); END;
DROP TRIGGER touched_are_never_deleted;
CREATE TRIGGER touched_are_never_deleted BEFORE DELETE ON touched
WHEN EXISTS (SELECT 1 FROM operations WHERE operation = old.operation)
BEGIN SELECT RAISE(ABORT, 'the operation log is append-only'); END;
`
