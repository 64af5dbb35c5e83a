import type { Extraction, ForgetRequest, Segment } from '../extraction/extractor.ts'
import { isAskedIn } from '../extraction/grounding/find-wish.ts'
import { askedIn } from '../extraction/rules/hear-requests.ts'

/**
 * Adds requests to forget that rules heard in the same turns to a model's extraction. The model's reading of a turn takes precedence. A
 * request whose turn does not ask is removed.
 */
export function withSpokenRequests(segment: Segment, extraction: Extraction): Extraction {
  const requests = extraction.requests.filter((one) => one.kind !== 'forget' || isBorneOut(segment, one))
  const heard = new Set(requests.flatMap((one) => (one.kind === 'forget' ? [one.evidence.turn] : [])))
  const missed = askedIn(segment).filter(({ evidence }) => !heard.has(evidence.turn))
  return { ...extraction, requests: [...requests, ...missed] }
}

/** Checks that the quoted turn asks for it in the user's own words, because a request takes effect at once. */
function isBorneOut(segment: Segment, { evidence: { turn: id, quote } }: ForgetRequest): boolean {
  const turn = segment.turns.find((one) => one.id === id)
  if (turn?.role !== 'user') return false
  return isAskedIn(turn.text, quote) || askedIn(segment).some(({ evidence }) => evidence.turn === id)
}
