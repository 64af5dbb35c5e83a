interface ReliabilityBin {
  /** The bin's confidences lie in [from, to). */
  readonly from: number
  readonly to: number
  readonly count: number
  /** Mean confidence of the bin. */
  readonly confidence: number
  /** Share of the bin's questions that were answerable. */
  readonly observed: number
}

/**
 * Ten equal-width bins of confidence against what was so, and the expected calibration error: the mean gap
 * between the two, weighted by the bins' sizes. Empty bins are left out.
 */
export function reliability(
  judged: readonly { readonly confidence: number; readonly truth: boolean }[],
  binCount = 10,
): { readonly ece: number; readonly bins: readonly ReliabilityBin[] } {
  const bins: ReliabilityBin[] = []
  let ece = 0
  for (let b = 0; b < binCount; b++) {
    const inside = judged.filter((j) => Math.min(binCount - 1, Math.floor(j.confidence * binCount)) === b)
    if (inside.length === 0) continue
    const confidence = inside.reduce((sum, j) => sum + j.confidence, 0) / inside.length
    const observed = inside.filter((j) => j.truth).length / inside.length
    bins.push({ from: b / binCount, to: (b + 1) / binCount, count: inside.length, confidence, observed })
    ece += (inside.length / judged.length) * Math.abs(confidence - observed)
  }
  return { ece, bins }
}
