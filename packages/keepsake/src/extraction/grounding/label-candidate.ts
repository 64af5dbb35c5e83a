import { simplifyChinese } from '@keepsake/text'
import type { Candidate } from '../../memories/candidate.ts'
import type { GroundingLabel } from '../../memories/memory.ts'
import type { Turn } from '../../turns/turn.ts'
import type { Evidence } from '../../memories/evidence.ts'
import { findUnsupported } from './find-unsupported.ts'

/** Matches affirmative answers at the start of a turn. */
const YES =
  /^[\s\p{P}]*(?:(?:yes|yeah|yep|yup|indeed|correct|right|exactly|sure|of course|absolutely|true|that's (?:right|correct|true)|you're right|i (?:do|am|have))(?![\p{L}'’])|(?:是的|是啊|是呀|对的|对啊|对呀|没错|嗯|当然|正确|可不是|(?:是|对)(?=[\s\p{P}]|$)))/iu
const TAKEN_BACK =
  /^[\s\p{P}]*(?:yes|yeah|yep|right|sure|well|嗯|是的?|对的?)?[\s\p{P}]*(?:right|sure)?[\s\p{P}]*(?:(?:no|not|but)(?!\p{L})|不|但|没有)/iu

export function saysYes(text: string): boolean {
  const read = simplifyChinese(text)
  return YES.test(read) && !TAKEN_BACK.test(read)
}

/** Labels a candidate: stated by the user if the user's words suffice, else confirmed. */
export function labelOf(candidate: Candidate, byId: ReadonlyMap<string, Turn>): GroundingLabel {
  const turns = candidate.evidence.flatMap((evidence) => byId.get(evidence.turn) ?? [])
  const ofUser = turns.filter((turn) => turn.role === 'user')
  const ofAgent = turns.filter((turn) => turn.role === 'assistant')
  if (ofUser.length === 0) return ofAgent.length > 0 ? 'agent-stated' : 'other'
  if (ofAgent.length === 0) return 'user-stated'
  const alone = findUnsupported(candidate, wordsOf(candidate.evidence, byId, 'user'), ofUser)
  const confirms = ofUser.some((turn) => saysYes(turn.text))
  if (confirms && (alone.length > 0 || isBareYes(ofUser))) return 'user-confirmed'
  return alone.length === 0 ? 'user-stated' : 'agent-stated'
}

/** Maximum length of a bare yes. */
const SHORT_ANSWER = 24

function isBareYes(turns: readonly Turn[]): boolean {
  return turns.every((turn) => saysYes(turn.text) && turn.text.trim().length <= SHORT_ANSWER)
}

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

export function isOfAgent(candidate: Candidate, turns: readonly Turn[]): boolean {
  return (
    candidate.subject === 'agent' ||
    turns.some((turn) => turn.role === 'assistant' && turn.speaker === candidate.subject)
  )
}
