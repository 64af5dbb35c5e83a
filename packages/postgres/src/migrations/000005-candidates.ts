import { unsampled, wallIn, type Layout } from './layout.ts'

const CANDIDATES = ['candidates', 'candidate_words', 'candidates_kept']

/**
 * By what candidates are found of people who are too large to be read whole: a row for each of their turns and memories that may be found,
 * and one for each term of it. A turn's `document` is its number, a memory's its own below zero. The column `embedding` comes where
 * candidates are turned on, since it takes the extension "vector", which a server need not have (`candidates/vector-extension.ts`).
 *
 * Terms are rows and no GIN index: behind row-level security only what cannot leak is looked up by an index, and of what a GIN index asks nothing
 * is; nor would that begin with the owner.
 */
export function addCandidates({ partitioned, partitionsOf }: Layout): string {
  return `
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
)${partitioned};
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
)${partitioned};

CREATE TABLE candidates_kept (
  owner BIGINT PRIMARY KEY,
  recipe TEXT NOT NULL,
  revision BIGINT NOT NULL,
  documents BIGINT NOT NULL,
  terms BIGINT NOT NULL,
  turn_terms BIGINT NOT NULL
)${partitioned};

${partitionsOf(CANDIDATES)}
${wallIn({ owned: CANDIDATES, foundByAll: [], counted: [] })}
${unsampled({ candidates: ['terms', 'key'], candidate_words: ['term'] })}
`
}
