// Classifies what a turn changes in the known statements, for the updater without a model.
import { kindFeatures, type TargetStatement } from './kind-features.ts'
import { statementsOf, type KnownStatements } from './known-statements.ts'
import { readSaid, type TurnWords } from './read-said.ts'
import { sidesOf, targetFeatures, worthAmong, type Worth } from './target-features.ts'
import {
  embeddedUpdaterWeights,
  UPDATE_KINDS,
  type UpdateKind,
  type UpdaterWeights,
} from './updater-weights.ts'

/** Cost of a wrong change, in missed changes. A superseded text stays with its memory as past. */
const COST = { modify: 2, delete: 4 } as const
/** Share of training exchanges that change or end a known statement. */
const LEARNED_SHARE = 1 / 4

/** Minimum confidence, 0 to 1, to change or end a known statement. */
export type Sureness = Readonly<Record<'modify' | 'delete', number>>

/**
 * Returns the confidence thresholds for a given share of turns with changes.
 * Acting pays from the odds of its cost. Rarer changes than in training raise the threshold (Bayes).
 *
 * @param share of the turns, above 0 and below 1
 */
export function surenessFor(share: number): Sureness {
  const rarer = oddsOf(share) / oddsOf(LEARNED_SHARE)
  const from = (cost: number): number => cost / rarer / (1 + cost / rarer)
  return { modify: from(COST.modify), delete: from(COST.delete) }
}

/** Cost of a missed new statement, in stored statements without content. A missed one has no other record. */
const COST_OF_LEAVING_OUT = 3

function oddsOf(share: number): number {
  return share / (1 - share)
}

/** Thresholds where most messages are updates, as in MMM's dialogues. */
export const AS_LEARNED = surenessFor(LEARNED_SHARE)
/** Thresholds where one turn in twenty is assumed to bring a change. This share is a choice, not a measurement. */
export const IN_LIFE = surenessFor(1 / 20)

export interface ChosenUpdate {
  readonly kind: UpdateKind
  /** The index of the statement that changes or ends, or `null` for the other kinds. */
  readonly target: number | null
  /** Probability of each kind. The sum is 1. */
  readonly chances: Readonly<Record<UpdateKind, number>>
}

/** The most likely target, and the features of the kind. */
export interface ReadUpdate {
  readonly target: number | null
  readonly features: readonly number[]
}

/**
 * Classifies a turn against the known statements: no update, a new statement, or a change or end of a known one.
 * It uses learned weights of a few features (rare shared words, similar meaning, cues of change) and no language
 * model.
 *
 * @param said the words of a turn
 * @param known the statements that it may change
 * @param options.from minimum confidence to change or end a statement, 0 to 1
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

/** Known statements, as texts or analysed. */
type Statements = readonly string[] | Pick<KnownStatements, 'size' | 'timesOf' | 'near'>

export interface ChooseOptions {
  readonly weights?: UpdaterWeights
  readonly from?: Sureness
}

/** Returns the features of an update's kind for its most likely target. */
export function readUpdate(
  text: string,
  statements: Statements,
  { target: weights }: Pick<UpdaterWeights, 'target'>,
): ReadUpdate {
  const said = readSaid(text)
  const { candidates, worth } = readCandidates(said, statements)
  const scored = candidates
    .map(({ place: index, features, known }) => ({ place: index, known, score: dot(weights, features) }))
    .sort((a, b) => b.score - a.score)
  const [best, next] = scored
  const meant: TargetStatement | null =
    best === undefined ? null : { known: best.known, margin: best.score - (next?.score ?? 0) }
  return { target: best?.place ?? null, features: kindFeatures(said, meant, worth) }
}

/** Returns the features of each statement that shares a word with the turn. Other statements are never targets. */
export function readCandidates(said: TurnWords, statements: Statements) {
  const known = 'near' in statements ? statements : statementsOf(statements)
  const worth: Worth = worthAmong(known)
  const sides = sidesOf(said)
  const candidates = known
    .near(said.terms)
    .map((near) => ({ ...near, features: targetFeatures(said, sides, near.known, worth) }))
  return { candidates, worth }
}

function chancesOf(features: readonly number[], { kinds }: UpdaterWeights): Record<UpdateKind, number> {
  const scores = UPDATE_KINDS.map((kind) => kinds[kind].bias + dot(kinds[kind].weights, features))
  const most = Math.max(...scores)
  const odds = scores.map((score) => Math.exp(score - most))
  const whole = odds.reduce((sum, odd) => sum + odd, 0)
  const chance = (index: number): number => (odds[index] ?? 0) / whole
  return { none: chance(0), add: chance(1), modify: chance(2), delete: chance(3) }
}

function dot(weights: readonly number[], features: readonly number[]): number {
  return features.reduce((sum, value, index) => sum + value * (weights[index] ?? 0), 0)
}
