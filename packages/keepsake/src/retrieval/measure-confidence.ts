import { holdsAnswer, readWantedAnswer } from './answer-kinds.ts'
import type { Evidence } from './weigh-evidence.ts'

/**
 * From this confidence on, recall calls what was asked known. What it lets through and what it stops is in
 * docs/benchmarks/retrieval.md: a wrong “I don't know” costs more.
 */
export const KNOWN_FROM = 0.35

/** Logistic weights, rounded, as `packages/training/src/fit-confidence.ts` finds them; the data are named there. */
const WEIGHTS = {
  words: 3,
  agreement: 9,
  aheadOfPeople: 1,
  aheadOfAgent: 1,
  particular: -1,
  missing: -2,
  crowd: 0,
  bias: -3,
} as const

/** What a confidence is measured by. */
export interface ConfidenceTraits extends Omit<Evidence, 'likely'> {
  /** 1 where the question wants a particular that a text can be seen to hold: a name, a number, a time. */
  readonly particular: number
  /** How much less of the question is held where such a particular stands than where it is held best. */
  readonly missing: number
}

/**
 * What tells whether the documents answer a question. That its words stand somewhere is not enough: they must stand together,
 * said by the person asked about, and beside the kind of thing that is asked for.
 *
 * @param textOf the words of a document
 */
export function readConfidenceTraits(
  question: string,
  { likely, ...evidence }: Evidence,
  textOf: (id: string) => string,
): ConfidenceTraits {
  const wanted = readWantedAnswer(question)
  const best = Math.max(0, ...likely.map(({ share }) => share))
  const told = likely.filter(({ id }) => holdsAnswer(wanted, textOf(id)))
  const bestTold = Math.max(0, ...told.map(({ share }) => share))
  return { ...evidence, particular: wanted.kinds.length > 0 ? 1 : 0, missing: best - bestTold }
}

/** The probability, from 0 to 1, that what was asked was ever said. 0 where there is nothing to look at. */
export function measureConfidence(traits: ConfidenceTraits): number {
  if (traits.documents === 0) return 0
  let odds = WEIGHTS.bias + WEIGHTS.crowd * Math.log1p(traits.documents)
  for (const name of ['words', 'agreement', 'aheadOfPeople', 'aheadOfAgent', 'particular', 'missing'] as const)
    odds += WEIGHTS[name] * traits[name]
  return 1 / (1 + Math.exp(-odds))
}
