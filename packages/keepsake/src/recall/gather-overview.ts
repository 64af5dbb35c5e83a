import { chooseTelling, type Telling } from '../profile/choose-telling.ts'
import { nameStrands } from '../profile/name-strands.ts'
import { strandsOf } from '../profile/strands.ts'
import type { Matter } from '../retrieval/read-matters.ts'
import type { OwnerCache } from '../work/owner-cache.ts'
import type { Asking } from './asked-question.ts'
import { findNames } from './find-names.ts'
import type { FoundMemory } from './found-memory.ts'
import { inOrderOf, tellable, tellableFacts, type ToldTurn } from './gather-told.ts'

/** Turns of the user that an overview is chosen from: the latest, some years of daily talk. */
const MOST_TURNS = 5_000
/** As many as could ever stand in a context of the usual length. */
const MOST_TOLD = 60

/** Matters that people are part of: whoever is named again and again is told of. */
const WITH_NAMES: ReadonlySet<Matter> = new Set<Matter>(['people', 'family', 'friends'])

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
  const texts = said.map(({ turn }) => turn.text)
  const ofPeople = matters.some((matter) => WITH_NAMES.has(matter))
  const named = ofPeople ? nameStrands(texts, findNames(resolved, cache).self) : []
  const chosen = chooseTelling(tellings, [...strandsOf(matters), ...named], {
    most: MOST_TOLD,
    fills: matters.some((matter) => matter === 'person' || matter === 'people'),
  })
  return inOrderOf(chosen.flatMap(({ id }) => told.get(id) ?? []))
}
