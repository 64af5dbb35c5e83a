import { chooseTelling, type Telling } from '../profile/choose-telling.ts'
import { nameStrands } from '../profile/name-strands.ts'
import { strandsOf } from '../profile/strands.ts'
import type { Matter } from '../retrieval/read-matters.ts'
import type { OwnerCache } from '../work/owner-cache.ts'
import type { Asking } from './asked-question.ts'
import type { FoundMemory } from './found-memory.ts'
import { selfNames } from './self-names.ts'
import { inOrderOf, tellable, tellableFacts, type ToldTurn } from './gather-told.ts'

/** Turns of the user that an overview is chosen from: the latest, some years of daily talk. */
const MOST_TURNS = 5_000
/** As many as could ever stand in a context of the usual length. */
const MOST_TOLD = 80

/** Matters that people are part of: whoever is named again and again is told of, of a whole life only a few. */
const NAMED: Readonly<Partial<Record<Matter, number>>> = { people: 12, family: 8, friends: 8, person: 4 }

function mostNamed(matters: readonly Matter[]): number {
  return Math.max(...matters.map((matter) => NAMED[matter] ?? 0))
}

/** What tells most of the matters asked about: statements and the user's own words, the most telling first and spread over them. */
export async function gatherOverview(
  asking: Asking,
  cache: OwnerCache,
  matters: readonly Matter[],
): Promise<FoundMemory[]> {
  const { engine, resolved } = asking
  const turns = await engine.store.turns({ owner: resolved.owner, scopes: resolved.scopes })
  const said = tellable(asking, cache, turns.filter(({ role }) => role === 'user').slice(-MOST_TURNS))
  const told = new Map<string, Pick<ToldTurn, 'memory' | 'pending'>>()
  const tellings: Telling[] = []
  for (const memory of tellableFacts(asking, cache)) {
    told.set(memory.id, { memory, pending: false })
    tellings.push({
      id: memory.id,
      text: memory.text,
      at: memory.validFrom,
      key: memory.key,
      isStatement: true,
    })
  }
  for (const { turn, memory, pending } of said) {
    told.set(turn.id, { memory, pending })
    tellings.push({ id: turn.id, text: turn.text, at: turn.at, key: null, isStatement: false })
  }
  const heard = turns.filter(({ role }) => role === 'agent').slice(-MOST_TURNS)
  const names = nameStrands({
    said: said.map(({ turn }) => turn.text),
    heard: tellable(asking, cache, heard).map(({ turn }) => turn.text),
    own: selfNames(asking, cache),
  })
  const named = names.slice(0, mostNamed(matters))
  const chosen = chooseTelling(tellings, [...strandsOf(matters), ...named], {
    most: MOST_TOLD,
    fills: matters.some((matter) => matter === 'person' || matter === 'people'),
  })
  return inOrderOf(chosen.flatMap(({ id }) => told.get(id) ?? []))
}
