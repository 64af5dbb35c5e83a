CREATE SCHEMA old5; SET search_path = old5;
CREATE TABLE migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, partitions INTEGER NOT NULL, at TIMESTAMPTZ NOT NULL DEFAULT now());

CREATE SEQUENCE owner_numbers;
CREATE SEQUENCE scope_numbers;
CREATE SEQUENCE job_numbers;
CREATE SEQUENCE erasure_numbers;

CREATE TABLE people (
  tenant TEXT NOT NULL,
  person TEXT NOT NULL,
  owner BIGINT NOT NULL DEFAULT nextval('owner_numbers'),
  PRIMARY KEY (tenant, person)
);

CREATE TABLE names (
  number INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
);

CREATE TABLE records (
  collection TEXT COLLATE "C" NOT NULL,
  key TEXT COLLATE "C" NOT NULL,
  owner BIGINT,
  version TEXT NOT NULL,
  expires_at BIGINT,
  value TEXT NOT NULL,
  PRIMARY KEY (collection, key)
);
CREATE INDEX records_of_owner ON records (owner) WHERE owner IS NOT NULL;
CREATE INDEX records_by_expiry ON records (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE owners (
  owner BIGINT PRIMARY KEY,
  tenant TEXT,
  person TEXT,
  revision BIGINT NOT NULL DEFAULT 0,
  epoch BIGINT NOT NULL DEFAULT 0,
  sequence BIGINT NOT NULL DEFAULT 0,
  turns BIGINT NOT NULL DEFAULT 0,
  digest TEXT
);

CREATE TABLE scopes (
  owner BIGINT NOT NULL,
  scope BIGINT NOT NULL DEFAULT nextval('scope_numbers'),
  agent TEXT,
  app TEXT,
  last_position BIGINT NOT NULL DEFAULT 0,
  last_session BIGINT NOT NULL DEFAULT 0,
  erased BOOLEAN NOT NULL DEFAULT false,
  PRIMARY KEY (owner, scope)
);

CREATE TABLE sessions (
  owner BIGINT NOT NULL,
  scope BIGINT NOT NULL,
  number BIGINT NOT NULL,
  id TEXT NOT NULL,
  started_at BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  ended_at BIGINT,
  first_position BIGINT NOT NULL,
  last_position BIGINT NOT NULL,
  PRIMARY KEY (owner, scope, id)
);

CREATE TABLE turns (
  owner BIGINT NOT NULL,
  scope BIGINT NOT NULL,
  position BIGINT NOT NULL,
  turn BIGINT NOT NULL,
  session BIGINT NOT NULL,
  at BIGINT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('user', 'agent', 'other')),
  speaker TEXT,
  time_zone TEXT,
  id TEXT NOT NULL,
  text TEXT,
  metadata TEXT,
  revision BIGINT NOT NULL,
  analyser INTEGER,
  embedder INTEGER,
  traits INTEGER NOT NULL DEFAULT 0,
  terms TEXT,
  vector BYTEA,
  PRIMARY KEY (owner, scope, position),
  UNIQUE (owner, id)
);
CREATE INDEX turns_by_revision ON turns (owner, revision);

CREATE TABLE operations (
  owner BIGINT NOT NULL,
  sequence BIGINT NOT NULL,
  scope BIGINT NOT NULL,
  kind TEXT NOT NULL,
  memory BIGINT,
  touched BIGINT[] NOT NULL DEFAULT '{}',
  ranks TEXT NOT NULL DEFAULT '',
  at BIGINT NOT NULL,
  origin INTEGER NOT NULL,
  session_number BIGINT NOT NULL,
  round BIGINT NOT NULL,
  parent TEXT,
  undoes TEXT,
  id TEXT NOT NULL,
  PRIMARY KEY (owner, sequence),
  UNIQUE (owner, id)
);
CREATE INDEX operations_of_memory ON operations (owner, memory) WHERE memory IS NOT NULL;
CREATE INDEX operations_of_recalls ON operations (owner, sequence) WHERE memory IS NULL;
CREATE INDEX operations_of_parent ON operations (owner, parent) WHERE parent IS NOT NULL;

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'the operation log is append-only'; END $$;
CREATE TRIGGER operations_are_never_changed BEFORE UPDATE OR DELETE ON operations
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TABLE payloads (
  owner BIGINT NOT NULL,
  sequence BIGINT NOT NULL,
  before TEXT,
  after TEXT NOT NULL,
  PRIMARY KEY (owner, sequence)
);

CREATE TABLE memories (
  owner BIGINT NOT NULL,
  memory BIGINT NOT NULL,
  scope BIGINT NOT NULL,
  session TEXT,
  sequence BIGINT NOT NULL,
  revision BIGINT NOT NULL,
  form TEXT NOT NULL,
  type TEXT NOT NULL,
  status TEXT NOT NULL,
  said BIGINT,
  id TEXT NOT NULL,
  state TEXT,
  name TEXT,
  PRIMARY KEY (owner, memory),
  UNIQUE (owner, id),
  CHECK ((state IS NULL) <> (said IS NULL))
);
CREATE INDEX memories_by_revision ON memories (owner, revision);
CREATE UNIQUE INDEX memories_by_name ON memories (owner, scope, name) WHERE name IS NOT NULL;

CREATE TABLE memory_documents (
  owner BIGINT NOT NULL,
  memory BIGINT NOT NULL,
  revision BIGINT NOT NULL,
  analyser INTEGER,
  embedder INTEGER,
  traits INTEGER NOT NULL,
  terms TEXT NOT NULL,
  vector BYTEA,
  PRIMARY KEY (owner, memory)
);
CREATE INDEX memory_documents_by_revision ON memory_documents (owner, revision);

CREATE TABLE evidence (
  owner BIGINT NOT NULL,
  turn BIGINT NOT NULL,
  memory BIGINT NOT NULL,
  PRIMARY KEY (owner, turn, memory)
);
CREATE INDEX evidence_of_memory ON evidence (owner, memory);

CREATE TABLE progress (
  owner BIGINT NOT NULL,
  scope BIGINT NOT NULL,
  branch TEXT NOT NULL,
  position BIGINT NOT NULL,
  PRIMARY KEY (owner, scope, branch)
);

CREATE TABLE jobs (
  owner BIGINT NOT NULL,
  job BIGINT NOT NULL DEFAULT nextval('job_numbers'),
  id TEXT NOT NULL,
  scope BIGINT NOT NULL,
  session TEXT,
  kind TEXT NOT NULL CHECK (kind IN ('consolidate', 'end-session', 'read-segment')),
  branch TEXT,
  from_position BIGINT,
  to_position BIGINT,
  state TEXT NOT NULL CHECK (state IN ('queued', 'parked')),
  attempts INTEGER NOT NULL,
  at BIGINT NOT NULL,
  due_at BIGINT NOT NULL DEFAULT 0,
  reason TEXT,
  answer TEXT,
  PRIMARY KEY (owner, id)
);
CREATE INDEX jobs_in_order ON jobs (job) WHERE state = 'queued';
CREATE INDEX jobs_by_id ON jobs (id);

CREATE TABLE claims (
  owner BIGINT PRIMARY KEY,
  id TEXT NOT NULL,
  holder TEXT NOT NULL,
  until BIGINT NOT NULL
);
CREATE INDEX claims_of_holder ON claims (holder);

CREATE TABLE erasures (
  owner BIGINT NOT NULL,
  erasure BIGINT NOT NULL DEFAULT nextval('erasure_numbers'),
  id TEXT NOT NULL,
  at BIGINT NOT NULL,
  turns BIGINT NOT NULL,
  memories BIGINT NOT NULL,
  payloads BIGINT NOT NULL,
  documents BIGINT NOT NULL,
  written_by BIGINT NOT NULL,
  scrubbed_at BIGINT,
  PRIMARY KEY (owner, id)
);
CREATE INDEX erasures_to_scrub ON erasures (erasure) WHERE scrubbed_at IS NULL;


