// Checks the candidates of rules against their evidence, and labels who stated a candidate.
import { isBlank, simplifyChinese } from '@keepsake/text'
import type { Candidate } from '../../memories/candidate.ts'
import type { Evidence } from '../../memories/evidence.ts'
import { locateQuote } from '../../memories/locate-quote.ts'
import type { GroundingLabel } from '../../memories/memory.ts'
import type { Turn } from '../../turns/turn.ts'
import { findUnsupported } from './find-unsupported.ts'

/** The outcome of grounding: the label of the speaker, and a reason if the candidate is not supported. */
export type Grounding =
  | {
      readonly outcome: 'grounded'
      readonly label: GroundingLabel
      /** The supported part of the statement. The whole statement is supported when absent. */
      readonly text?: string
    }
  | { readonly outcome: 'quarantined'; readonly label: GroundingLabel; readonly reason: string }

/**
 * Grounds a candidate of rules: checks its evidence, quotes, names, numbers and dates against the turns, and labels the
 * speaker. A statement about the user that only the agent made is quarantined.
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
    findMissingEvidence(candidate, byId) ??
    findUnsupportedWord(candidate, byId) ??
    findOtherSpeaker(candidate, label, byId)
  return reason === null ? { outcome: 'grounded', label } : { outcome: 'quarantined', label, reason }
}

/** Returns why the evidence of a candidate is missing or wrong; `null` if its turns contain it. */
export function findMissingEvidence(
  { form, text, evidence }: Candidate,
  byId: ReadonlyMap<string, Turn>,
): string | null {
  if (form === 'fact' && isBlank(text)) return 'it states nothing'
  if (evidence.length === 0) return 'it names no turn that supports it'
  for (const { turn: id, quote } of evidence) {
    const turn = byId.get(id)
    if (turn === undefined) return `its evidence, turn ${id}, is not in the talk it was drawn from`
    if (quote !== null && locateQuote(turn.text, quote) === null) return `its quote is not in turn ${id}`
  }
  return null
}

/** Returns why a name or number is not supported; `null` if the evidence contains all of them. */
function findUnsupportedWord(candidate: Candidate, byId: ReadonlyMap<string, Turn>): string | null {
  if (candidate.form === 'utterance') return null
  const turns = candidate.evidence.flatMap((evidence) => byId.get(evidence.turn) ?? [])
  const [first] = findUnsupported(candidate, wordsOf(candidate.evidence, byId, null), turns)
  return first === undefined ? null : `"${first}" is not in its evidence`
}

/** Returns why a fact is not accepted from its speaker; `null` for the user's statement, or the agent's about itself. */
function findOtherSpeaker(
  { form, subject, evidence }: Candidate,
  label: GroundingLabel,
  byId: ReadonlyMap<string, Turn>,
): string | null {
  if (form !== 'fact' || label === 'user-stated' || label === 'user-confirmed') return null
  if (label === 'other') return subject === 'user' ? 'neither the user nor the agent said so' : null
  const isOfSpeaker = evidence.some(({ turn }) => byId.get(turn)?.speaker === subject)
  if (subject === 'agent' || isOfSpeaker) return null
  return 'only the agent said so; the user neither stated nor confirmed it'
}

const YES_EN =
  "yes|yeah|yep|yup|indeed|correct|right|exactly|sure|of course|absolutely|true|that's (?:right|correct|true)|you're right|i (?:do|am|have)"
const YES_ZH = String.raw`是的|是啊|是呀|对的|对啊|对呀|没错|嗯|当然|正确|可不是|(?:是|对)(?=[\s\p{P}]|$)`
/** Matches a yes at the start of a turn: “Yes, I do.” */
const YES = new RegExp(String.raw`^[\s\p{P}]*(?:(?:${YES_EN})(?![\p{L}'’])|(?:${YES_ZH}))`, 'iu')
/** Matches an objection at the start of a turn, also after a yes: “Yes, but …”. */
const OBJECTION =
  /^[\s\p{P}]*(?:yes|yeah|yep|right|sure|well|嗯|是的?|对的?)?[\s\p{P}]*(?:right|sure)?[\s\p{P}]*(?:(?:no|not|but)(?!\p{L})|不|但|没有)/iu
/** Maximum characters of a turn that contains only a yes. Chosen, not measured. */
const MAX_BARE_YES = 24

/** Checks whether a turn begins with a yes and without an objection. */
export function saysYes(text: string): boolean {
  const simplified = simplifyChinese(text)
  return YES.test(simplified) && !OBJECTION.test(simplified)
}

/** Labels who stated a candidate: the user, if the user's words have all its names and numbers, else the agent. A yes may confirm it. */
export function labelOf(candidate: Candidate, byId: ReadonlyMap<string, Turn>): GroundingLabel {
  const turns = candidate.evidence.flatMap((evidence) => byId.get(evidence.turn) ?? [])
  const userTurns = turns.filter((turn) => turn.role === 'user')
  const agentTurns = turns.filter((turn) => turn.role === 'assistant')
  if (userTurns.length === 0) return agentTurns.length > 0 ? 'agent-stated' : 'other'
  if (agentTurns.length === 0) return 'user-stated'
  const userWords = wordsOf(candidate.evidence, byId, 'user')
  const isByUser = findUnsupported(candidate, userWords, userTurns).length === 0
  const isBareYes = userTurns.every(({ text }) => saysYes(text) && text.trim().length <= MAX_BARE_YES)
  if (userTurns.some(({ text }) => saysYes(text)) && (!isByUser || isBareYes)) return 'user-confirmed'
  return isByUser ? 'user-stated' : 'agent-stated'
}

/** Returns the quotes of evidence, and the whole turn where there is no quote. With a role, only turns of this role count. */
export function wordsOf(
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

/** Checks whether the agent is the subject of a candidate, as `agent` or by name. */
export function isAboutAgent({ subject }: Candidate, turns: readonly Turn[]): boolean {
  return subject === 'agent' || turns.some((turn) => turn.role === 'assistant' && turn.speaker === subject)
}
