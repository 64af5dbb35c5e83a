import { TextTrait } from '../text/text-traits.ts'
import { NONE } from './document-table.ts'
import type { Matches } from './match-documents.ts'
import {
  FULL_LENGTH,
  FULL_NOVELTY,
  LENGTH_VALUES,
  MEANING_WINDOW,
  NOVELTY_VALUES,
  measureExpected,
  measureNovelty,
  measureSpeaker,
  measureTime,
  recencyOf,
} from './score-parts.ts'

/**
 * Writes each row's score, −Infinity for those that are no candidates, and returns each session's: its best turn's.
 *
 * The same sum as over `activeParts`, which a test checks; written out as one loop because it runs over every
 * document of a person for each question: a call a part and row takes five times as long.
 */
export function scoreRows(
  matches: Matches,
  isCandidate: ((row: number) => boolean) | undefined,
  scores: Float32Array,
): Float32Array {
  const { table, counted, own, window, held, firsts, cosine, options, speakers, roleCode } = matches
  const { expected, ranges } = matches.question.read
  const { weights } = matches.recipe
  const { length, previous, next, sessionOf, isTurn, traits, lengths, importance, at } = table
  const words = weights.neighbours === 0 ? own : window
  const ownWeight = ((1 - weights.neighbours) * weights.lexical) / matches.topWords
  const wordWeight = (weights.neighbours === 0 ? 0 : weights.neighbours * weights.lexical) / matches.topWords
  const meaningWeight = weights.semantic / matches.topCosine
  const exchangeWeight = weights.exchange / matches.topWords
  const coverageWeight = weights.coverage / (matches.rarity || 1)
  const noveltyShares = NOVELTY_VALUES.map((value) => weights.novelty * value)
  const expectedWeight = expected === 0 ? 0 : weights.expected
  const timeWeight = ranges.length === 0 ? 0 : weights.time
  const asksAboutSomebody = weights.speaker !== 0 && (speakers.size > 0 || roleCode !== NONE)
  const sessionShares = matches.sessionScores.map((score) => (weights.session * score) / matches.topSession)
  const best = new Float32Array(table.sessions.length).fill(Number.NEGATIVE_INFINITY)
  for (let row = 0; row < length; row++) {
    if (isCandidate === undefined ? counted[row] !== 1 : !isCandidate(row)) {
      scores[row] = Number.NEGATIVE_INFINITY
      continue
    }
    const before: number = previous[row] ?? NONE
    let score =
      ownWeight * (own[row] ?? 0) + wordWeight * (words[row] ?? 0) + coverageWeight * (held[row] ?? 0)
    if (cosine !== undefined) {
      const itself = cosine[row] ?? 0
      score += meaningWeight * itself
      if (weights.neighbours !== 0) {
        const earlier = before === NONE ? 0 : (cosine[before] ?? 0) * MEANING_WINDOW.before
        const after: number = next[row] ?? NONE
        const later = after === NONE ? 0 : (cosine[after] ?? 0) * MEANING_WINDOW.after
        const around = earlier > later ? earlier : later
        if (around > itself) score += weights.neighbours * meaningWeight * (around - itself)
      }
    }
    if (asksAboutSomebody) score += weights.speaker * measureSpeaker(matches, row)
    if (timeWeight !== 0) score += timeWeight * measureTime(matches, row)
    if (
      exchangeWeight !== 0 &&
      before !== NONE &&
      counted[before] === 1 &&
      ((traits[before] ?? 0) & TextTrait.asks) !== 0
    ) {
      score += exchangeWeight * (own[before] ?? 0)
    }
    if (weights.recency !== 0) score += weights.recency * recencyOf(options.now - (at[row] ?? 0))
    score += weights.importance * (importance[row] ?? 0)
    const session = sessionOf[row] ?? NONE
    score +=
      (sessionShares[session] ?? 0) +
      weights.length * (LENGTH_VALUES[Math.min(FULL_LENGTH, lengths[row] ?? 0)] ?? 1)
    // Most rows hold nothing of the question, so that nothing they said first has to be left out.
    score +=
      own[row] === 0 && isTurn[row] === 1
        ? (noveltyShares[Math.min(FULL_NOVELTY, firsts[row] ?? 0)] ?? 0)
        : weights.novelty * measureNovelty(matches, row)
    if (expectedWeight !== 0) score += expectedWeight * measureExpected(matches, row)
    if (((traits[row] ?? 0) & TextTrait.asks) !== 0) score += weights.asking
    if (score > (best[session] ?? Number.POSITIVE_INFINITY)) best[session] = score
    scores[row] = score
  }
  return best
}