ALTER TABLE owners ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE scopes ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE sessions ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE turns ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE operations ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE payloads ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE memories ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE memory_documents ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE evidence ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE progress ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE jobs ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE claims ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE erasures ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE people ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY of_owner ON owners USING (owner = nullif(current_setting('keepsake.owner', true), '')::bigint);
CREATE POLICY of_owner ON scopes USING (owner = nullif(current_setting('keepsake.owner', true), '')::bigint);
CREATE POLICY of_owner ON sessions USING (owner = nullif(current_setting('keepsake.owner', true), '')::bigint);
CREATE POLICY of_owner ON turns USING (owner = nullif(current_setting('keepsake.owner', true), '')::bigint);
CREATE POLICY of_owner ON operations USING (owner = nullif(current_setting('keepsake.owner', true), '')::bigint);
CREATE POLICY of_owner ON payloads USING (owner = nullif(current_setting('keepsake.owner', true), '')::bigint);
CREATE POLICY of_owner ON memories USING (owner = nullif(current_setting('keepsake.owner', true), '')::bigint);
CREATE POLICY of_owner ON memory_documents USING (owner = nullif(current_setting('keepsake.owner', true), '')::bigint);
CREATE POLICY of_owner ON evidence USING (owner = nullif(current_setting('keepsake.owner', true), '')::bigint);
CREATE POLICY of_owner ON progress USING (owner = nullif(current_setting('keepsake.owner', true), '')::bigint);
CREATE POLICY of_owner ON jobs USING (owner = nullif(current_setting('keepsake.owner', true), '')::bigint);
CREATE POLICY of_owner ON claims USING (owner = nullif(current_setting('keepsake.owner', true), '')::bigint);
CREATE POLICY of_owner ON erasures USING (owner = nullif(current_setting('keepsake.owner', true), '')::bigint);
CREATE POLICY found_by_all ON people USING (current_setting('keepsake.sees', true) = 'all');
CREATE POLICY found_by_all ON owners USING (current_setting('keepsake.sees', true) = 'all');
CREATE POLICY found_by_all ON scopes USING (current_setting('keepsake.sees', true) = 'all');
CREATE POLICY found_by_all ON jobs USING (current_setting('keepsake.sees', true) = 'all');
CREATE POLICY found_by_all ON claims USING (current_setting('keepsake.sees', true) = 'all');
CREATE POLICY found_by_all ON erasures USING (current_setting('keepsake.sees', true) = 'all');
CREATE POLICY counted ON owners FOR SELECT USING (current_setting('keepsake.sees', true) = 'counts');
CREATE POLICY counted ON scopes FOR SELECT USING (current_setting('keepsake.sees', true) = 'counts');
CREATE POLICY counted ON sessions FOR SELECT USING (current_setting('keepsake.sees', true) = 'counts');
CREATE POLICY counted ON turns FOR SELECT USING (current_setting('keepsake.sees', true) = 'counts');
CREATE POLICY counted ON operations FOR SELECT USING (current_setting('keepsake.sees', true) = 'counts');
CREATE POLICY counted ON memories FOR SELECT USING (current_setting('keepsake.sees', true) = 'counts');
CREATE POLICY counted ON jobs FOR SELECT USING (current_setting('keepsake.sees', true) = 'counts');
ALTER TABLE people ALTER COLUMN tenant SET STATISTICS 0;
ALTER TABLE people ALTER COLUMN person SET STATISTICS 0;
ALTER TABLE owners ALTER COLUMN tenant SET STATISTICS 0;
ALTER TABLE owners ALTER COLUMN person SET STATISTICS 0;
ALTER TABLE scopes ALTER COLUMN agent SET STATISTICS 0;
ALTER TABLE scopes ALTER COLUMN app SET STATISTICS 0;
ALTER TABLE sessions ALTER COLUMN id SET STATISTICS 0;
ALTER TABLE turns ALTER COLUMN speaker SET STATISTICS 0;
ALTER TABLE turns ALTER COLUMN time_zone SET STATISTICS 0;
ALTER TABLE turns ALTER COLUMN id SET STATISTICS 0;
ALTER TABLE turns ALTER COLUMN text SET STATISTICS 0;
ALTER TABLE turns ALTER COLUMN metadata SET STATISTICS 0;
ALTER TABLE turns ALTER COLUMN terms SET STATISTICS 0;
ALTER TABLE turns ALTER COLUMN vector SET STATISTICS 0;
ALTER TABLE payloads ALTER COLUMN before SET STATISTICS 0;
ALTER TABLE payloads ALTER COLUMN after SET STATISTICS 0;
ALTER TABLE memories ALTER COLUMN session SET STATISTICS 0;
ALTER TABLE memories ALTER COLUMN id SET STATISTICS 0;
ALTER TABLE memories ALTER COLUMN state SET STATISTICS 0;
ALTER TABLE memories ALTER COLUMN name SET STATISTICS 0;
ALTER TABLE memory_documents ALTER COLUMN terms SET STATISTICS 0;
ALTER TABLE memory_documents ALTER COLUMN vector SET STATISTICS 0;
ALTER TABLE jobs ALTER COLUMN session SET STATISTICS 0;
ALTER TABLE jobs ALTER COLUMN reason SET STATISTICS 0;
ALTER TABLE jobs ALTER COLUMN answer SET STATISTICS 0;
ALTER TABLE records ALTER COLUMN key SET STATISTICS 0;
ALTER TABLE records ALTER COLUMN value SET STATISTICS 0;


CREATE TABLE images (
  owner BIGINT NOT NULL,
  part INTEGER NOT NULL,
  image TEXT NOT NULL,
  parts INTEGER NOT NULL,
  bytes BYTEA NOT NULL,
  PRIMARY KEY (owner, part)
);
ALTER TABLE images ALTER COLUMN bytes SET STORAGE EXTERNAL;

ALTER TABLE images ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY of_owner ON images USING (owner = nullif(current_setting('keepsake.owner', true), '')::bigint);
ALTER TABLE images ALTER COLUMN bytes SET STATISTICS 0;

ALTER TABLE operations ADD COLUMN tallies TEXT;

CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND OLD.kind = 'reinforce' THEN RETURN OLD; END IF;
  RAISE EXCEPTION 'the operation log is append-only';
END $$;


CREATE TABLE repair (owner BIGINT NOT NULL, place TEXT NOT NULL, number BIGINT NOT NULL, json TEXT NOT NULL);
DO $$
DECLARE
  whose BIGINT;
  mended BIGINT;
  others BIGINT;
