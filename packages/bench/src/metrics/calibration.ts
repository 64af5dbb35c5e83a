const BINS = 10

/**
 * The expected calibration error: over ten equal-width bins of confidence, the gap between mean confidence and the share
 * that was so, weighted by the bins' sizes.
 */
export function calibrationError(
  judged: readonly { readonly confidence: number; readonly truth: boolean }[],
): number {
  const binOf = (confidence: number): number => Math.min(BINS - 1, Math.floor(confidence * BINS))
  const bins = Map.groupBy(judged, ({ confidence }) => binOf(confidence))
  let error = 0
  for (const bin of Array.from({ length: BINS }, (_, place) => bins.get(place) ?? [])) {
    if (bin.length === 0) continue
    const confidence = bin.reduce((sum, one) => sum + one.confidence, 0) / bin.length
    const observed = bin.filter(({ truth }) => truth).length / bin.length
    error += (bin.length / judged.length) * Math.abs(confidence - observed)
  }
  return error
}
