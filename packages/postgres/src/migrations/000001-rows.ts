import { unsampled, wallIn, type Layout } from './layout.ts'

const OWNED = [
  'owners',
  'scopes',
  'sessions',
  'turns',
  'operations',
  'payloads',
  'memories',
  'memory_documents',
  'evidence',
  'progress',
  'jobs',
  'claims',
  'erasures',
]
const WALLS = {
  owned: OWNED,
  foundByAll: ['people', 'owners', 'scopes', 'jobs', 'claims', 'erasures'],
  counted: ['owners', 'scopes', 'sessions', 'turns', 'operations', 'memories', 'jobs'],
}
const UNSAMPLED = {
  people: ['tenant', 'person'],
  owners: ['tenant', 'person'],
  scopes: ['agent', 'app'],
  sessions: ['id'],
  turns: ['speaker', 'time_zone', 'id', 'text', 'metadata', 'terms', 'vector'],
  payloads: ['before', 'after'],
  memories: ['session', 'id', 'state', 'name'],
  memory_documents: ['terms', 'vector'],
  jobs: ['session', 'reason', 'answer'],
  records: ['key', 'value'],
}

/**
 * Everything. The key of every table that holds a person's rows begins with `owner`, so that each is one partition's
 * and, distributed by that column, one machine's; nothing is joined but by `owner` too. `people` finds an owner by name, `names` holds what
 * is repeated in many rows and nobody said (models, analysers, steps), `records` is whoever serves the memory's.
 *
 * A memory's number is the sequence of the operation that made it; its `state` is the JSON of what differs from a blank memory, and
 * absent while it is just what the payload of operation `said` says. A turn's index row stands in its own row, a memory's beside it, since memories
 * are written anew with every recall. Texts of people have no statistics: Postgres would keep samples of them.
 */
export function createRows({ partitioned, partitionsOf }: Layout): string {
  return `
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
)${partitioned};

CREATE TABLE scopes (
  owner BIGINT NOT NULL,
  scope BIGINT NOT NULL DEFAULT nextval('scope_numbers'),
  agent TEXT,
  app TEXT,
  last_position BIGINT NOT NULL DEFAULT 0,
  last_session BIGINT NOT NULL DEFAULT 0,
  erased BOOLEAN NOT NULL DEFAULT false,
  PRIMARY KEY (owner, scope)
)${partitioned};

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
)${partitioned};

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
)${partitioned};
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
)${partitioned};
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
)${partitioned};

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
)${partitioned};
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
)${partitioned};
CREATE INDEX memory_documents_by_revision ON memory_documents (owner, revision);

CREATE TABLE evidence (
  owner BIGINT NOT NULL,
  turn BIGINT NOT NULL,
  memory BIGINT NOT NULL,
  PRIMARY KEY (owner, turn, memory)
)${partitioned};
CREATE INDEX evidence_of_memory ON evidence (owner, memory);

CREATE TABLE progress (
  owner BIGINT NOT NULL,
  scope BIGINT NOT NULL,
  branch TEXT NOT NULL,
  position BIGINT NOT NULL,
  PRIMARY KEY (owner, scope, branch)
)${partitioned};

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
)${partitioned};
CREATE INDEX jobs_in_order ON jobs (job) WHERE state = 'queued';
CREATE INDEX jobs_by_id ON jobs (id);

CREATE TABLE claims (
  owner BIGINT PRIMARY KEY,
  id TEXT NOT NULL,
  holder TEXT NOT NULL,
  until BIGINT NOT NULL
)${partitioned};
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
)${partitioned};
CREATE INDEX erasures_to_scrub ON erasures (erasure) WHERE scrubbed_at IS NULL;

${partitionsOf(OWNED)}
${wallIn(WALLS)}
${unsampled(UNSAMPLED)}
`
}
