import type { Signals } from '../memories/memory.ts'
import type { Turn } from '../turns/turn.ts'
import { candidateOf, type Candidate } from '../memories/candidate.ts'

/** A round kept as it was said: its words are those of its turns, its subject whoever answered. */
export function utteranceCandidate(round: readonly Turn[], signals: Signals): Candidate {
  const last = round.at(-1)
  const speaker = round.find((turn) => turn.role === 'user') ?? last
  const evidence = round.map((turn) => ({ turn: turn.id, quote: null }))
  const subject = speaker?.speaker ?? speaker?.role ?? 'other'
  return candidateOf({ form: 'utterance', subject, evidence, validFrom: last?.at ?? 0, signals })
}
