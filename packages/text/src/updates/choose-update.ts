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

/** Number of missed changes that a wrong change weighs. A wrong modification weighs less, since the old text stays in the history. */
const ERROR_COST = { modify: 2, delete: 4 } as const
/** Share of training exchanges that change or end a known statement. */
const LEARNED_SHARE = 1 / 4

/** Minimum confidence, 0 to 1, to change or end a known statement. */
export type Sureness = Readonly<Record<'modify' | 'delete', number>>

/** Returns thresholds for a share of turns with changes: a change pays by its odds, which rarer ones lower (Bayes). */
export function surenessFor(share: number): Sureness {
  const oddsRatio = oddsOf(share) / oddsOf(LEARNED_SHARE)
  const thresholdOf = (cost: number): number => cost / oddsRatio / (1 + cost / oddsRatio)
  return { modify: thresholdOf(ERROR_COST.modify), delete: thresholdOf(ERROR_COST.delete) }
}

/** Number of stored statements without content that a missed new statement weighs. A missed statement is recorded nowhere else. */
const COST_OF_MISSED_ADDITION = 3

function oddsOf(share: number): number {
  return share / (1 - share)
}

/** Thresholds where a quarter of the messages are changes, as in the dialogues of the paper MMM. */
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
 * Classifies a turn against the known statements: no update, a new statement, or a change or end of a known one. It uses learned weights
 * of a few features (rare shared words, similar meaning, cues of change) and no language model.
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
  const change = chances.modify >= chances.delete ? 'modify' : 'delete'
  if (target !== null && chances.modify + chances.delete >= from[change])
    return { kind: change, target, chances }
  const isAddition = COST_OF_MISSED_ADDITION * chances.add >= chances.none
  return { kind: isAddition ? 'add' : 'none', target: null, chances }
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
  const target: TargetStatement | null =
    best === undefined ? null : { known: best.known, margin: best.score - (next?.score ?? 0) }
  return { target: best?.place ?? null, features: kindFeatures(said, target, worth) }
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
  // Softmax. The largest score is subtracted, so that no exponential overflows.
  const largest = Math.max(...scores)
  const exponentials = scores.map((score) => Math.exp(score - largest))
  const total = exponentials.reduce((sum, value) => sum + value, 0)
  const chance = (index: number): number => (exponentials[index] ?? 0) / total
  return { none: chance(0), add: chance(1), modify: chance(2), delete: chance(3) }
}

function dot(weights: readonly number[], features: readonly number[]): number {
  return features.reduce((sum, value, index) => sum + value * (weights[index] ?? 0), 0)
}
