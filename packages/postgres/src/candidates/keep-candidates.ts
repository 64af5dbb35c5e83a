import { NotFoundError, type KeptCandidates } from 'keepsake/store-kit'
import type { Sql } from '../connection/sql.ts'
import type { Database } from '../database.ts'
import { lockPerson } from '../keep-scopes.ts'
import { memoriesAfter } from '../read-memories.ts'
import { dropCandidatesOf } from './drop-candidates.ts'
import { settleMemories, settleTurns, type Settling, type TurnPlace } from './settle-documents.ts'
import type { VectorExtension } from './vector-extension.ts'

/** Documents settled in one transaction, for which the person's other writes wait: some tenth of a second. */
const AT_A_TIME = 500

/** So many documents are more than the planner may be left to guess about until the server counts rows again by itself. */
const MANY = 1_000

/** What keeping takes beside the database. */
export interface CandidateMeans {
  readonly vectors: VectorExtension
  /** Has the server count the rows of the tables that are searched (`ANALYZE`). */
  readonly countRows: () => Promise<void>
}

/** What has to be looked at again. */
interface Changed {
  readonly turns: readonly TurnPlace[]
  /** Numbers. */
  readonly memories: readonly number[]
}

/**
 * Brings what candidates are found by up to the person's rows: what was written since the revision up to which it was kept, and the turns
 * that waited then and were read since. Each step looks at the rows as they are, so that two who do it at once do the same.
 */
export async function keepCandidates(
  database: Database,
  { vectors, countRows }: CandidateMeans,
  kept: KeptCandidates,
): Promise<void> {
  const { owner } = kept
  const settling = { owner, kept, vectors }
  const { after, revision } = await readStanding(database, kept)
  if (after === revision) return
  const changed = await readChanged(database, settling, after)
  for (const turns of inSteps(changed.turns))
    await settle(database, owner, (sql) => settleTurns(sql, settling, turns))
  for (const memories of inSteps(changed.memories))
    await settle(database, owner, (sql) => settleMemories(sql, settling, memories))
  if (changed.turns.length + changed.memories.length >= MANY) await countRows()
  await database.transactions.write(
    { owner },
    (sql) =>
      sql.run`UPDATE candidates_kept SET revision = ${revision} WHERE owner = ${owner} AND revision < ${revision}`,
    { flush: false },
  )
}

/** Up to which revision it was kept, and to which it is to be; all is begun anew where other documents may be found than before. */
async function readStanding(
  { transactions }: Database,
  kept: KeptCandidates,
): Promise<{ readonly after: number; readonly revision: number }> {
  const { owner } = kept
  const recipe = recipeOf(kept)
  const [known, revision] = await transactions.read({ owner }, (sql) =>
    Promise.all([
      sql.get<{
        recipe: string
        revision: number
      }>`SELECT recipe, revision FROM candidates_kept WHERE owner = ${owner}`,
      sql.value<number>`SELECT revision FROM owners WHERE owner = ${owner}`,
    ]),
  )
  if (revision === undefined) throw new NotFoundError('scope', String(owner))
  if (known?.recipe === recipe) return { after: known.revision, revision }
  await transactions.write({ owner }, async (sql) => {
    await lockPerson(sql, owner)
    const now = await sql.value<string>`SELECT recipe FROM candidates_kept WHERE owner = ${owner}`
    if (now === recipe) return
    dropCandidatesOf(sql, owner)
    sql.send`INSERT INTO candidates_kept (owner, recipe, revision, documents, terms, turn_terms)
      VALUES (${owner}, ${recipe}, 0, 0, 0, 0)`
  })
  return { after: 0, revision }
}

function recipeOf({ forms, findsKeptTurns, branch }: KeptCandidates): string {
  return JSON.stringify([[...forms].sort(), findsKeptTurns, branch])
}

function readChanged({ transactions }: Database, settling: Settling, after: number): Promise<Changed> {
  const { owner, kept } = settling
  return transactions.readOn({ owner }, async (sql) => {
    const [turns, documents, waiting, memories] = await Promise.all([
      sql.cells<TurnPlace>`SELECT scope, position FROM turns
        WHERE owner = ${owner} AND revision > ${after} AND terms IS NOT NULL`,
      sql.cells<
        readonly [number]
      >`SELECT memory FROM memory_documents WHERE owner = ${owner} AND revision > ${after}`,
      sql.cells<TurnPlace>`SELECT c.scope, c.position FROM candidates c JOIN progress p ON p.owner = c.owner AND p.scope = c.scope
        WHERE c.owner = ${owner} AND c.pending AND p.branch = ${kept.branch} AND c.position <= p.position`,
      // Of the first time everything is looked at by its documents anyway.
      after === 0 ? [] : memoriesAfter(sql, owner, after),
    ])
    const said = memories.filter(({ memory }) => memory.form === 'utterance')
    const rested = said.flatMap(({ memory }) => memory.evidence.map(({ turn }) => turn))
    const others = memories.filter(({ memory }) => memory.form !== 'utterance').map(({ memory }) => memory.id)
    const [kepts, numbers] = await Promise.all([
      placesOf(sql, owner, rested),
      sql.cells<
        readonly [number]
      >`SELECT memory FROM memories WHERE owner = ${owner} AND id = ANY(${others})`,
    ])
    return {
      turns: [...new Map([...turns, ...waiting, ...kepts].map((place) => [place.join(), place])).values()],
      memories: [...new Set([...documents, ...numbers].map(([memory]) => memory))],
    }
  })
}

function placesOf(sql: Sql, owner: number, turns: readonly string[]): Promise<TurnPlace[]> {
  return sql.cells<TurnPlace>`SELECT scope, position FROM turns
    WHERE owner = ${owner} AND id = ANY(${turns}) AND terms IS NOT NULL`
}

/** An erasure comes before or after it: what is written is what was there under the person's lock. */
function settle({ transactions }: Database, owner: number, work: (sql: Sql) => Promise<void>): Promise<void> {
  return transactions.write(
    { owner },
    async (sql) => {
      await lockPerson(sql, owner)
      await work(sql)
    },
    { flush: false },
  )
}

function* inSteps<One>(all: readonly One[]): Generator<readonly One[]> {
  for (let at = 0; at < all.length; at += AT_A_TIME) yield all.slice(at, at + AT_A_TIME)
}
