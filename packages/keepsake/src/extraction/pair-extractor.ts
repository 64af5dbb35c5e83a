import { pairTurns, type PairOrder } from '../segmentation/pair-turns.ts'
import type { Turn } from '../turns/turn.ts'
import type { Candidate, Extractor } from './candidate.ts'

/**
 * Utterance pairs as candidates: each round kept as it was said, its words those of its turns. Signals are left to
 * the step that measures them.
 *
 * @param options.order `answer` (LUFY, the default) or `reply` (MemoryBank)
 */
export function pairExtractor(options: { order?: PairOrder } = {}): Extractor {
  const order = options.order ?? 'answer'
  return {
    id: 'pair/1',
    extract: (segment) => ({
      candidates: pairTurns(segment.turns, order, { flush: true }).pairs.map(toCandidate),
      requests: [],
    }),
  }
}

function toCandidate(pair: readonly Turn[]): Candidate {
  const speaker = pair.find((turn) => turn.role === 'user') ?? pair.at(-1)
  return {
    form: 'utterance',
    type: 'event',
    subject: speaker?.speaker ?? speaker?.role ?? 'other',
    text: '',
    key: null,
    value: null,
    level: 0,
    evidence: pair.map((turn) => ({ turn: turn.id, quote: null })),
    validFrom: pair.at(-1)?.at ?? 0,
    validUntil: null,
    signals: { arousal: null, surprise: null, importance: null },
  }
}
