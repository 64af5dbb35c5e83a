import type { Extraction, Request, Segment } from '../extraction/extractor.ts'
import { personaRules } from '../extraction/persona-rules.ts'

const rules = personaRules()

/**
 * What a model drew, with the requests to forget that the rules read in the same turns: somebody who asks plainly is
 * heard, whatever the model made of it. Of a turn that the model took a request from, its reading stands.
 */
export async function withSpokenRequests(segment: Segment, extraction: Extraction): Promise<Extraction> {
  const spoken = (await rules.extract(segment)).requests
  const heard = new Set(extraction.requests.flatMap(turnAsking))
  const missed = spoken.filter((request) => turnAsking(request).some((turn) => !heard.has(turn)))
  return missed.length === 0 ? extraction : { ...extraction, requests: [...extraction.requests, ...missed] }
}

function turnAsking(request: Request): string[] {
  return request.kind === 'forget' ? [request.evidence.turn] : []
}
