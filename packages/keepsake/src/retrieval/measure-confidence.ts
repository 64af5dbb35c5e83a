import type { Evidence } from './weigh-evidence.ts'

/**
 * From this confidence on, recall calls what was asked known. Of questions that have an answer 5 to 13 % fall below
 * it, of those that have none 38 to 60 % (docs/benchmarks/retrieval.md): a wrong “I don't know” costs more.
 */
export const KNOWN_FROM = 0.3

/**
 * Logistic weights, rounded: fitted to as many questions about what was said as about what never was (LoCoMo's
 * category 5, and every data set's questions put to somebody else's memory), and checked leaving one person out.
 */
const WEIGHTS = { words: 2.9, agreement: 6.6, rival: 3.1, bias: -7.2 } as const

/**
 * The probability, from 0 to 1, that what was asked was ever said, where that is as likely as not beforehand. It
 * looks at three things: whether one document holds the question's rare words; whether everything (words, meaning,
 * person, time, session) points at the same document; and, where one of several people is asked about, whether it
 * was the other who spoke of it. 0 where there is nothing to look at.
 */
export function measureConfidence(evidence: Evidence): number {
  if (evidence.documents === 0) return 0
  const rival = evidence.isAboutOne ? evidence.meaning - evidence.rivalMeaning : 0
  const odds =
    WEIGHTS.words * evidence.words +
    WEIGHTS.agreement * evidence.agreement +
    WEIGHTS.rival * rival +
    WEIGHTS.bias
  return 1 / (1 + Math.exp(-odds))
}
