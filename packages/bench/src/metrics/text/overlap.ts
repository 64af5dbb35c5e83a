/** How far two texts overlap, each from 0 to 1. */
export interface Overlap {
  /** Share of the candidate that the reference has too. */
  readonly precision: number
  /** Share of the reference that the candidate has too. */
  readonly recall: number
  /** Harmonic mean of the two; 0 when both are. */
  readonly f1: number
}

export const NO_OVERLAP: Overlap = { precision: 0, recall: 0, f1: 0 }

export function overlapOf(precision: number, recall: number): Overlap {
  return { precision, recall, f1: harmonicMean(precision, recall) }
}

/** 0 when both are. */
export function harmonicMean(a: number, b: number): number {
  return a + b === 0 ? 0 : (2 * a * b) / (a + b)
}
