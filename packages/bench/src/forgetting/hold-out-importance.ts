import { readImportanceFeatures, scaleImportance, type ImportanceWeights } from 'keepsake/preset'
import { Matrix, solve } from 'ml-matrix'
import type { ForgettingTalk, TalkUnit } from './forgetting-talk.ts'
import { saidBy, type SignalsOf } from './measure-talk-signals.ts'
import { mean } from '../metrics/means.ts'

/** Specific words and first-person words of a unit count up to this number, as in the engine's measure of importance. */
const MAX_COUNTED = 4
/** The penalty of ridge regression: a hundredth of the number of examples, as for the shipped weights. */
const RIDGE = 0.01

/** A unit from which weights are learned. */
interface Example {
  readonly features: readonly number[]
  /** 1 if some question needs the unit, else 0. Then centred by session. */
  readonly isNeeded: number
}

export interface HeldOutImportance {
  readonly signals: SignalsOf
  /** The weights for each talk's units, by the talk's name. */
  readonly weights: Readonly<Record<string, ImportanceWeights>>
}

/** Measures importance with weights fitted on the other talks, because the shipped weights were fitted on LoCoMo. `null`: there are no others. */
export function holdOutImportance(
  talks: readonly ForgettingTalk[],
  signals: SignalsOf,
): HeldOutImportance | null {
  const examples = new Map(talks.map((talk) => [talk, gatherExamples(talk)]))
  const weights: Record<string, ImportanceWeights> = {}
  const importance = new Map<TalkUnit, number>()
  for (const talk of talks) {
    const others = talks.filter((other) => other.person !== talk.person)
    const fitted = fitWeights(others.flatMap((other) => examples.get(other) ?? []))
    if (fitted === null) return null
    weights[talk.name] = fitted
    for (const unit of talk.units) {
      importance.set(unit, scaleImportance(readImportanceFeatures(saidBy(unit, 'user')), fitted))
    }
  }
  return { weights, signals: (unit) => ({ ...signals(unit), importance: importance.get(unit) ?? null }) }
}

/** Fits weights on all talks, as the shipped ones were fitted. `null`: the feature `information` has no positive weight. */
export function fitImportance(talks: readonly ForgettingTalk[]): ImportanceWeights | null {
  return fitWeights(talks.flatMap(gatherExamples))
}

/** Makes examples of a talk's units. The means of each session are subtracted from features and outcomes. */
function gatherExamples(talk: ForgettingTalk): Example[] {
  const neededUnits = new Set(talk.questions.flatMap(({ correct }) => [...correct]))
  const sessions = Map.groupBy(talk.units, (unit) => unit.session)
  return [...sessions.values()].flatMap((units) => {
    const examples = units.map((unit) => ({
      features: featuresOf(unit),
      isNeeded: neededUnits.has(unit.id) ? 1 : 0,
    }))
    const share = mean(examples.map((one) => one.isNeeded)) ?? 0
    const means = examples[0]?.features.map((_, i) => mean(examples.map((one) => one.features[i] ?? 0))) ?? []
    // The standard deviation of outcomes that are 0 or 1.
    const spread = Math.sqrt(share * (1 - share)) || 1
    return examples.map((one) => ({
      features: one.features.map((value, i) => value - (means[i] ?? 0)),
      isNeeded: (one.isNeeded - share) / spread,
    }))
  })
}

function featuresOf(unit: TalkUnit): number[] {
  const { information, specifics, firstPerson } = readImportanceFeatures(saidBy(unit, 'user'))
  return [Math.sqrt(information), Math.min(MAX_COUNTED, specifics), Math.min(MAX_COUNTED, firstPerson)]
}

/** Fits weights by ridge regression over standardised features, and divides them by the weight of `information`. */
function fitWeights(examples: readonly Example[]): ImportanceWeights | null {
  const [first] = examples
  if (first === undefined) return null
  const spreads = first.features.map(
    (_, i) => Math.sqrt(mean(examples.map(({ features }) => (features[i] ?? 0) ** 2)) ?? 0) || 1,
  )
  const x = new Matrix(examples.map(({ features }) => features.map((value, i) => value / (spreads[i] ?? 1))))
  const y = Matrix.columnVector(examples.map(({ isNeeded }) => isNeeded))
  const penalty = Matrix.eye(spreads.length).mul(RIDGE * examples.length)
  const solved = solve(x.transpose().mmul(x).add(penalty), x.transpose().mmul(y)).to1DArray()
  const [information = 0, specifics = 0, firstPerson = 0] = solved.map(
    (weight, i) => weight / (spreads[i] ?? 1),
  )
  if (information <= 0) return null
  return { information: 1, specifics: specifics / information, firstPerson: firstPerson / information }
}
