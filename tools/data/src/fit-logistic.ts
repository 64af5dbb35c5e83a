import { Matrix, solve } from 'ml-matrix'

export interface WeightedExample {
  readonly features: readonly number[]
  readonly isPositive: boolean
  readonly weight: number
}

export interface LogisticFit {
  readonly weights: readonly number[]
  readonly bias: number
}

/** Newton's steps: a handful are enough where features are few. */
const STEPS = 25
/** On standardised features: enough that two that go together share their weight. */
const RIDGE = 3

/** Logistic regression by Newton's method. Positives and negatives weigh the same in sum. */
export function fitLogistic(examples: readonly WeightedExample[]): LogisticFit {
  const standards =
    examples[0]?.features.map((_, place) =>
      standardOf(examples.map(({ features }) => features[place] ?? 0)),
    ) ?? []
  const x = new Matrix(
    examples.map(({ features }) => [
      ...standards.map(({ mean, deviation }, place) => ((features[place] ?? 0) - mean) / deviation),
      1,
    ]),
  )
  const balanced = balance(examples)
  // The bias is free: its tiny penalty only keeps the matrix definite.
  const penalty = Matrix.diag([...standards.map(() => RIDGE), 1e-9])
  let weights = Matrix.zeros(x.columns, 1)
  for (let step = 0; step < STEPS; step++) {
    const chances = x.mmul(weights).to1DArray().map(chanceOfOdds)
    const errors = chances.map((chance, at) => chance - (examples[at]?.isPositive === true ? 1 : 0))
    const weighted = (values: readonly number[]) =>
      Matrix.columnVector(values.map((value, at) => value * (balanced[at] ?? 0)))
    const spreads = weighted(chances.map((chance) => chance * (1 - chance)))
    const gradient = x.transpose().mmul(weighted(errors)).add(penalty.mmul(weights))
    const hessian = x.transpose().mmul(x.clone().mulColumnVector(spreads)).add(penalty)
    weights = Matrix.sub(weights, solve(hessian, gradient))
  }
  const fitted = weights.to1DArray()
  const own = standards.map(({ deviation }, place) => (fitted[place] ?? 0) / deviation)
  const shift = own.reduce((sum, weight, place) => sum + weight * (standards[place]?.mean ?? 0), 0)
  return { weights: own, bias: (fitted.at(-1) ?? 0) - shift }
}

/** The probability that a fit gives an example. */
export function chanceOf({ weights, bias }: LogisticFit, features: readonly number[]): number {
  return chanceOfOdds(features.reduce((sum, value, place) => sum + value * (weights[place] ?? 0), bias))
}

function chanceOfOdds(odds: number): number {
  return 1 / (1 + Math.exp(-odds))
}

/** The mean of a feature, and its deviation; 1 where it never varies. */
export function standardOf(values: readonly number[]): { readonly mean: number; readonly deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
  return { mean, deviation: Math.sqrt(variance) || 1 }
}

/** Weights by which those that hold and those that do not come to half of all each. */
function balance(examples: readonly WeightedExample[]): number[] {
  const sumOf = (isPositive: boolean): number =>
    examples.filter((one) => one.isPositive === isPositive).reduce((sum, { weight }) => sum + weight, 0) || 1
  const [positive, negative] = [sumOf(true), sumOf(false)]
  return examples.map((one) => (one.weight / (one.isPositive ? positive : negative)) * (examples.length / 2))
}
