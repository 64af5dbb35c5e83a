import { kindFeatures, type Meant } from './kind-features.ts'
import { statementsOf, type KnownStatements } from './known-statements.ts'
import { readSaid, type Said } from './read-said.ts'
import { sidesOf, targetFeatures, worthAmong, type Worth } from './target-features.ts'
import {
  embeddedUpdaterWeights,
  UPDATE_KINDS,
  type UpdateKind,
  type UpdaterWeights,
} from './updater-weights.ts'

/** What a change made in error costs, in changes left undone. Of what is replaced the old words stay with the memory, as past. */
const COST = { modify: 2, delete: 4 } as const
/** Of the rounds that the weights were learned from, about so many change or end something known. */
const LEARNED_SHARE = 1 / 4

/** How sure it must be before something known is touched, 0 to 1. */
export type Sureness = Readonly<Record<'modify' | 'delete', number>>

/**
 * How sure it must be where such a share of turns changes something. Acting pays from odds of its cost; where changes are rarer than
 * in what was learned from, the same words mean one less often (Bayes).
 *
 * @param share of the turns, above 0 and below 1
 */
export function surenessFor(share: number): Sureness {
  const rarer = oddsOf(share) / oddsOf(LEARNED_SHARE)
  const from = (cost: number): number => cost / rarer / (1 + cost / rarer)
  return { modify: from(COST.modify), delete: from(COST.delete) }
}

/** What something new left out costs, in things kept that are nothing: where it is not kept, nothing else tells of it. */
const COST_OF_LEAVING_OUT = 3

function oddsOf(share: number): number {
  return share / (1 - share)
}

/** Where most of what is said is to be kept up to date, as in MMM's dialogues. */
export const AS_LEARNED = surenessFor(LEARNED_SHARE)
/** Where people mostly talk of what they told before without a change: one turn in twenty is taken to bring one. A choice. */
export const IN_LIFE = surenessFor(1 / 20)

export interface ChosenUpdate {
  readonly kind: UpdateKind
  /** The place of the statement that changes or is over, from 0; `null` for the other kinds. */
  readonly target: number | null
  /** How likely each kind is; together 1. */
  readonly chances: Readonly<Record<UpdateKind, number>>
}

/** The words of what is most likely meant, and what the kind is told by. */
export interface ReadUpdate {
  readonly target: number | null
  readonly features: readonly number[]
}

/**
 * What somebody's words are to what is known: nothing, something new, or a change or end of one of the statements. Learned
 * weights of a few figures (shared words by their rarity, likeness in meaning, words that end and change), no language model.
 *
 * @param said the words of a turn
 * @param known the statements that it may change
 * @param options.from how sure it must be to change something, and to end it, 0 to 1
 * @example
 * chooseUpdate('I sold the van, I cycle now.', ['I drive a rusty van.', 'I play the cello.'])
 * // { kind: 'modify', target: 0, chances: { … } }
 */
export function chooseUpdate(
  said: string,
  known: Statements,
  { weights = embeddedUpdaterWeights(), from = AS_LEARNED }: ChooseOptions = {},
): ChosenUpdate {
  const { target, features } = readUpdate(said, known, weights)
  const chances = chancesOf(features, weights)
  const acts = chances.modify >= chances.delete ? 'modify' : 'delete'
  if (target !== null && chances.modify + chances.delete >= from[acts]) return { kind: acts, target, chances }
  return { kind: COST_OF_LEAVING_OUT * chances.add >= chances.none ? 'add' : 'none', target: null, chances }
}

/** What is known, as it stands or read before. */
type Statements = readonly string[] | Pick<KnownStatements, 'size' | 'timesOf' | 'near'>

export interface ChooseOptions {
  readonly weights?: UpdaterWeights
  readonly from?: Sureness
}

/** What the kind of an update is told by, once the statement that is most likely meant is found. */
export function readUpdate(
  text: string,
  statements: Statements,
  { target: weights }: Pick<UpdaterWeights, 'target'>,
): ReadUpdate {
  const said = readSaid(text)
  const { candidates, worth } = readCandidates(said, statements)
  const scored = candidates
    .map(({ place, features, known }) => ({ place, known, score: dot(weights, features) }))
    .sort((one, other) => other.score - one.score)
  const [best, next] = scored
  const meant: Meant | null =
    best === undefined ? null : { known: best.known, margin: best.score - (next?.score ?? 0) }
  return { target: best?.place ?? null, features: kindFeatures(said, meant, worth) }
}

/** The statements that share a word with what is said, each with what tells whether it is meant. Others are never meant. */
export function readCandidates(said: Said, statements: Statements) {
  const known = 'near' in statements ? statements : statementsOf(statements)
  const worth: Worth = worthAmong(known)
  const sides = sidesOf(said)
  const candidates = known
    .near(said.terms)
    .map((one) => ({ ...one, features: targetFeatures(said, sides, one.known, worth) }))
  return { candidates, worth }
}

function chancesOf(features: readonly number[], { kinds }: UpdaterWeights): Record<UpdateKind, number> {
  const scores = UPDATE_KINDS.map((kind) => kinds[kind].bias + dot(kinds[kind].weights, features))
  const most = Math.max(...scores)
  const odds = scores.map((score) => Math.exp(score - most))
  const whole = odds.reduce((sum, one) => sum + one, 0)
  const chance = (place: number): number => (odds[place] ?? 0) / whole
  return { none: chance(0), add: chance(1), modify: chance(2), delete: chance(3) }
}

function dot(weights: readonly number[], features: readonly number[]): number {
  return features.reduce((sum, value, place) => sum + value * (weights[place] ?? 0), 0)
}
