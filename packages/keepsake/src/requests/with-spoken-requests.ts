import type { Extraction, ForgetRequest, Request, Segment } from '../extraction/extractor.ts'
import { isAskedIn } from '../extraction/grounding/find-wish.ts'
import { askedIn } from '../extraction/rules/hear-requests.ts'
import { tellsOfRequest } from '../memories/kept-request.ts'
import type { Memory } from '../memories/memory.ts'
import { type ScopeView, memoriesOf } from '../work/scope-view.ts'
import type { RequestMeaning } from './ask-meant.ts'
import { withoutRequests } from './hold-requests.ts'

/** Minimum number of facts that counts as nearly everything. */
const LEAST = 3
/** Maximum share of the known facts that one matter can cover. */
const MOST_SHARE = 2 / 3

/** A bounded extraction, with the turns in which the model read a request to forget nearly everything. */
export interface BoundedExtraction {
  readonly extraction: Extraction
  readonly meant: ReadonlyMap<Request, RequestMeaning>
  /** Turns whose requests wait for a confirmation. */
  readonly held: ReadonlySet<string>
}

/**
 * Limits requests that only a model widened to nearly everything. If rules heard a narrower request, its words decide; otherwise it waits
 * for the user's confirmation.
 */
export function withoutWidened(
  view: ScopeView,
  segment: Segment,
  read: { readonly extraction: Extraction; readonly meant: ReadonlyMap<Request, RequestMeaning> },
  related: readonly Memory[],
): BoundedExtraction {
  const { extraction, meant } = read
  const forgetRequests = extraction.requests.filter(
    (request): request is ForgetRequest => request.kind === 'forget',
  )
  // Reads all facts only if a request exists, which is rare.
  if (forgetRequests.length === 0) return { ...read, held: new Set() }
  const facts = memoriesOf(view).filter(isFact)
  const wide = new Set(
    forgetRequests
      .filter((request) => {
        const gone = goneBy(request, facts, { extraction, meant: meant.get(request), related })
        return gone >= LEAST && gone > facts.length * MOST_SHARE
      })
      .map(({ evidence }) => evidence.turn),
  )
  if (wide.size === 0) return { ...read, held: wide }
  const heard = askedIn(segment).filter(({ evidence }) => wide.has(evidence.turn))
  const isWide = (request: Request): boolean => request.kind === 'forget' && wide.has(request.evidence.turn)
  const rest = withoutRequests(extraction, wide)
  return {
    extraction: { ...rest, requests: [...rest.requests, ...heard] },
    meant: new Map([...meant].filter(([request]) => !isWide(request))),
    held: wide.difference(new Set(heard.map(({ evidence }) => evidence.turn))),
  }
}

function isFact(memory: Memory): boolean {
  return memory.form === 'fact' && memory.status === 'live' && !tellsOfRequest(memory)
}

/** Counts the facts that would be deleted. */
function goneBy(
  { evidence: { turn } }: ForgetRequest,
  facts: readonly Memory[],
  given: {
    readonly extraction: Extraction
    readonly meant: RequestMeaning | undefined
    readonly related: readonly Memory[]
  },
): number {
  const { extraction, meant, related } = given
  const deleted = (extraction.operations ?? []).flatMap((operation) =>
    operation.kind === 'delete' &&
    operation.why === 'asked' &&
    operation.evidence.some((words) => words.turn === turn)
      ? (related[operation.index - 1]?.id ?? [])
      : [],
  )
  const ids = new Set([...deleted, ...(meant?.memories ?? [])])
  const turns = new Set(meant?.turns)
  const isGone = ({ id, evidence }: Memory): boolean =>
    ids.has(id) || (evidence.length > 0 && evidence.every((source) => turns.has(source.turn)))
  return facts.filter(isGone).length
}

/**
 * Adds requests to forget that rules heard in the same turns to a model's extraction. The model's reading of a turn takes precedence. A
 * request whose turn does not ask is removed.
 */
export function withSpokenRequests(segment: Segment, extraction: Extraction): Extraction {
  const requests = extraction.requests.filter(
    (request) => request.kind !== 'forget' || isSupported(segment, request),
  )
  const heard = new Set(
    requests.flatMap((request) => (request.kind === 'forget' ? [request.evidence.turn] : [])),
  )
  const missed = askedIn(segment).filter(({ evidence }) => !heard.has(evidence.turn))
  return { ...extraction, requests: [...requests, ...missed] }
}

/** Checks that the quoted turn asks for it in the user's own words, because a request takes effect at once. */
function isSupported(segment: Segment, { evidence: { turn: id, quote } }: ForgetRequest): boolean {
  const turn = segment.turns.find((turn) => turn.id === id)
  if (turn?.role !== 'user') return false
  return isAskedIn(turn.text, quote) || askedIn(segment).some(({ evidence }) => evidence.turn === id)
}
