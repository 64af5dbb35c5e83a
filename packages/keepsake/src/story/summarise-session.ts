import { candidateOf, type Candidate } from '../memories/candidate.ts'
import type { Turn } from '../turns/turn.ts'
import { sourcesOfTurns } from './make-story-unit.ts'
import type { SummariseOptions, Summariser } from './summariser.ts'

/** A session's summary is read beside its facts: some six sentences. */
const LONGEST_SESSION_SUMMARY = 700

/**
 * Summarises a session.
 *
 * @returns `null` when nothing in it is worth keeping, `unsafe` when it must not be kept
 */
export async function summariseSession(
  turns: readonly Turn[],
  summariser: Summariser,
  options: Partial<SummariseOptions> = {},
): Promise<Candidate | 'unsafe' | null> {
  const sources = sourcesOfTurns(turns)
  const summary = await summariser.summarise(sources, { maxCharacters: LONGEST_SESSION_SUMMARY, ...options })
  if (summary === null || summary === 'unsafe') return summary
  return candidateOf({ form: 'summary', ...summary, validFrom: Math.min(...turns.map((turn) => turn.at)) })
}
