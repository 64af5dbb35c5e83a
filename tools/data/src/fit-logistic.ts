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

/** Steps of Newton's method. A fit with few features needs no more. */
const STEPS = 25
/** The penalty for weights of standardised features. It is so high that two correlated features share their weight. */
const RIDGE = 3

/** Fits a logistic regression by Newton's method. All positive examples together weigh as much as all negative ones. */
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
  // The bias has a tiny penalty, only to keep the matrix positive definite.
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

/** Returns the probability that a fit computes for an example. */
export function chanceOf({ weights, bias }: LogisticFit, features: readonly number[]): number {
  return chanceOfOdds(features.reduce((sum, value, place) => sum + value * (weights[place] ?? 0), bias))
}

function chanceOfOdds(odds: number): number {
  return 1 / (1 + Math.exp(-odds))
}

/** Returns the mean and the standard deviation of a feature. The deviation of a constant feature is given as 1. */
export function standardOf(values: readonly number[]): { readonly mean: number; readonly deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
  return { mean, deviation: Math.sqrt(variance) || 1 }
}

/** Returns weights whose sum over the positive examples equals that over the negative ones. The mean weight is 1. */
function balance(examples: readonly WeightedExample[]): number[] {
  const sumOf = (isPositive: boolean): number =>
    examples.filter((one) => one.isPositive === isPositive).reduce((sum, { weight }) => sum + weight, 0) || 1
  const [positive, negative] = [sumOf(true), sumOf(false)]
  return examples.map((one) => (one.weight / (one.isPositive ? positive : negative)) * (examples.length / 2))
}