BEGIN
  PERFORM set_config('keepsake.sees', 'all', true);
  FOR whose IN SELECT owner FROM owners LOOP
    PERFORM set_config('keepsake.owner', whose::text, true);
    UPDATE turns SET at = coalesce(
      (SELECT earlier.at FROM turns AS earlier
        WHERE earlier.owner = whose AND earlier.scope = turns.scope AND earlier.position < turns.position AND earlier.at BETWEEN -2208988800000::bigint AND ((extract(epoch FROM now()) * 1000)::bigint + 86400000)
        ORDER BY earlier.position DESC LIMIT 1), (extract(epoch FROM now()) * 1000)::bigint)
    WHERE owner = whose AND NOT at BETWEEN -2208988800000::bigint AND ((extract(epoch FROM now()) * 1000)::bigint + 86400000);
    GET DIAGNOSTICS mended = ROW_COUNT;
    UPDATE sessions SET
      started_at = CASE WHEN started_at BETWEEN -2208988800000::bigint AND ((extract(epoch FROM now()) * 1000)::bigint + 86400000) THEN started_at ELSE coalesce((SELECT min(at) FROM turns
        WHERE turns.owner = whose AND turns.scope = sessions.scope AND turns.session = sessions.number), (extract(epoch FROM now()) * 1000)::bigint) END,
      last_at = CASE WHEN last_at BETWEEN -2208988800000::bigint AND ((extract(epoch FROM now()) * 1000)::bigint + 86400000) THEN last_at ELSE coalesce((SELECT max(at) FROM turns
        WHERE turns.owner = whose AND turns.scope = sessions.scope AND turns.session = sessions.number), (extract(epoch FROM now()) * 1000)::bigint) END,
      ended_at = CASE WHEN ended_at IS NULL OR ended_at BETWEEN -2208988800000::bigint AND ((extract(epoch FROM now()) * 1000)::bigint + 86400000) THEN ended_at ELSE (extract(epoch FROM now()) * 1000)::bigint END
    WHERE owner = whose AND NOT (started_at BETWEEN -2208988800000::bigint AND ((extract(epoch FROM now()) * 1000)::bigint + 86400000) AND last_at BETWEEN -2208988800000::bigint AND ((extract(epoch FROM now()) * 1000)::bigint + 86400000)
      AND (ended_at IS NULL OR ended_at BETWEEN -2208988800000::bigint AND ((extract(epoch FROM now()) * 1000)::bigint + 86400000)));
    GET DIAGNOSTICS others = ROW_COUNT;
    mended := mended + others;
    INSERT INTO repair
      SELECT owner, 'after', sequence, after FROM payloads WHERE owner = whose AND EXISTS (SELECT FROM regexp_matches(after, '"(?:validFrom|validUntil|learnedAt|lastAt)":(-?\d+)', 'g') AS named(times)
    WHERE NOT times[1]::numeric BETWEEN -2208988800000::bigint AND ((extract(epoch FROM now()) * 1000)::bigint + 86400000))
      UNION ALL SELECT owner, 'before', sequence, before FROM payloads
        WHERE owner = whose AND before IS NOT NULL AND EXISTS (SELECT FROM regexp_matches(before, '"(?:validFrom|validUntil|learnedAt|lastAt)":(-?\d+)', 'g') AS named(times)
    WHERE NOT times[1]::numeric BETWEEN -2208988800000::bigint AND ((extract(epoch FROM now()) * 1000)::bigint + 86400000))
      UNION ALL SELECT owner, 'state', memory, state FROM memories
        WHERE owner = whose AND state IS NOT NULL AND EXISTS (SELECT FROM regexp_matches(state, '"(?:validFrom|validUntil|learnedAt|lastAt)":(-?\d+)', 'g') AS named(times)
    WHERE NOT times[1]::numeric BETWEEN -2208988800000::bigint AND ((extract(epoch FROM now()) * 1000)::bigint + 86400000));
    GET DIAGNOSTICS others = ROW_COUNT;
    IF mended + others > 0 THEN
      -- Whoever is at work keeps rows of theirs in a cache: one of an earlier epoch is dropped.
      UPDATE owners SET revision = revision + 1, epoch = epoch + 1 WHERE owner = whose;
      DELETE FROM images WHERE owner = whose;
    END IF;
  END LOOP;
END $$;


ALTER TABLE jobs ADD COLUMN home TEXT;
CREATE INDEX jobs_of_home ON jobs (home, job) WHERE state = 'queued';
DROP INDEX claims_of_holder;
CREATE INDEX claims_held ON claims (holder) WHERE until > 0;


CREATE TABLE candidates (
  owner BIGINT NOT NULL,
  document BIGINT NOT NULL,
  scope BIGINT NOT NULL,
  session BIGINT NOT NULL,
  position BIGINT NOT NULL,
  at BIGINT NOT NULL,
  revision BIGINT NOT NULL,
  form TEXT NOT NULL,
  key TEXT,
  pending BOOLEAN NOT NULL,
  length INTEGER NOT NULL,
  embedder INTEGER,
  terms TEXT[] NOT NULL,
  PRIMARY KEY (owner, document)
);
CREATE INDEX candidates_latest ON candidates (owner, form, at);
CREATE INDEX candidates_by_key ON candidates (owner, key, at) WHERE key IS NOT NULL;
CREATE INDEX candidates_waiting ON candidates (owner) WHERE pending;

CREATE TABLE candidate_words (
  owner BIGINT NOT NULL,
  term TEXT COLLATE "C" NOT NULL,
  document BIGINT NOT NULL,
  scope BIGINT NOT NULL,
  session BIGINT NOT NULL,
  length INTEGER NOT NULL,
  count SMALLINT NOT NULL,
  PRIMARY KEY (owner, term, document) INCLUDE (count, length, scope, session)
);

CREATE TABLE candidates_kept (
  owner BIGINT PRIMARY KEY,
  recipe TEXT NOT NULL,
  revision BIGINT NOT NULL,
  documents BIGINT NOT NULL,
  terms BIGINT NOT NULL,
  turn_terms BIGINT NOT NULL
);


ALTER TABLE candidates ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE candidate_words ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE candidates_kept ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY of_owner ON candidates USING (owner = nullif(current_setting('keepsake.owner', true), '')::bigint);
CREATE POLICY of_owner ON candidate_words USING (owner = nullif(current_setting('keepsake.owner', true), '')::bigint);
CREATE POLICY of_owner ON candidates_kept USING (owner = nullif(current_setting('keepsake.owner', true), '')::bigint);
ALTER TABLE candidates ALTER COLUMN terms SET STATISTICS 0;
ALTER TABLE candidates ALTER COLUMN key SET STATISTICS 0;
ALTER TABLE candidate_words ALTER COLUMN term SET STATISTICS 0;

