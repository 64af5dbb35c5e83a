import type { Candidate } from '../extraction/candidate.ts'
import type { GroundingLabel } from '../operations/memory.ts'
import { normaliseText } from '../text/normalise-text.ts'
import type { Turn } from '../turns/turn.ts'
import type { Evidence } from './evidence.ts'
import { findUnsupported } from './find-unsupported.ts'

/** Whether a candidate is believed, on whose word, and if not, why. */
export type Grounding =
  | { readonly outcome: 'grounded'; readonly label: GroundingLabel }
  | { readonly outcome: 'quarantined'; readonly label: GroundingLabel; readonly reason: string }

/**
 * Checks a candidate against the talk it was drawn from: its evidence exists, its quotes stand in their turns, and
 * the names, numbers and dates it states are in them or follow from them. Labels it by who said so. Only what the
 * user stated or confirmed can be a fact about the user; what the agent alone claimed about them is quarantined.
 *
 * @param turns the turns of the segment it was drawn from
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

/** Short answers that say yes to what was asked, at the start of a turn. */
const YES =
  /^[\s\p{P}]*(?:(?:yes|yeah|yep|yup|indeed|correct|right|exactly|sure|of course|absolutely|true|that's (?:right|correct|true)|you're right|i (?:do|am|have))(?![\p{L}'’])|(?:是的|是啊|是呀|对的|对啊|对呀|没错|嗯|当然|正确|可不是|(?:是|对)(?=[\s\p{P}]|$)))/iu
const TAKEN_BACK =
  /^[\s\p{P}]*(?:yes|yeah|yep|right|sure|well|嗯|是的?|对的?)?[\s\p{P}]*(?:right|sure)?[\s\p{P}]*(?:(?:no|not|but)(?!\p{L})|不|但|没有)/iu

/** Whether a turn begins by saying yes. */
export function saysYes(text: string): boolean {
  return YES.test(text) && !TAKEN_BACK.test(text)
}

/**
 * The user's words carry the statement, or only agree to it. The user's own words are asked first: where they
 * cover what is stated, nothing needed confirming.
 */
function labelOf(candidate: Candidate, byId: ReadonlyMap<string, Turn>): GroundingLabel {
  const turns = candidate.evidence.flatMap((evidence) => byId.get(evidence.turn) ?? [])
  const ofUser = turns.filter((turn) => turn.role === 'user')
  const ofAgent = turns.filter((turn) => turn.role === 'agent')
  if (ofUser.length === 0) return ofAgent.length > 0 ? 'agent-stated' : 'other'
  if (ofAgent.length === 0) return 'user-stated'
  const alone = findUnsupported(candidate, wordsOf(candidate.evidence, byId, 'user'), ofUser)
  const confirms = ofUser.some((turn) => saysYes(turn.text))
  if (confirms && (alone.length > 0 || isBareYes(ofUser))) return 'user-confirmed'
  return alone.length === 0 ? 'user-stated' : 'agent-stated'
}

/** An answer this short states nothing itself. */
const SHORT_ANSWER = 24

function isBareYes(turns: readonly Turn[]): boolean {
  return turns.every((turn) => saysYes(turn.text) && turn.text.trim().length <= SHORT_ANSWER)
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
  if (candidate.form === 'fact' && candidate.text.trim() === '') return 'it states nothing'
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

function wordsOf(
  evidence: readonly Evidence[],
  byId: ReadonlyMap<string, Turn>,
  role: Turn['role'] | null,
): string {
  return evidence
    .flatMap(({ turn: id, quote }) => {
      const turn = byId.get(id)
      return turn === undefined || (role !== null && turn.role !== role) ? [] : [quote ?? turn.text]
    })
    .join('\n')
}

function flat(text: string): string {
  return normaliseText(text).replace(/\s+/g, ' ').trim()
}
