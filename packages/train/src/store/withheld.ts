import { requestRules } from 'keepsake/parts'
import { withholds } from '../consent/withholds.ts'
import { roundsIn, segmentOf, talkOf, type Life } from './life.ts'

/** What of a life may not be told to a model that learns from it. */
export interface Withheld {
  readonly turns: ReadonlySet<string>
  readonly memories: ReadonlySet<string>
}

/** As the engine marks what was dropped for good reason, and not because it was drawn wrongly. */
const ASKED = 'asked to be forgotten'
const DROPPED: ReadonlySet<string | null> = new Set([ASKED, 'removed by the application'])

/**
 * What a person asked to have forgotten or removed, with the turns it rests on, the requests and the replies to them; what the
 * application keeps out by its metadata; what was erased.
 */
export async function findWithheld(life: Life): Promise<Withheld> {
  const refused = refusedInQuarantine(life)
  const dropped = [...life.memories.values()].filter(
    (memory) =>
      memory.status === 'erased' ||
      withholds(memory) ||
      (memory.status === 'deleted' && DROPPED.has(memory.reason) && !refused.has(memory.id)),
  )
  const turns = new Set(dropped.flatMap(({ evidence }) => evidence.map(({ turn }) => turn)))
  for (const turn of life.turns) if (withholds(turn)) turns.add(turn.id)
  for (const turn of turnsThatAsked(life)) turns.add(turn)
  for (const { id } of life.sessions) for (const turn of await turnsOfRequests(life, id)) turns.add(turn)
  return { turns, memories: new Set(dropped.map(({ id }) => id)) }
}

/** The rounds in which a model, rather than a rule, heard that something is to be forgotten. */
function turnsThatAsked(life: Life): string[] {
  const rounds = roundsIn(life.turns)
  return life.operations.flatMap(({ kind, round, payload }) =>
    kind === 'delete' && payload?.after.reason === ASKED ? (rounds[round - 1] ?? []).map(({ id }) => id) : [],
  )
}

/** To remove what was never believed says that it is wrong, not that it is no one's business. With what followed from it. */
function refusedInQuarantine({ operations }: Life): ReadonlySet<string> {
  const removals = operations.filter(
    ({ kind, payload }) => kind === 'delete' && payload?.before?.status === 'quarantined',
  )
  const ids = new Set(removals.map(({ id }) => id))
  const following = operations.filter(({ parent }) => parent !== null && ids.has(parent))
  return new Set([...removals, ...following].flatMap(({ memory }) => memory ?? []))
}

/** A request to forget names what is to be forgotten, and so may the reply. */
async function turnsOfRequests(life: Life, session: string): Promise<string[]> {
  const talk = talkOf(life, session)
  const { requests } = await requestRules().extract(segmentOf(life, talk))
  const asking = new Set(
    requests.flatMap((request) => (request.kind === 'forget' ? [request.evidence.turn] : [])),
  )
  return talk
    .filter(
      (turn, at) => asking.has(turn.id) || (turn.role === 'agent' && asking.has(talk[at - 1]?.id ?? '')),
    )
    .map(({ id }) => id)
}

/** Whether something rests on what may not be told. */
export function isWithheld(
  { turns, memories }: Withheld,
  rests: { readonly turns: readonly string[]; readonly memories: readonly string[] },
): boolean {
  return rests.turns.some((turn) => turns.has(turn)) || rests.memories.some((memory) => memories.has(memory))
}
