import type { Recall, RecalledMemory, ScopeKey } from 'keepsake'
import type { ServerRequest } from '../server-context.ts'
import { matches } from './match-filters.ts'
import { keyOf, type Mem0Door } from './mem0-door.ts'
import { filterable, isOver, presentMemory, type Mem0Memory } from './present-memory.ts'
import type { SearchRequest } from './read-lookups.ts'
import { selectPeople, type SelectedPerson } from './select-people.ts'

/** A memory that was found, and how sure that is, 0 to 1. */
export interface Mem0Found extends Mem0Memory {
  readonly score: number
}

/** As many as the engine hands out: filters that it does not know choose among them. */
const MOST = 1_000

/** Memories that bear on a query, best first. @throws Problem 400, 403 */
export async function searchMemories(
  door: Mem0Door,
  c: ServerRequest,
  request: SearchRequest,
): Promise<readonly Mem0Found[]> {
  const people = await selectPeople(door, c, request.filter, 'read')
  const found: Mem0Found[] = []
  for (const person of people) found.push(...(await searchOne(door, c, person, request)))
  return found.sort((one, other) => other.score - one.score).slice(0, request.limit)
}

async function searchOne(
  door: Mem0Door,
  c: ServerRequest,
  selected: SelectedPerson,
  request: SearchRequest,
): Promise<readonly Mem0Found[]> {
  const { key, isExact } = scopeOf(selected)
  const recall = await door.deps.keepsake.scope(key).recall(request.query, {
    // Twice as many: some are no longer so.
    limit: isExact ? Math.min(MOST, request.limit * 2) : MOST,
    // Mem0's answer has no context, so none is composed.
    tokens: 1,
    // What a filter hides was not used.
    ...(isExact ? {} : { reinforce: false }),
    ...(request.now === null ? {} : { now: request.now }),
    abortSignal: c.req.raw.signal,
  })
  const found = choose(door, selected, request, recall)
  noteFound(door, selected, found)
  return found
}

/** Those of a recall that the request means, as many as it asks for. */
function choose(
  { deps, notes }: Mem0Door,
  { person, rows, isDecided }: SelectedPerson,
  request: SearchRequest,
  recall: Recall,
): readonly Mem0Found[] {
  const own = notes.of(person)
  const now = request.now ?? deps.now()
  const best = Math.max(...recall.memories.map((one) => one.score))
  const found: Mem0Found[] = []
  for (const recalled of recall.memories) {
    const memory = withSession(recalled)
    const row = rows.find((one) => one.scope === memory.scope)
    const score = scoreOf(recalled, recall, best)
    if (row === undefined || score < request.threshold || (!request.over && isOver(memory, now))) continue
    if (!isDecided && matches(request.filter, filterable(memory, row, own)) !== true) continue
    found.push({ ...presentMemory(memory, row, own), score })
    if (found.length === request.limit) break
  }
  return found
}

/** So that an id alone finds them afterwards. */
function noteFound({ notes }: Mem0Door, { person }: SelectedPerson, found: readonly Mem0Found[]): void {
  const own = notes.of(person)
  const fresh = found.filter(({ id }) => !id.startsWith('pending:') && own.memory(id) === null)
  if (fresh.length > 0)
    notes.place(
      person,
      fresh.map((one) => one.id),
    )
}

/** A turn that is not consolidated yet is in the session of its turn. */
function withSession({ memory, pending, evidence }: RecalledMemory): RecalledMemory['memory'] {
  return pending ? { ...memory, session: evidence[0]?.session ?? '' } : memory
}

/** The narrowest scope that holds all that is meant, and whether it holds nothing else. */
function scopeOf({ person, rows, isWhole, isDecided }: SelectedPerson): { key: ScopeKey; isExact: boolean } {
  const [row] = rows
  const isNarrow = rows.length === 1 && row !== undefined && (row.agent !== null || row.app !== null)
  if (!isNarrow) return { key: person, isExact: isWhole && isDecided }
  return { key: keyOf(row), isExact: isDecided }
}

/**
 * Mem0's scores are between 0 and 1 and are compared with a threshold. Keepsake's are comparable within one recall only, so
 * each is taken relative to the best and times how sure the recall is that what was asked was ever said.
 */
function scoreOf({ score }: RecalledMemory, { confidence }: Recall, best: number): number {
  return best > 0 ? Math.max(0, (confidence * score) / best) : 0
}
