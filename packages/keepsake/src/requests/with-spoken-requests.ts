import type { Extraction, ForgetRequest, Segment } from '../extraction/extractor.ts'
import { isAskedIn } from '../extraction/grounding/find-wish.ts'
import { askedIn } from '../extraction/rules/hear-requests.ts'

/**
 * What a model drew, with the requests to forget that were heard by rules in the same turns: somebody who asks plainly is
 * heard, whatever the model made of it. Of a turn that the model took a request from, its reading stands; a request whose turn asks
 * for nothing is none.
 */
export function withSpokenRequests(segment: Segment, extraction: Extraction): Extraction {
  const requests = extraction.requests.filter((one) => one.kind !== 'forget' || isBorneOut(segment, one))
  const heard = new Set(requests.flatMap((one) => (one.kind === 'forget' ? [one.evidence.turn] : [])))
  const missed = askedIn(segment).filter(({ evidence }) => !heard.has(evidence.turn))
  return { ...extraction, requests: [...requests, ...missed] }
}

/** A request is carried out as soon as it is read: the turn that a model took it from must ask for it, in the person's own words. */
function isBorneOut(segment: Segment, { evidence: { turn: id, quote } }: ForgetRequest): boolean {
  const turn = segment.turns.find((one) => one.id === id)
  if (turn?.role !== 'user') return false
  return isAskedIn(turn.text, quote) || askedIn(segment).some(({ evidence }) => evidence.turn === id)
}
