import type { Signals } from '../memories/memory.ts'
import type { Turn } from '../turns/turn.ts'
import type { Candidate } from '../memories/candidate.ts'

/** A round kept as it was said: its words are those of its turns, its subject whoever answered. */
export function utteranceCandidate(round: readonly Turn[], signals: Signals): Candidate {
  const last = round.at(-1)
  const speaker = round.find((turn) => turn.role === 'user') ?? last
  return {
    form: 'utterance',
    type: 'event',
    subject: speaker?.speaker ?? speaker?.role ?? 'other',
    text: '',
    key: null,
    value: null,
    level: 0,
    evidence: round.map((turn) => ({ turn: turn.id, quote: null })),
    validFrom: last?.at ?? 0,
    validUntil: null,
    signals,
  }
}
