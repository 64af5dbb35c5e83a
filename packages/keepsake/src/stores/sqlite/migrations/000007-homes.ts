/**
 * Which process a job is left to, since it has the person in memory; and how often a person's scopes changed, so that whoever knows them
 * can tell at a look whether they still are the same.
 */
export const addHomes = `
ALTER TABLE jobs ADD COLUMN home TEXT;

ALTER TABLE owners ADD COLUMN scope_changes INTEGER NOT NULL DEFAULT 0;
CREATE TRIGGER scopes_made_are_counted AFTER INSERT ON scopes
BEGIN UPDATE owners SET scope_changes = scope_changes + 1 WHERE owner = new.owner; END;
CREATE TRIGGER scopes_changed_are_counted AFTER UPDATE OF owner, agent, app, erased ON scopes
BEGIN UPDATE owners SET scope_changes = scope_changes + 1 WHERE owner IN (old.owner, new.owner); END;
CREATE TRIGGER scopes_removed_are_counted AFTER DELETE ON scopes
BEGIN UPDATE owners SET scope_changes = scope_changes + 1 WHERE owner = old.owner; END;
`
