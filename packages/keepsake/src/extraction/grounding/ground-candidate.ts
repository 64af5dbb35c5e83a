import type { Candidate } from '../../memories/candidate.ts'
import type { GroundingLabel } from '../../memories/memory.ts'
import { isBlank, normaliseText } from '@keepsake/text'
import type { Turn } from '../../turns/turn.ts'
import type { Evidence } from '../../memories/evidence.ts'
import { findUnsupported } from './find-unsupported.ts'
import { labelOf, wordsOf } from './label-candidate.ts'
import type { Grounding } from './check-candidate.ts'

/**
 * Checks a rule's candidate against the conversation: its evidence, quotes, names, numbers and dates, and labels its
 * speaker. Claims of the agent alone about the user are quarantined.
 *
 * @param turns the turns of the segment
 *
 * @example
 * groundCandidate(livesInLyon, [turn('I live in Lyon.')]) // { outcome: 'grounded', label: 'user-stated' }
 */
export function groundCandidate(candidate: Candidate, turns: readonly Turn[]): Grounding {
  const byId = new Map(turns.map((turn) => [turn.id, turn]))
  const label = labelOf(candidate, byId)
  const reason =
    missingEvidence(candidate.evidence, byId) ??
    unsupportedWords(candidate, byId) ??
    claimedByOthers(candidate, label, byId)
  return reason === null ? { outcome: 'grounded', label } : { outcome: 'quarantined', label, reason }
}

function missingEvidence(evidence: readonly Evidence[], byId: ReadonlyMap<string, Turn>): string | null {
  if (evidence.length === 0) return 'it names no turn that supports it'
  for (const { turn: id, quote } of evidence) {
    const turn = byId.get(id)
    if (turn === undefined) return `its evidence, turn ${id}, is not in the talk it was drawn from`
    if (quote === null) continue
    if (quote.trim() === '') return `its quote from turn ${id} is empty`
    if (!flat(turn.text).includes(flat(quote))) return `its quote is not in turn ${id}`
  }
  return null
}

function unsupportedWords(candidate: Candidate, byId: ReadonlyMap<string, Turn>): string | null {
  if (candidate.form === 'utterance') return null
  if (candidate.form === 'fact' && isBlank(candidate.text)) return 'it states nothing'
  const turns = candidate.evidence.flatMap((evidence) => byId.get(evidence.turn) ?? [])
  const [first] = findUnsupported(candidate, wordsOf(candidate.evidence, byId, null), turns)
  return first === undefined ? null : `"${first}" is not in its evidence`
}

function claimedByOthers(
  candidate: Candidate,
  label: GroundingLabel,
  byId: ReadonlyMap<string, Turn>,
): string | null {
  if (candidate.form !== 'fact' || label === 'user-stated' || label === 'user-confirmed') return null
  const speakers = candidate.evidence.flatMap((evidence) => byId.get(evidence.turn)?.speaker ?? [])
  if (label === 'agent-stated')
    return candidate.subject === 'agent' || speakers.includes(candidate.subject)
      ? null
      : `only the agent said so; the user neither stated nor confirmed it`
  return candidate.subject === 'user' ? 'neither the user nor the agent said so' : null
}

function flat(text: string): string {
  return normaliseText(text).replace(/\s+/g, ' ').trim()
}
