import type { Evidence } from './weigh-evidence.ts'

/**
 * From this confidence on, recall calls what was asked known. Of questions that have an answer 1 to 12 % fall below
 * it, of those that have none 27 to 68 % (docs/benchmarks/retrieval.md): a wrong “I don't know” costs more.
 */
export const KNOWN_FROM = 0.35

/**
 * Logistic weights, rounded: fitted to questions about what was said and about what never was (LoCoMo's category 5,
 * every data set's questions put to somebody else's memory, and to memories of 5 to 20 turns that hold or lack the
 * answer), and checked leaving one person out. The more documents, the better one matches by mere chance: `crowd`
 * weighs the logarithm of their number.
 */
const WEIGHTS = { words: 4, agreement: 9, rival: 3, crowd: -0.45, bias: -5.95 } as const

/**
 * The probability, from 0 to 1, that what was asked was ever said, where that is as likely as not beforehand. It
 * looks at four things: whether one document holds the question's rare words; whether everything (words, meaning,
 * person, time, session) points at the same document; among how many documents that is so; and, where one of several
 * people is asked about, whether it was the other who spoke of it. 0 where there is nothing to look at.
 */
export function measureConfidence(evidence: Evidence): number {
  if (evidence.documents === 0) return 0
  const rival = evidence.isAboutOne ? evidence.meaning - evidence.rivalMeaning : 0
  const odds =
    WEIGHTS.words * evidence.words +
    WEIGHTS.agreement * evidence.agreement +
    WEIGHTS.rival * rival +
    WEIGHTS.crowd * Math.log1p(evidence.documents) +
    WEIGHTS.bias
  return 1 / (1 + Math.exp(-odds))
}
