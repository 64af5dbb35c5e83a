import type { Extraction, Segment } from '../extraction/extractor.ts'
import { askedIn } from '../extraction/rules/hear-requests.ts'

/**
 * What a model drew, with the requests to forget that were heard by rules in the same turns: somebody who asks plainly is
 * heard, whatever the model made of it. Of a turn that the model took a request from, its reading stands.
 */
export function withSpokenRequests(segment: Segment, extraction: Extraction): Extraction {
  const { requests } = extraction
  const heard = new Set(requests.flatMap((one) => (one.kind === 'forget' ? [one.evidence.turn] : [])))
  const missed = askedIn(segment).filter(({ evidence }) => !heard.has(evidence.turn))
  return missed.length === 0 ? extraction : { ...extraction, requests: [...requests, ...missed] }
}
