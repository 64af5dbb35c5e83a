/** Probabilities for scores; their sum is 1. */
export function softmax(scores: readonly number[]): number[] {
  const max = Math.max(...scores)
  const odds = scores.map((score) => Math.exp(score - max))
  const total = odds.reduce((sum, odd) => sum + odd, 0)
  return odds.map((odd) => odd / total)
}

export function dot(weights: ArrayLike<number>, features: ArrayLike<number>): number {
  let sum = 0
  for (let place = 0; place < features.length; place++) sum += (weights[place] ?? 0) * (features[place] ?? 0)
  return sum
}
