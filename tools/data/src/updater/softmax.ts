/** Chances that scores stand for, together 1. */
export function softmax(scores: readonly number[]): number[] {
  const most = Math.max(...scores)
  const odds = scores.map((score) => Math.exp(score - most))
  const whole = odds.reduce((sum, one) => sum + one, 0)
  return odds.map((one) => one / whole)
}

export function dot(weights: ArrayLike<number>, features: ArrayLike<number>): number {
  let sum = 0
  for (let place = 0; place < features.length; place++) sum += (weights[place] ?? 0) * (features[place] ?? 0)
  return sum
}
