/** An example with what it weighs in the fit. */
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

/**
 * Logistic regression by Newton's method, with positives and negatives made to weigh the same in sum.
 *
 * @returns weights of the features as given, and the bias
 */
export function fitLogistic(examples: readonly WeightedExample[]): LogisticFit {
  const { means, deviations } = standards(examples)
  const rows = examples.map(({ features }) => [
    ...features.map((value, place) => (value - (means[place] ?? 0)) / (deviations[place] ?? 1)),
    1,
  ])
  const balanced = balance(examples)
  let weights = new Float64Array(means.length + 1)
  for (let step = 0; step < STEPS; step++) weights = newtonStep(rows, examples, balanced, weights)
  const own = means.map((_, place) => (weights[place] ?? 0) / (deviations[place] ?? 1))
  const shift = own.reduce((sum, weight, place) => sum + weight * (means[place] ?? 0), 0)
  return { weights: own, bias: (weights[means.length] ?? 0) - shift }
}

/** The probability that a fit gives an example. */
export function chanceOf({ weights, bias }: LogisticFit, features: readonly number[]): number {
  const odds = features.reduce((sum, value, place) => sum + value * (weights[place] ?? 0), bias)
  return 1 / (1 + Math.exp(-odds))
}

function standards(examples: readonly WeightedExample[]) {
  const columns =
    examples[0]?.features.map((_, place) => examples.map(({ features }) => features[place] ?? 0)) ?? []
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, one) => sum + one, 0) / values.length
  const means = columns.map(mean)
  const deviations = columns.map(
    (column, place) => Math.sqrt(mean(column.map((one) => (one - (means[place] ?? 0)) ** 2))) || 1,
  )
  return { means, deviations }
}

/** Weights by which those that hold and those that do not come to half of all each. */
function balance(examples: readonly WeightedExample[]): number[] {
  const sumOf = (isPositive: boolean): number =>
    examples.filter((one) => one.isPositive === isPositive).reduce((sum, { weight }) => sum + weight, 0) || 1
  const [positive, negative] = [sumOf(true), sumOf(false)]
  return examples.map((one) => (one.weight / (one.isPositive ? positive : negative)) * (examples.length / 2))
}

function newtonStep(
  rows: readonly (readonly number[])[],
  examples: readonly WeightedExample[],
  balanced: readonly number[],
  weights: Float64Array,
): Float64Array<ArrayBuffer> {
  const size = weights.length
  const gradient = new Float64Array(size)
  const hessian = Array.from({ length: size }, (_, place) => {
    const line = new Float64Array(size)
    line[place] = place < size - 1 ? RIDGE : 1e-9
    return line
  })
  for (let place = 0; place < size - 1; place++) gradient[place] = RIDGE * (weights[place] ?? 0)
  for (const [number, row] of rows.entries()) {
    const odds = row.reduce((sum, value, place) => sum + value * (weights[place] ?? 0), 0)
    const chance = 1 / (1 + Math.exp(-odds))
    const weight = balanced[number] ?? 0
    const error = weight * (chance - (examples[number]?.isPositive === true ? 1 : 0))
    for (let place = 0; place < size; place++) {
      gradient[place] = (gradient[place] ?? 0) + error * (row[place] ?? 0)
      const line = hessian[place]
      if (line === undefined) continue
      const share = weight * chance * (1 - chance) * (row[place] ?? 0)
      for (let other = 0; other < size; other++) line[other] = (line[other] ?? 0) + share * (row[other] ?? 0)
    }
  }
  const step = solveByElimination(hessian, gradient)
  return Float64Array.from(weights, (weight, place) => weight - (step[place] ?? 0))
}

/** Gauss's elimination; the matrix is small and positive definite. */
function solveByElimination(matrix: Float64Array[], values: Float64Array): Float64Array {
  const size = values.length
  for (let pivot = 0; pivot < size; pivot++) {
    const line = matrix[pivot] ?? new Float64Array(size)
    const head = line[pivot] ?? 1
    for (let below = 0; below < size; below++) {
      const other = matrix[below]
      if (below === pivot || other === undefined) continue
      const factor = (other[pivot] ?? 0) / head
      for (let place = pivot; place < size; place++)
        other[place] = (other[place] ?? 0) - factor * (line[place] ?? 0)
      values[below] = (values[below] ?? 0) - factor * (values[pivot] ?? 0)
    }
  }
  return values.map((value, place) => value / (matrix[place]?.[place] ?? 1))
}
