import { cosine, findTerms, type Matter } from '@keepsake/text'
import { chooseTelling, type Telling } from '../profile/choose-telling.ts'
import { nameStrands } from '../profile/name-strands.ts'
import { aboutOf, strandsOf } from '../profile/strands.ts'
import type { Role, Turn } from '../turns/turn.ts'
import type { Engine } from '../work/engine.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { Asking } from './asked-question.ts'
import { findNames } from './find-names.ts'
import type { FoundMemory } from './found-memory.ts'
import { inOrderOf, tellable, tellableFacts, type ToldTurn } from './gather-told.ts'

/** Turns of the user that an overview is chosen from: the latest, some years of daily talk. */
const MOST_TURNS = 5_000
/** Told for their meaning alone, after what is told by its cues: whoever asks for all wants the budget spent, so little likeness is enough. */
const MOST_NEAR = 60
/** Of the first few tellings a fifth may be told so, of the others half: where little was said, what is nearest is soon something else. */
const NEAR_SHARE = { few: 20, ofFew: 0.2, ofOthers: 0.5 } as const
const LEAST_LIKENESS = 0.05
/** Turns of the user with which a first talk opens, and what of them is told: those with so many terms, after so many others. */
const OPENING = { turns: 4, terms: 2, after: 8 } as const
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
  cache: UserState,
  matters: readonly Matter[],
): Promise<FoundMemory[]> {
  const { engine, resolved } = asking
  const { owner, scopes } = resolved
  const saidBy = async (role: Role): Promise<ToldTurn[]> => {
    const latest = { owner, scopes, roles: [role], newestFirst: true, limit: MOST_TURNS }
    return tellable(asking, cache, (await engine.store.turns(latest)).toReversed())
  }
  const said = await saidBy('user')
  const told = new Map<string, Told>()
  for (const memory of tellableFacts(asking, cache)) told.set(memory.id, { memory, pending: false })
  for (const { turn, memory, pending } of said) told.set(turn.id, { memory, pending, turn })
  const tellings = [...told].map(([id, one]) => tellingOf(id, one))
  const names = nameStrands({
    said: said.map(({ turn }) => turn.text),
    heard: (await saidBy('agent')).map(({ turn }) => turn.text),
    own: (await findNames(asking, cache)).self,
  })
  const strands = [...strandsOf(matters), ...names.slice(0, mostNamed(matters))]
  const fills = matters.some((matter) => matter === 'person' || matter === 'people')
  const opening = matters.includes('person') ? openingOf(said) : new Set<string>()
  const chosen = chooseTelling(tellings, strands, { most: MOST_TOLD, fills })
  const near = nearest(engine, aboutOf(matters), tellings)
  const early = withOpening(
    [...chosen, ...near],
    tellings.filter(({ id }) => opening.has(id)),
  )
  return inOrderOf(statedFirst(early.flatMap(({ id }) => told.get(id) ?? [])))
}

/** The first turns of the first talk that say something: people begin with who they are. */
function openingOf(said: readonly ToldTurn[]): ReadonlySet<string> {
  const [first] = said
  const begun = said.filter(({ turn }) => turn.session === first?.turn.session).slice(0, OPENING.turns)
  const telling = begun.filter(({ turn }) => findTerms(turn.text).length >= OPENING.terms)
  return new Set(telling.map(({ turn }) => turn.id))
}

/** What opens the talk after the most telling few. */
function withOpening(chosen: readonly Telling[], opening: readonly Telling[]): Telling[] {
  const inOrder = [...chosen.slice(0, OPENING.after), ...opening, ...chosen.slice(OPENING.after)]
  return [...new Map(inOrder.map((telling) => [telling.id, telling])).values()]
}

/** A memory that may be told, for itself or for one of its turns. */
interface Told extends Pick<ToldTurn, 'memory' | 'pending'> {
  readonly turn?: Turn
}

function tellingOf(id: string, { memory, turn }: Told): Telling {
  return turn === undefined
    ? { id, text: memory.text, at: memory.validFrom, key: memory.key, isStatement: true }
    : { id, text: turn.text, at: turn.at, key: null, isStatement: false }
}

/** What a statement tells already that is told itself comes last. */
function statedFirst(chosen: readonly Told[]): Told[] {
  const statements = chosen.filter(({ turn }) => turn === undefined)
  const stated = new Set(statements.flatMap(({ memory }) => memory.evidence.map(({ turn }) => turn)))
  const isStated = ({ turn }: Told): boolean => turn !== undefined && stated.has(turn.id)
  return [...chosen.filter((one) => !isStated(one)), ...chosen.filter(isStated)]
}

/** What comes nearest to the matters by meaning, for the room that is left. */
function nearest({ wordVectors }: Engine, about: string, tellings: readonly Telling[]): Telling[] {
  if (about === '') return []
  const meant = wordVectors.embedNow(about)
  return tellings
    .map((telling) => ({ telling, likeness: cosine(meant, wordVectors.embedNow(telling.text)) }))
    .filter(({ likeness }) => likeness >= LEAST_LIKENESS)
    .sort((one, other) => other.likeness - one.likeness)
    .slice(0, Math.min(MOST_NEAR, nearShare(tellings.length)))
    .map(({ telling }) => telling)
}

/** How many of so many may be told for their meaning alone. */
function nearShare(tellings: number): number {
  const { few, ofFew, ofOthers } = NEAR_SHARE
  return Math.floor(Math.min(tellings, few) * ofFew + Math.max(0, tellings - few) * ofOthers)
}