SET LOCAL session_replication_role = replica;
INSERT INTO erasures (owner, erasure, id, at, turns, memories, payloads, documents, written_by, scrubbed_at) OVERRIDING SYSTEM VALUE VALUES (4, 1, E'e1', 5, 1, 2, 2, 2, 818, 1795891062245);
INSERT INTO evidence (owner, turn, memory) OVERRIDING SYSTEM VALUE VALUES (1, 1, 1);
INSERT INTO evidence (owner, turn, memory) OVERRIDING SYSTEM VALUE VALUES (1, 2, 2);
INSERT INTO evidence (owner, turn, memory) OVERRIDING SYSTEM VALUE VALUES (1, 3, 3);
INSERT INTO evidence (owner, turn, memory) OVERRIDING SYSTEM VALUE VALUES (3, 1, 1);
INSERT INTO evidence (owner, turn, memory) OVERRIDING SYSTEM VALUE VALUES (3, 2, 2);
INSERT INTO evidence (owner, turn, memory) OVERRIDING SYSTEM VALUE VALUES (1, 4, 4);
INSERT INTO evidence (owner, turn, memory) OVERRIDING SYSTEM VALUE VALUES (1, 1, 5);
INSERT INTO evidence (owner, turn, memory) OVERRIDING SYSTEM VALUE VALUES (1, 1, 6);
INSERT INTO evidence (owner, turn, memory) OVERRIDING SYSTEM VALUE VALUES (1, 2, 7);
INSERT INTO evidence (owner, turn, memory) OVERRIDING SYSTEM VALUE VALUES (1, 3, 9);
INSERT INTO evidence (owner, turn, memory) OVERRIDING SYSTEM VALUE VALUES (1, 4, 10);
INSERT INTO evidence (owner, turn, memory) OVERRIDING SYSTEM VALUE VALUES (1, 5, 11);
INSERT INTO evidence (owner, turn, memory) OVERRIDING SYSTEM VALUE VALUES (1, 5, 12);
INSERT INTO evidence (owner, turn, memory) OVERRIDING SYSTEM VALUE VALUES (3, 1, 3);
INSERT INTO evidence (owner, turn, memory) OVERRIDING SYSTEM VALUE VALUES (3, 2, 4);
INSERT INTO memories (owner, memory, scope, session, sequence, revision, form, type, status, said, id, state, name) OVERRIDING SYSTEM VALUE VALUES (1, 2, 1, E's1', 2, 7, E'utterance', E'event', E'live', 2, E'01a22372-bea8-72de-9022-a87c0e56971a', NULL, NULL);
INSERT INTO memories (owner, memory, scope, session, sequence, revision, form, type, status, said, id, state, name) OVERRIDING SYSTEM VALUE VALUES (1, 3, 1, E's1', 3, 7, E'utterance', E'event', E'live', 3, E'01a22372-bea8-72de-9022-b1d5b1bf17eb', NULL, NULL);
INSERT INTO memories (owner, memory, scope, session, sequence, revision, form, type, status, said, id, state, name) OVERRIDING SYSTEM VALUE VALUES (3, 2, 3, E's1', 2, 3, E'utterance', E'event', E'live', 2, E'01a22372-ca25-7280-aaef-03a08f3afc0b', NULL, NULL);
INSERT INTO memories (owner, memory, scope, session, sequence, revision, form, type, status, said, id, state, name) OVERRIDING SYSTEM VALUE VALUES (1, 4, 1, E's1', 4, 8, E'utterance', E'event', E'live', 4, E'01a22372-bfb4-7592-ba7c-fb105f6dfabf', NULL, NULL);
INSERT INTO memories (owner, memory, scope, session, sequence, revision, form, type, status, said, id, state, name) OVERRIDING SYSTEM VALUE VALUES (1, 5, 1, E's1', 5, 8, E'fact', E'relationship', E'live', 5, E'01a22372-caa7-70ae-8b49-8612cf03b5ea', NULL, NULL);
INSERT INTO memories (owner, memory, scope, session, sequence, revision, form, type, status, said, id, state, name) OVERRIDING SYSTEM VALUE VALUES (1, 7, 1, E's1', 8, 8, E'fact', E'persona', E'live', NULL, E'01a22372-ccd0-72ba-896b-1d19dbee9d8b', E'{"type":"persona","text":"The user lives in Rome.","key":"residence","value":"Rome","label":"user-stated","evidence":[{"turn":"t1","quote":"I live in Rome."}],"learnedAt":1795891050370,"validFrom":1795891050370,"validUntil":1795891050741,"session":"s1","sessionNumber":1,"round":4,"use":{"first":0,"second":0,"rounds":[],"lastSession":1,"lastAt":1795891050370},"origin":{"preset":"keepsake","step":"persona-rules/1","promptVersion":null,"model":null},"metadata":{"n":2}}', NULL);
INSERT INTO memories (owner, memory, scope, session, sequence, revision, form, type, status, said, id, state, name) OVERRIDING SYSTEM VALUE VALUES (1, 9, 1, E's1', 9, 8, E'fact', E'persona', E'live', 9, E'01a22372-ccdc-748a-a300-a30e22498d60', NULL, NULL);
INSERT INTO memories (owner, memory, scope, session, sequence, revision, form, type, status, said, id, state, name) OVERRIDING SYSTEM VALUE VALUES (1, 10, 1, E's1', 10, 8, E'fact', E'persona', E'live', 10, E'01a22372-cd4b-7299-b9a8-fc5f0250cd68', NULL, NULL);
INSERT INTO memories (owner, memory, scope, session, sequence, revision, form, type, status, said, id, state, name) OVERRIDING SYSTEM VALUE VALUES (1, 11, 2, E's1', 11, 9, E'utterance', E'event', E'live', 11, E'01a22372-d1ec-7169-a8c2-14fdae8e2ca0', NULL, NULL);
INSERT INTO memories (owner, memory, scope, session, sequence, revision, form, type, status, said, id, state, name) OVERRIDING SYSTEM VALUE VALUES (1, 12, 2, E's1', 12, 11, E'fact', E'persona', E'live', 12, E'01a22372-d3d4-7760-8164-c2904cb32f98', NULL, NULL);
INSERT INTO memories (owner, memory, scope, session, sequence, revision, form, type, status, said, id, state, name) OVERRIDING SYSTEM VALUE VALUES (3, 4, 3, E's1', 4, 4, E'fact', E'persona', E'live', 4, E'01a22372-d3d5-76f6-887a-1956ad949be4', NULL, NULL);
INSERT INTO memories (owner, memory, scope, session, sequence, revision, form, type, status, said, id, state, name) OVERRIDING SYSTEM VALUE VALUES (1, 1, 1, E's1', 13, 12, E'utterance', E'event', E'live', NULL, E'01a22372-b97d-717d-b621-1a6892e21ff9', E'{"form":"utterance","label":"user-stated","evidence":[{"turn":"t0","quote":null}],"learnedAt":1795891047480,"validFrom":1795891047480,"session":"s1","sessionNumber":1,"round":1,"signals":{"arousal":3.099686409282685,"surprise":5118.227575844319,"importance":4.446123180215284},"use":{"first":3,"second":0,"rounds":[4],"lastSession":1,"lastAt":1795891059416},"origin":{"preset":"keepsake","step":"pair/1","promptVersion":null,"model":null},"metadata":{"n":1}}', NULL);
INSERT INTO memories (owner, memory, scope, session, sequence, revision, form, type, status, said, id, state, name) OVERRIDING SYSTEM VALUE VALUES (1, 6, 1, E's1', 13, 12, E'fact', E'relationship', E'live', NULL, E'01a22372-cae9-7190-b902-d4f5fba413c2', E'{"type":"relationship","text":"The user''s sister Mia is allergic to peanuts.","key":"siblings","value":"sister is allergic to peanuts","label":"user-stated","evidence":[{"turn":"t0","quote":"My sister Mia is allergic to peanuts."}],"learnedAt":1795891047480,"validFrom":1795891047480,"session":"s1","sessionNumber":1,"round":4,"use":{"first":0,"second":3,"rounds":[],"lastSession":1,"lastAt":1795891047480,"secondAt":4},"origin":{"preset":"keepsake","step":"persona-rules/1","promptVersion":null,"model":null},"metadata":{"n":1}}', NULL);
INSERT INTO memories (owner, memory, scope, session, sequence, revision, form, type, status, said, id, state, name) OVERRIDING SYSTEM VALUE VALUES (3, 1, 3, E's1', 5, 5, E'utterance', E'event', E'live', NULL, E'01a22372-bfc5-7320-825f-15526c6b2482', E'{"form":"utterance","label":"user-stated","evidence":[{"turn":"t5","quote":null}],"learnedAt":1795891052108,"validFrom":1795891052108,"session":"s1","sessionNumber":1,"round":1,"signals":{"arousal":3.079044272462798,"surprise":966.527280911465,"importance":4.050084185981199},"use":{"first":3,"second":0,"rounds":[2],"lastSession":1,"lastAt":1795891059453},"origin":{"preset":"keepsake","step":"pair/1","promptVersion":null,"model":null},"metadata":{"n":6}}', NULL);
INSERT INTO memories (owner, memory, scope, session, sequence, revision, form, type, status, said, id, state, name) OVERRIDING SYSTEM VALUE VALUES (3, 3, 3, E's1', 5, 5, E'fact', E'persona', E'live', NULL, E'01a22372-d3cd-7002-bc91-e5a505925b5a', E'{"type":"persona","text":"The user has a dog called Rex.","key":"pets","value":"dog Rex","label":"user-stated","evidence":[{"turn":"t5","quote":"I have a dog called Rex."}],"learnedAt":1795891052108,"validFrom":1795891052108,"session":"s1","sessionNumber":1,"round":2,"use":{"first":0,"second":3,"rounds":[],"lastSession":1,"lastAt":1795891052108,"secondAt":2},"origin":{"preset":"keepsake","step":"persona-rules/1","promptVersion":null,"model":null},"metadata":{"n":6}}', NULL);
INSERT INTO memories (owner, memory, scope, session, sequence, revision, form, type, status, said, id, state, name) OVERRIDING SYSTEM VALUE VALUES (4, 1, 4, NULL, 1, 4, E'fact', E'event', E'erased', NULL, E'01a22372-d0ce-712d-88a8-e76fbce85148', E'{"status":"erased"}', NULL);
INSERT INTO memories (owner, memory, scope, session, sequence, revision, form, type, status, said, id, state, name) OVERRIDING SYSTEM VALUE VALUES (4, 2, 4, NULL, 2, 4, E'fact', E'event', E'erased', NULL, E'01a22372-d54c-7145-8570-3b99dcf893df', E'{"status":"erased"}', NULL);
INSERT INTO memory_documents (owner, memory, revision, analyser, embedder, traits, terms, vector) OVERRIDING SYSTEM VALUE VALUES (1, 5, 8, 1, 2, 16, E'user\x1fsister\x1fcall\x1fmia\x1fsibl', '\x0000803f000000c0');
INSERT INTO memory_documents (owner, memory, revision, analyser, embedder, traits, terms, vector) OVERRIDING SYSTEM VALUE VALUES (1, 6, 8, 1, 2, 16, E'user\x1fsister\x1fmia\x1fallerg\x1fpeanut\x1fsibl', '\x0000803f000000c0');
INSERT INTO memory_documents (owner, memory, revision, analyser, embedder, traits, terms, vector) OVERRIDING SYSTEM VALUE VALUES (1, 7, 8, 1, 2, 16, E'user\x1flive\x1frome\x1fresid\x1fhome\x1flive', '\x0000803f000000c0');
INSERT INTO memory_documents (owner, memory, revision, analyser, embedder, traits, terms, vector) OVERRIDING SYSTEM VALUE VALUES (1, 9, 8, 1, 2, 20, E'user\x1fmove\x1fpari\x1flast\x1fweek\x1fresid\x1fhome\x1flive', '\x0000803f000000c0');
INSERT INTO memory_documents (owner, memory, revision, analyser, embedder, traits, terms, vector) OVERRIDING SYSTEM VALUE VALUES (1, 10, 8, 1, 2, 0, E'用\x1f用户\x1f户\x1f户叫\x1f叫\x1f叫安\x1f安\x1f安娜\x1f娜\x1f姓\x1f姓名\x1f名\x1f名\x1f名字\x1f字', '\x0000803f000000c0');
INSERT INTO memory_documents (owner, memory, revision, analyser, embedder, traits, terms, vector) OVERRIDING SYSTEM VALUE VALUES (1, 12, 11, 1, 2, 0, E'user\x1flove\x1fsonnet\x1flike', '\x0000803f000000c0');
INSERT INTO memory_documents (owner, memory, revision, analyser, embedder, traits, terms, vector) OVERRIDING SYSTEM VALUE VALUES (3, 3, 4, 1, 2, 16, E'user\x1fdog\x1fcall\x1frex\x1fpet', '\x0000803f000000c0');
INSERT INTO memory_documents (owner, memory, revision, analyser, embedder, traits, terms, vector) OVERRIDING SYSTEM VALUE VALUES (3, 4, 4, 1, 2, 0, E'user\x1fwork\x1fcarpent\x1foccup\x1fjob\x1fwork', '\x0000803f000000c0');
INSERT INTO migrations (version, name, partitions, at) OVERRIDING SYSTEM VALUE VALUES (1, E'rows', 0, '2026-11-28T18:37:25.109Z');
INSERT INTO migrations (version, name, partitions, at) OVERRIDING SYSTEM VALUE VALUES (2, E'images-tallies', 0, '2026-11-28T18:37:26.038Z');
INSERT INTO migrations (version, name, partitions, at) OVERRIDING SYSTEM VALUE VALUES (3, E'plausible-times', 0, '2026-11-28T18:37:26.116Z');
INSERT INTO migrations (version, name, partitions, at) OVERRIDING SYSTEM VALUE VALUES (4, E'homes', 0, '2026-11-28T18:37:26.540Z');
INSERT INTO migrations (version, name, partitions, at) OVERRIDING SYSTEM VALUE VALUES (5, E'candidates', 0, '2026-11-28T18:37:26.688Z');
INSERT INTO names (number, name) OVERRIDING SYSTEM VALUE VALUES (1, E'keepsake/terms-3;unicode-17.0');
INSERT INTO names (number, name) OVERRIDING SYSTEM VALUE VALUES (2, E'keepsake/words-2');
INSERT INTO names (number, name) OVERRIDING SYSTEM VALUE VALUES (3, E'{"preset":"keepsake","step":"pair/1","promptVersion":null,"model":null}');
INSERT INTO names (number, name) OVERRIDING SYSTEM VALUE VALUES (4, E'{"preset":"keepsake","step":"persona-rules/1","promptVersion":null,"model":null}');
INSERT INTO names (number, name) OVERRIDING SYSTEM VALUE VALUES (5, E'{"preset":"keepsake","step":"recall","promptVersion":null,"model":null}');
INSERT INTO operations (owner, sequence, scope, kind, memory, touched, ranks, at, origin, session_number, round, parent, undoes, id, tallies) OVERRIDING SYSTEM VALUE VALUES (1, 1, 1, E'add', 1, '{}', E'', 1795891050876, 3, 1, 3, NULL, NULL, E'01a22372-b97d-717d-b621-1f9e5d08b7b5', NULL);
INSERT INTO operations (owner, sequence, scope, kind, memory, touched, ranks, at, origin, session_number, round, parent, undoes, id, tallies) OVERRIDING SYSTEM VALUE VALUES (1, 2, 1, E'add', 2, '{}', E'', 1795891052199, 3, 1, 4, NULL, NULL, E'01a22372-bea8-72de-9022-afe36fc8d90b', NULL);
INSERT INTO operations (owner, sequence, scope, kind, memory, touched, ranks, at, origin, session_number, round, parent, undoes, id, tallies) OVERRIDING SYSTEM VALUE VALUES (1, 3, 1, E'add', 3, '{}', E'', 1795891052199, 3, 1, 4, NULL, NULL, E'01a22372-bea8-72de-9022-b7a50279fdb4', NULL);
INSERT INTO operations (owner, sequence, scope, kind, memory, touched, ranks, at, origin, session_number, round, parent, undoes, id, tallies) OVERRIDING SYSTEM VALUE VALUES (3, 1, 3, E'add', 1, '{}', E'', 1795891052485, 3, 1, 2, NULL, NULL, E'01a22372-bfc5-7320-825f-1bcdfad058f2', NULL);
INSERT INTO operations (owner, sequence, scope, kind, memory, touched, ranks, at, origin, session_number, round, parent, undoes, id, tallies) OVERRIDING SYSTEM VALUE VALUES (3, 2, 3, E'add', 2, '{}', E'', 1795891055141, 3, 1, 2, NULL, NULL, E'01a22372-ca25-7280-aaef-05e4c50037bc', NULL);
INSERT INTO operations (owner, sequence, scope, kind, memory, touched, ranks, at, origin, session_number, round, parent, undoes, id, tallies) OVERRIDING SYSTEM VALUE VALUES (1, 4, 1, E'add', 4, '{}', E'', 1795891052468, 3, 1, 4, NULL, NULL, E'01a22372-bfb4-7592-ba7c-fca00818c56c', NULL);
INSERT INTO operations (owner, sequence, scope, kind, memory, touched, ranks, at, origin, session_number, round, parent, undoes, id, tallies) OVERRIDING SYSTEM VALUE VALUES (1, 5, 1, E'add', 5, '{}', E'', 1795891055237, 4, 1, 4, NULL, NULL, E'01a22372-caa8-7109-a110-b2ba28c1283f', NULL);
INSERT INTO operations (owner, sequence, scope, kind, memory, touched, ranks, at, origin, session_number, round, parent, undoes, id, tallies) OVERRIDING SYSTEM VALUE VALUES (1, 6, 1, E'add', 6, '{}', E'', 1795891055237, 4, 1, 4, NULL, NULL, E'01a22372-cae9-7190-b902-d8af3288cdf0', NULL);
INSERT INTO operations (owner, sequence, scope, kind, memory, touched, ranks, at, origin, session_number, round, parent, undoes, id, tallies) OVERRIDING SYSTEM VALUE VALUES (1, 7, 1, E'add', 7, '{}', E'', 1795891055237, 4, 1, 4, NULL, NULL, E'01a22372-ccd1-7099-8eac-a6e8a738d2c9', NULL);
INSERT INTO operations (owner, sequence, scope, kind, memory, touched, ranks, at, origin, session_number, round, parent, undoes, id, tallies) OVERRIDING SYSTEM VALUE VALUES (1, 8, 1, E'modify', 7, '{}', E'', 1795891055237, 4, 1, 4, NULL, NULL, E'01a22372-ccdc-748a-a300-9cfce8337071', NULL);
INSERT INTO operations (owner, sequence, scope, kind, memory, touched, ranks, at, origin, session_number, round, parent, undoes, id, tallies) OVERRIDING SYSTEM VALUE VALUES (1, 9, 1, E'add', 9, '{}', E'', 1795891055237, 4, 1, 4, NULL, NULL, E'01a22372-ccdc-748a-a300-a539ebb38e77', NULL);
INSERT INTO operations (owner, sequence, scope, kind, memory, touched, ranks, at, origin, session_number, round, parent, undoes, id, tallies) OVERRIDING SYSTEM VALUE VALUES (1, 10, 1, E'add', 10, '{}', E'', 1795891055237, 4, 1, 4, NULL, NULL, E'01a22372-cd4c-74a0-93dd-5f435fb5a3b5', NULL);
INSERT INTO operations (owner, sequence, scope, kind, memory, touched, ranks, at, origin, session_number, round, parent, undoes, id, tallies) OVERRIDING SYSTEM VALUE VALUES (1, 11, 2, E'add', 11, '{}', E'', 1795891057132, 3, 1, 1, NULL, NULL, E'01a22372-d1ed-72bf-a5fd-75db96100287', NULL);
INSERT INTO operations (owner, sequence, scope, kind, memory, touched, ranks, at, origin, session_number, round, parent, undoes, id, tallies) OVERRIDING SYSTEM VALUE VALUES (4, 1, 4, E'add', 1, '{}', E'', 1795891056819, 3, 1, 1, NULL, NULL, E'01a22372-d0ce-712d-88a8-ea9dfa032a3a', NULL);
INSERT INTO operations (owner, sequence, scope, kind, memory, touched, ranks, at, origin, session_number, round, parent, undoes, id, tallies) OVERRIDING SYSTEM VALUE VALUES (1, 12, 2, E'add', 12, '{}', E'', 1795891057620, 4, 1, 1, NULL, NULL, E'01a22372-d3d5-76f6-887a-163efb59ddb9', NULL);
INSERT INTO operations (owner, sequence, scope, kind, memory, touched, ranks, at, origin, session_number, round, parent, undoes, id, tallies) OVERRIDING SYSTEM VALUE VALUES (3, 3, 3, E'add', 3, '{}', E'', 1795891057612, 4, 1, 2, NULL, NULL, E'01a22372-d3cd-7002-bc91-e88952f780d4', NULL);
INSERT INTO operations (owner, sequence, scope, kind, memory, touched, ranks, at, origin, session_number, round, parent, undoes, id, tallies) OVERRIDING SYSTEM VALUE VALUES (3, 4, 3, E'add', 4, '{}', E'', 1795891057612, 4, 1, 2, NULL, NULL, E'01a22372-d3d5-76f6-887a-1c83a0476642', NULL);
INSERT INTO operations (owner, sequence, scope, kind, memory, touched, ranks, at, origin, session_number, round, parent, undoes, id, tallies) OVERRIDING SYSTEM VALUE VALUES (4, 2, 4, E'add', 2, '{}', E'', 1795891057995, 4, 1, 1, NULL, NULL, E'01a22372-d54c-7145-8570-3d8b7b1bc2b4', NULL);
INSERT INTO operations (owner, sequence, scope, kind, memory, touched, ranks, at, origin, session_number, round, parent, undoes, id, tallies) OVERRIDING SYSTEM VALUE VALUES (1, 13, 1, E'reinforce', NULL, '{1,6}', E'12', 1795891059416, 5, 1, 4, NULL, NULL, E'01a22372-db64-738b-a0c0-536989ecae8b', E'[{"first":3,"second":0,"rounds":[4],"lastSession":1,"lastAt":1795891059416},{"first":0,"second":3,"rounds":[],"secondAt":4,"lastSession":0,"lastAt":0}]');
INSERT INTO operations (owner, sequence, scope, kind, memory, touched, ranks, at, origin, session_number, round, parent, undoes, id, tallies) OVERRIDING SYSTEM VALUE VALUES (3, 5, 3, E'reinforce', NULL, '{1,3}', E'12', 1795891059453, 5, 1, 2, NULL, NULL, E'01a22372-db65-7658-96a5-3f52bc783533', E'[{"first":3,"second":0,"rounds":[2],"lastSession":1,"lastAt":1795891059453},{"first":0,"second":3,"rounds":[],"secondAt":2,"lastSession":0,"lastAt":0}]');
INSERT INTO owners (owner, tenant, person, revision, epoch, sequence, turns, digest) OVERRIDING SYSTEM VALUE VALUES (1, E'default', E'ana', 12, 0, 13, 5, NULL);
INSERT INTO owners (owner, tenant, person, revision, epoch, sequence, turns, digest) OVERRIDING SYSTEM VALUE VALUES (3, E'default', E'ben', 5, 0, 5, 2, NULL);
INSERT INTO owners (owner, tenant, person, revision, epoch, sequence, turns, digest) OVERRIDING SYSTEM VALUE VALUES (4, NULL, NULL, 4, 1, 2, 1, E'scrypt:127a6046a2662df6a4ff3aef57d6a557:b3cbbee01043b782978fc638f041f9c11e4f214d6e7a0b93fa04fd9dc513b050');
INSERT INTO payloads (owner, sequence, before, after) OVERRIDING SYSTEM VALUE VALUES (1, 1, NULL, E'{"form":"utterance","label":"user-stated","evidence":[{"turn":"t0","quote":null}],"learnedAt":1795891047480,"validFrom":1795891047480,"session":"s1","sessionNumber":1,"round":1,"signals":{"arousal":3.099686409282685,"surprise":5118.227575844319,"importance":4.446123180215284},"use":{"first":0,"second":0,"rounds":[],"lastSession":1,"lastAt":1795891047480},"origin":{"preset":"keepsake","step":"pair/1","promptVersion":null,"model":null},"metadata":{"n":1}}');
INSERT INTO payloads (owner, sequence, before, after) OVERRIDING SYSTEM VALUE VALUES (1, 2, NULL, E'{"form":"utterance","label":"user-stated","evidence":[{"turn":"t1","quote":null}],"learnedAt":1795891050370,"validFrom":1795891050370,"session":"s1","sessionNumber":1,"round":2,"signals":{"arousal":3.004001621301793,"surprise":804.8973457607483,"importance":3.7418484717180798},"use":{"first":0,"second":0,"rounds":[],"lastSession":1,"lastAt":1795891050370},"origin":{"preset":"keepsake","step":"pair/1","promptVersion":null,"model":null},"metadata":{"n":2}}');
INSERT INTO payloads (owner, sequence, before, after) OVERRIDING SYSTEM VALUE VALUES (1, 3, NULL, E'{"form":"utterance","label":"user-stated","evidence":[{"turn":"t2","quote":null}],"learnedAt":1795891050741,"validFrom":1795891050741,"session":"s1","sessionNumber":1,"round":3,"signals":{"arousal":2.9090111871531317,"surprise":811.659290711273,"importance":4.180487541846122},"use":{"first":0,"second":0,"rounds":[],"lastSession":1,"lastAt":1795891050741},"origin":{"preset":"keepsake","step":"pair/1","promptVersion":null,"model":null},"metadata":{"n":3}}');
INSERT INTO payloads (owner, sequence, before, after) OVERRIDING SYSTEM VALUE VALUES (3, 1, NULL, E'{"form":"utterance","label":"user-stated","evidence":[{"turn":"t5","quote":null}],"learnedAt":1795891052108,"validFrom":1795891052108,"session":"s1","sessionNumber":1,"round":1,"signals":{"arousal":3.079044272462798,"surprise":966.527280911465,"importance":4.050084185981199},"use":{"first":0,"second":0,"rounds":[],"lastSession":1,"lastAt":1795891052108},"origin":{"preset":"keepsake","step":"pair/1","promptVersion":null,"model":null},"metadata":{"n":6}}');
INSERT INTO payloads (owner, sequence, before, after) OVERRIDING SYSTEM VALUE VALUES (3, 2, NULL, E'{"form":"utterance","label":"user-stated","evidence":[{"turn":"t6","quote":null}],"learnedAt":1795891052441,"validFrom":1795891052441,"session":"s1","sessionNumber":1,"round":2,"signals":{"arousal":2.844364970258988,"surprise":530.4064223558406,"importance":3.351452181274423},"use":{"first":0,"second":0,"rounds":[],"lastSession":1,"lastAt":1795891052441},"origin":{"preset":"keepsake","step":"pair/1","promptVersion":null,"model":null},"metadata":{"n":7}}');
INSERT INTO payloads (owner, sequence, before, after) OVERRIDING SYSTEM VALUE VALUES (1, 4, NULL, E'{"form":"utterance","label":"user-stated","evidence":[{"turn":"t3","quote":null}],"learnedAt":1795891051262,"validFrom":1795891051262,"session":"s1","sessionNumber":1,"round":4,"signals":{"arousal":3.0259453540525127,"surprise":1558.5385713648097,"importance":3.061299225510428},"use":{"first":0,"second":0,"rounds":[],"lastSession":1,"lastAt":1795891051262},"origin":{"preset":"keepsake","step":"pair/1","promptVersion":null,"model":null},"metadata":{"n":4}}');
INSERT INTO payloads (owner, sequence, before, after) OVERRIDING SYSTEM VALUE VALUES (1, 5, NULL, E'{"type":"relationship","text":"The user''s sister is called Mia.","key":"siblings","value":"sister Mia","label":"user-stated","evidence":[{"turn":"t0","quote":"My sister Mia is allergic to peanuts."}],"learnedAt":1795891047480,"validFrom":1795891047480,"session":"s1","sessionNumber":1,"round":4,"use":{"first":0,"second":0,"rounds":[],"lastSession":1,"lastAt":1795891047480},"origin":{"preset":"keepsake","step":"persona-rules/1","promptVersion":null,"model":null},"metadata":{"n":1}}');
INSERT INTO payloads (owner, sequence, before, after) OVERRIDING SYSTEM VALUE VALUES (1, 6, NULL, E'{"type":"relationship","text":"The user''s sister Mia is allergic to peanuts.","key":"siblings","value":"sister is allergic to peanuts","label":"user-stated","evidence":[{"turn":"t0","quote":"My sister Mia is allergic to peanuts."}],"learnedAt":1795891047480,"validFrom":1795891047480,"session":"s1","sessionNumber":1,"round":4,"use":{"first":0,"second":0,"rounds":[],"lastSession":1,"lastAt":1795891047480},"origin":{"preset":"keepsake","step":"persona-rules/1","promptVersion":null,"model":null},"metadata":{"n":1}}');
INSERT INTO payloads (owner, sequence, before, after) OVERRIDING SYSTEM VALUE VALUES (1, 7, NULL, E'{"type":"persona","text":"The user lives in Rome.","key":"residence","value":"Rome","label":"user-stated","evidence":[{"turn":"t1","quote":"I live in Rome."}],"learnedAt":1795891050370,"validFrom":1795891050370,"session":"s1","sessionNumber":1,"round":4,"use":{"first":0,"second":0,"rounds":[],"lastSession":1,"lastAt":1795891050370},"origin":{"preset":"keepsake","step":"persona-rules/1","promptVersion":null,"model":null},"metadata":{"n":2}}');
INSERT INTO payloads (owner, sequence, before, after) OVERRIDING SYSTEM VALUE VALUES (1, 8, E'{"validUntil":null}', E'{"validUntil":1795891050741}');
INSERT INTO payloads (owner, sequence, before, after) OVERRIDING SYSTEM VALUE VALUES (1, 9, NULL, E'{"type":"persona","text":"The user moved to Paris last week.","key":"residence","value":"Paris","label":"user-stated","evidence":[{"turn":"t2","quote":"I moved to Paris last week."}],"learnedAt":1795891050741,"validFrom":1795891050741,"session":"s1","sessionNumber":1,"round":4,"use":{"first":0,"second":0,"rounds":[],"lastSession":1,"lastAt":1795891050741},"origin":{"preset":"keepsake","step":"persona-rules/1","promptVersion":null,"model":null},"metadata":{"n":3}}');
INSERT INTO payloads (owner, sequence, before, after) OVERRIDING SYSTEM VALUE VALUES (1, 10, NULL, E'{"type":"persona","text":"用户叫安娜。","key":"name","value":"安娜","label":"user-stated","evidence":[{"turn":"t3","quote":"我叫安娜"}],"learnedAt":1795891051262,"validFrom":1795891051262,"session":"s1","sessionNumber":1,"round":4,"use":{"first":0,"second":0,"rounds":[],"lastSession":1,"lastAt":1795891051262},"origin":{"preset":"keepsake","step":"persona-rules/1","promptVersion":null,"model":null},"metadata":{"n":4}}');
INSERT INTO payloads (owner, sequence, before, after) OVERRIDING SYSTEM VALUE VALUES (1, 11, NULL, E'{"form":"utterance","label":"user-stated","evidence":[{"turn":"t4","quote":null}],"learnedAt":1795891052016,"validFrom":1795891052016,"session":"s1","sessionNumber":1,"round":1,"signals":{"arousal":3.3562151628980925,"surprise":3250.997321869685,"importance":3.4185730691943075},"use":{"first":0,"second":0,"rounds":[],"lastSession":1,"lastAt":1795891052016},"origin":{"preset":"keepsake","step":"pair/1","promptVersion":null,"model":null},"metadata":{"n":5}}');
INSERT INTO payloads (owner, sequence, before, after) OVERRIDING SYSTEM VALUE VALUES (1, 12, NULL, E'{"type":"persona","text":"The user loves sonnets.","key":"likes","value":"sonnets","label":"user-stated","evidence":[{"turn":"t4","quote":"I love sonnets."}],"learnedAt":1795891052016,"validFrom":1795891052016,"session":"s1","sessionNumber":1,"round":1,"use":{"first":0,"second":0,"rounds":[],"lastSession":1,"lastAt":1795891052016},"origin":{"preset":"keepsake","step":"persona-rules/1","promptVersion":null,"model":null},"metadata":{"n":5}}');
INSERT INTO payloads (owner, sequence, before, after) OVERRIDING SYSTEM VALUE VALUES (3, 3, NULL, E'{"type":"persona","text":"The user has a dog called Rex.","key":"pets","value":"dog Rex","label":"user-stated","evidence":[{"turn":"t5","quote":"I have a dog called Rex."}],"learnedAt":1795891052108,"validFrom":1795891052108,"session":"s1","sessionNumber":1,"round":2,"use":{"first":0,"second":0,"rounds":[],"lastSession":1,"lastAt":1795891052108},"origin":{"preset":"keepsake","step":"persona-rules/1","promptVersion":null,"model":null},"metadata":{"n":6}}');
INSERT INTO payloads (owner, sequence, before, after) OVERRIDING SYSTEM VALUE VALUES (3, 4, NULL, E'{"type":"persona","text":"The user works as a carpenter.","key":"occupation","value":"carpenter","label":"user-stated","evidence":[{"turn":"t6","quote":"I work as a carpenter."}],"learnedAt":1795891052441,"validFrom":1795891052441,"session":"s1","sessionNumber":1,"round":2,"use":{"first":0,"second":0,"rounds":[],"lastSession":1,"lastAt":1795891052441},"origin":{"preset":"keepsake","step":"persona-rules/1","promptVersion":null,"model":null},"metadata":{"n":7}}');
INSERT INTO people (tenant, person, owner) OVERRIDING SYSTEM VALUE VALUES (E'default', E'ana', 1);
INSERT INTO people (tenant, person, owner) OVERRIDING SYSTEM VALUE VALUES (E'default', E'ben', 3);
INSERT INTO progress (owner, scope, branch, position) OVERRIDING SYSTEM VALUE VALUES (3, 3, E'utterances', 2);
INSERT INTO progress (owner, scope, branch, position) OVERRIDING SYSTEM VALUE VALUES (1, 1, E'utterances', 4);
INSERT INTO progress (owner, scope, branch, position) OVERRIDING SYSTEM VALUE VALUES (1, 1, E'facts', 4);
INSERT INTO progress (owner, scope, branch, position) OVERRIDING SYSTEM VALUE VALUES (1, 2, E'utterances', 1);
INSERT INTO progress (owner, scope, branch, position) OVERRIDING SYSTEM VALUE VALUES (1, 2, E'facts', 1);
INSERT INTO progress (owner, scope, branch, position) OVERRIDING SYSTEM VALUE VALUES (3, 3, E'facts', 2);
INSERT INTO records (collection, key, owner, version, expires_at, value) OVERRIDING SYSTEM VALUE VALUES (E'keys', E'k1', NULL, E'b154e446-9d2e-4d5c-80ad-67dd27f13468', NULL, E'{"a":1}');
INSERT INTO scopes (owner, scope, agent, app, last_position, last_session, erased) OVERRIDING SYSTEM VALUE VALUES (1, 1, NULL, NULL, 4, 1, false);
INSERT INTO scopes (owner, scope, agent, app, last_position, last_session, erased) OVERRIDING SYSTEM VALUE VALUES (1, 2, E'poet', NULL, 1, 1, false);
INSERT INTO scopes (owner, scope, agent, app, last_position, last_session, erased) OVERRIDING SYSTEM VALUE VALUES (3, 3, NULL, NULL, 2, 1, false);
INSERT INTO scopes (owner, scope, agent, app, last_position, last_session, erased) OVERRIDING SYSTEM VALUE VALUES (4, 4, NULL, NULL, 1, 1, true);
INSERT INTO sessions (owner, scope, number, id, started_at, last_at, ended_at, first_position, last_position) OVERRIDING SYSTEM VALUE VALUES (1, 1, 1, E's1', 1795891047480, 1795891051262, NULL, 1, 4);
INSERT INTO sessions (owner, scope, number, id, started_at, last_at, ended_at, first_position, last_position) OVERRIDING SYSTEM VALUE VALUES (1, 2, 1, E's1', 1795891052016, 1795891052016, NULL, 1, 1);
INSERT INTO sessions (owner, scope, number, id, started_at, last_at, ended_at, first_position, last_position) OVERRIDING SYSTEM VALUE VALUES (3, 3, 1, E's1', 1795891052108, 1795891052441, NULL, 1, 2);
INSERT INTO turns (owner, scope, position, turn, session, at, role, speaker, time_zone, id, text, metadata, revision, analyser, embedder, traits, terms, vector) OVERRIDING SYSTEM VALUE VALUES (1, 1, 1, 1, 1, 1795891047480, E'user', NULL, NULL, E't0', E'My sister Mia is allergic to peanuts.', E'{"n":1}', 1, 1, 2, 48, E'sister\x1fmia\x1fallerg\x1fpeanut', '\x0000803f000000c0');
INSERT INTO turns (owner, scope, position, turn, session, at, role, speaker, time_zone, id, text, metadata, revision, analyser, embedder, traits, terms, vector) OVERRIDING SYSTEM VALUE VALUES (1, 1, 2, 2, 1, 1795891050370, E'user', NULL, NULL, E't1', E'I live in Rome.', E'{"n":2}', 2, 1, 2, 48, E'live\x1frome', '\x0000803f000000c0');
INSERT INTO turns (owner, scope, position, turn, session, at, role, speaker, time_zone, id, text, metadata, revision, analyser, embedder, traits, terms, vector) OVERRIDING SYSTEM VALUE VALUES (1, 1, 3, 3, 1, 1795891050741, E'user', NULL, NULL, E't2', E'I moved to Paris last week.', E'{"n":3}', 3, 1, 2, 52, E'move\x1fpari\x1flast\x1fweek', '\x0000803f000000c0');
INSERT INTO turns (owner, scope, position, turn, session, at, role, speaker, time_zone, id, text, metadata, revision, analyser, embedder, traits, terms, vector) OVERRIDING SYSTEM VALUE VALUES (1, 1, 4, 4, 1, 1795891051262, E'user', NULL, NULL, E't3', E'我叫安娜', E'{"n":4}', 5, 1, 2, 32, E'我叫\x1f叫\x1f叫安\x1f安\x1f安娜\x1f娜', '\x0000803f000000c0');
INSERT INTO turns (owner, scope, position, turn, session, at, role, speaker, time_zone, id, text, metadata, revision, analyser, embedder, traits, terms, vector) OVERRIDING SYSTEM VALUE VALUES (1, 2, 1, 5, 1, 1795891052016, E'user', NULL, NULL, E't4', E'I love sonnets.', E'{"n":5}', 6, 1, 2, 32, E'love\x1fsonnet', '\x0000803f000000c0');
INSERT INTO turns (owner, scope, position, turn, session, at, role, speaker, time_zone, id, text, metadata, revision, analyser, embedder, traits, terms, vector) OVERRIDING SYSTEM VALUE VALUES (3, 3, 1, 1, 1, 1795891052108, E'user', NULL, NULL, E't5', E'I have a dog called Rex.', E'{"n":6}', 1, 1, 2, 48, E'dog\x1fcall\x1frex', '\x0000803f000000c0');
INSERT INTO turns (owner, scope, position, turn, session, at, role, speaker, time_zone, id, text, metadata, revision, analyser, embedder, traits, terms, vector) OVERRIDING SYSTEM VALUE VALUES (3, 3, 2, 2, 1, 1795891052441, E'user', NULL, NULL, E't6', E'I work as a carpenter.', E'{"n":7}', 2, 1, 2, 32, E'work\x1fcarpent', '\x0000803f000000c0');
SELECT setval('owner_numbers', 100), setval('scope_numbers', 100);
