import type { Turn } from 'keepsake'
import { requestRules } from 'keepsake/preset'
import { roundsIn, segmentOf, talkOf, type Life } from './life.ts'

/** Text of a life that no model may learn from. */
export interface Withheld {
  readonly turns: ReadonlySet<string>
  readonly memories: ReadonlySet<string>
}

/** The reason by which the engine marks a deletion that a user requested, as opposed to a correction. */
const ASKED_TO_FORGET = 'asked to be forgotten'
const WITHHELD_REASONS: ReadonlySet<string | null> = new Set([ASKED_TO_FORGET, 'removed by the application'])

/**
 * Finds withheld text: memories that were erased, or forgotten or removed on request, the turns that are their evidence, and all that
 * metadata excludes. The turns of a request to forget, and the replies to it, are withheld too.
 */
export async function findWithheld(life: Life): Promise<Withheld> {
  const refused = refusedInQuarantine(life)
  const withheldMemories = [...life.memories.values()].filter(
    (memory) =>
      memory.status === 'erased' ||
      withholds(memory) ||
      (memory.status === 'deleted' && WITHHELD_REASONS.has(memory.reason) && !refused.has(memory.id)),
  )
  const turns = new Set(withheldMemories.flatMap(({ evidence }) => evidence.map(({ turn }) => turn)))
  for (const turn of life.turns) if (withholds(turn)) turns.add(turn.id)
  for (const turn of turnsOfModelRequests(life)) turns.add(turn)
  for (const { id } of life.sessions) for (const turn of await turnsOfRuleRequests(life, id)) turns.add(turn)
  return { turns, memories: new Set(withheldMemories.map(({ id }) => id)) }
}

/** Returns the turns of the rounds in which a model recognised a request to forget. */
function turnsOfModelRequests(life: Life): string[] {
  const rounds = roundsIn(life.turns)
  return life.operations.flatMap(({ kind, round, payload }) =>
    kind === 'delete' && payload?.after.reason === ASKED_TO_FORGET
      ? (rounds[round - 1] ?? []).map(({ id }) => id)
      : [],
  )
}

/** Returns memories that a user refused in quarantine, and those that changed with them. They are wrong, not private, so not withheld. */
function refusedInQuarantine({ operations }: Life): ReadonlySet<string> {
  const removals = operations.filter(
    ({ kind, payload }) => kind === 'delete' && payload?.before?.status === 'quarantined',
  )
  const ids = new Set(removals.map(({ id }) => id))
  const following = operations.filter(({ parent }) => parent !== null && ids.has(parent))
  return new Set([...removals, ...following].flatMap(({ memory }) => memory ?? []))
}

/** Returns the turns in which rules recognise a request to forget, and the replies to them. Both may name the topic. */
async function turnsOfRuleRequests(life: Life, session: string): Promise<string[]> {
  const talk = talkOf(life, session)
  const { requests } = await requestRules().extract(segmentOf(life, talk))
  const asking = new Set(
    requests.flatMap((request) => (request.kind === 'forget' ? [request.evidence.turn] : [])),
  )
  const isReply = (turn: Turn, index: number): boolean =>
    turn.role === 'assistant' && asking.has(talk[index - 1]?.id ?? '')
  return talk.filter((turn, index) => asking.has(turn.id) || isReply(turn, index)).map(({ id }) => id)
}

/** Reports whether an example contains withheld text. */
export function isWithheld(
  { turns, memories }: Withheld,
  basis: { readonly turns: readonly string[]; readonly memories: readonly string[] },
): boolean {
  return basis.turns.some((turn) => turns.has(turn)) || basis.memories.some((memory) => memories.has(memory))
}

/** Reports whether metadata of a turn or memory excludes it from training: `{"training": false}`. */
export function withholds({ metadata }: { readonly metadata: unknown }): boolean {
  return typeof metadata === 'object' && metadata !== null && Reflect.get(metadata, 'training') === false
}
