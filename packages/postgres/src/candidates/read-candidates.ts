import { NotFoundError, type OwnerVersion } from 'keepsake/store-kit'
import type { Sql } from '../connection/sql.ts'
import type { ContentCells, RawRows, TurnCells } from '../read-index.ts'
import { memoriesResting, numberedMemories, type NumberedMemory } from '../read-memories.ts'
import { progressOfAll } from '../read-turns.ts'
import type { TurnPlace } from './settle-documents.ts'

/** How far around a turn its neighbours count: as far as the engine carries a word (`match-words.ts`). */
const AROUND = { before: 4, after: 4 } as const

/**
 * The rows of these documents: turns with those around them and those that memories among them rest on, and every memory that rests on any
 * of these turns. A live memory with words of its own that is no candidate is left out: not everything that tells whether its words may be shown was read.
 */
export async function readCandidates(
  sql: Sql,
  owner: number,
  documents: readonly number[],
): Promise<ReadCandidates> {
  const numbers = documents.filter((document) => document < 0).map((document) => -document)
  const [version, places, memories, contents, progress] = await Promise.all([
    sql.get<OwnerVersion>`SELECT revision, epoch FROM owners WHERE owner = ${owner}`,
    placesAround(
      sql,
      owner,
      documents.filter((document) => document > 0),
    ),
    numberedMemories(sql, owner, numbers),
    sql.cells<ContentCells>`SELECT m.id, d.analyser, d.embedder, d.traits, d.terms, d.vector
      FROM memory_documents d JOIN memories m ON m.owner = d.owner AND m.memory = d.memory
      WHERE d.owner = ${owner} AND d.memory = ANY(${numbers}) ORDER BY d.memory`,
    progressOfAll(sql, owner),
  ])
  if (version === undefined) throw new NotFoundError('scope', String(owner))
  const { turns, resting, firstSaid } = await readTurnsAt(sql, owner, [
    ...places,
    ...(await placesRestedOn(sql, owner, memories)),
  ])
  const chosen = new Set(numbers)
  const others = resting.filter(
    ({ number, memory }) => !chosen.has(number) && (memory.form === 'utterance' || memory.status !== 'live'),
  )
  const all = [...memories, ...others].sort((one, other) => one.number - other.number)
  const raw = {
    version,
    turns,
    documents: contents,
    memories: all.map(({ memory, sequence }) => ({ memory, sequence })),
    byId: new Map(memories.map(({ memory }) => [memory.id, memory])),
    progress,
  }
  return { raw, firstSaid }
}

/** Places of turns, and of those of their session around them. */
function placesAround(sql: Sql, owner: number, turns: readonly number[]): Promise<TurnPlace[]> {
  return sql.cells<TurnPlace>`SELECT t.scope, t.position FROM candidates c
    JOIN turns t ON t.owner = c.owner AND t.scope = c.scope
      AND t.position BETWEEN c.position - ${AROUND.before}::bigint AND c.position + ${AROUND.after}::bigint AND t.session = c.session
    WHERE c.owner = ${owner} AND c.document = ANY(${turns})`
}

function placesRestedOn(sql: Sql, owner: number, memories: readonly NumberedMemory[]): Promise<TurnPlace[]> {
  const turns = memories.flatMap(({ memory: { evidence, past } }) =>
    [...evidence, ...past.flatMap((version) => version.evidence)].map(({ turn }) => turn),
  )
  return sql.cells<TurnPlace>`SELECT scope, position FROM turns WHERE owner = ${owner} AND id = ANY(${turns})`
}

export interface ReadCandidates {
  readonly raw: RawRows
  /** Words that one of these turns was the first to say, with its id. */
  readonly firstSaid: ReadonlyMap<string, string>
}

interface TurnsAt extends Pick<ReadCandidates, 'firstSaid'> {
  readonly turns: readonly TurnCells[]
  /** Memories that rest on them, or did. */
  readonly resting: readonly NumberedMemory[]
}

async function readTurnsAt(sql: Sql, owner: number, places: readonly TurnPlace[]): Promise<TurnsAt> {
  const each = [...new Map(places.map((place) => [place.join(), place])).values()]
  const [scopes, positions] = [each.map(([scope]) => scope), each.map(([, position]) => position)]
  const rows = await sql.cells<
    readonly [...TurnCells, turn: number]
  >`SELECT t.id, t.analyser, t.embedder, t.traits, t.terms,
      t.vector, t.scope, s.id, t.position, t.role, t.speaker, t.at, t.turn
    FROM unnest(${scopes}::bigint[], ${positions}::bigint[]) AS r (scope, position)
    JOIN turns t ON t.owner = ${owner} AND t.scope = r.scope AND t.position = r.position
    JOIN sessions s ON s.owner = t.owner AND s.scope = t.scope AND s.number = t.session
    WHERE t.owner = ${owner} AND t.terms IS NOT NULL ORDER BY t.turn`
  const idOf = new Map(rows.map((cells) => [Number(cells.at(-1)), cells[0]]))
  const numbers = [...idOf.keys()]
  const [resting, first] = await Promise.all([
    memoriesResting(sql, owner, numbers),
    wordsFirstSaid(sql, owner, numbers),
  ])
  return {
    turns: rows.map((cells) => cells.slice(0, -1) as unknown as TurnCells),
    resting,
    firstSaid: new Map(first.map(([term, turn]) => [term, idOf.get(turn) ?? ''])),
  }
}

/** Turns are numbered as they come, so that the first to say a word has the least number. */
function wordsFirstSaid(
  sql: Sql,
  owner: number,
  turns: readonly number[],
): Promise<(readonly [string, number])[]> {
  return sql.cells`SELECT said.term, first.document
    FROM (SELECT DISTINCT unnest(terms) COLLATE "C" AS term FROM candidates WHERE owner = ${owner} AND document = ANY(${turns})) AS said
    CROSS JOIN LATERAL (SELECT document FROM candidate_words w
      WHERE w.owner = ${owner} AND w.term = said.term AND w.document > 0 ORDER BY w.document LIMIT 1) AS first
    WHERE first.document = ANY(${turns})`
}
