import { isOver } from '../memories/memory.ts'
import { cosine, readInstruction } from '@keepsake/text'
import type { ForgetRequest, Request, Segment } from '../extraction/extractor.ts'
import { askedIn } from '../extraction/rules/hear-requests.ts'
import { ASKED_TO_FORGET } from '../memories/delete-memory.ts'
import { endFact } from '../merge/end-facts.ts'
import { knownFacts, ownSubject } from '../merge/merge-facts.ts'
import { HELD_TOPIC } from '../memories/kept-request.ts'
import { type Turn, subjectOfRole } from '../turns/turn.ts'
import { originOf } from '../work/scope-view.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'
import type { RequestMeaning } from './ask-meant.ts'
import {
  candidatesFor,
  findPlausible,
  openingOf,
  placesAround,
  restingOn,
  saidIn,
  speakersOf,
  turnsBefore,
  turnsJustSaid,
  withEvidence,
} from './find-targets.ts'
import { type Forgetting, dropReplies, dropRequest, forgetTopic } from './forget-topic.ts'
import { hold } from './hold-requests.ts'
import { matchRequest } from './match-request.ts'
import { namedIn } from './read-topic.ts'
import type { Similarity } from './related-words.ts'
import { isPronoun, whoIsMeant } from './who-is-meant.ts'

/** Turns of the session in which a pronoun's referent is searched. */
const MOST_TURNS_BEFORE = 12

/** Resolves the request: finds whom “him” means; without one it means “what I just said”. */
async function readAsked(
  unit: UnitOfWork,
  segment: Segment,
  request: Request,
  asker: Turn | undefined,
): Promise<Request> {
  if (request.kind !== 'forget' || request.about === null || !isPronoun(request.about)) return request
  const before = turnsBefore(unit, request, MOST_TURNS_BEFORE)
  const said = [openingOf(request, asker), ...before.map(({ text }) => text)]
  return { ...request, about: whoIsMeant(said, speakersOf(segment)) }
}

/** Finds the memories that a request's words match. */
async function findMatches(
  unit: UnitOfWork,
  request: Request,
  asker: Turn | undefined,
  similarity: Similarity,
): Promise<readonly string[]> {
  const just = await turnsJustSaid(unit, request, asker)
  const candidates = request.about === null ? restingOn(unit, just) : candidatesFor(unit, request.about)
  const { keyTable } = unit.engine.preset
  const matches = await matchRequest(request, withEvidence(candidates, await saidIn(unit, candidates)), {
    speaker: ownSubject(unit, knownFacts(unit))(asker?.speaker ?? subjectOfRole(asker?.role ?? 'user')),
    justSaid: just,
    placeOf: placesAround(unit.state, request, asker),
    similarity,
    namesOf: (key) => Object.values(keyTable.get(key)?.names ?? {}).flat(),
  })
  return [...new Set(matches.map((match) => match.memory))]
}

/** How requests are applied. */
interface AppliedBy {
  readonly step: string
  /** A model's reading of requests, in addition to word matches. */
  readonly meant?: ReadonlyMap<Request, RequestMeaning>
  /** The operation that these deletions follow from. */
  readonly parent?: string | null
}

/** Lets a request wait for a yes when no memory holds all of its words, but some hold most. */
async function askWhich(
  unit: UnitOfWork,
  segment: Segment,
  request: ForgetRequest,
  asker: Turn,
): Promise<boolean> {
  const { about } = request
  if (about === null || !askedIn(segment).some(({ evidence }) => evidence.turn === asker.id)) return false
  const isAsking = (await findPlausible(unit, { ...request, about })).length > 0
  if (isAsking) hold(unit, segment, asker, HELD_TOPIC)
  return isAsking
}

/**
 * Applies requests: deletes what is to be forgotten with the request itself, and expires facts. Only earlier
 * statements are affected.
 */
export async function applyRequests(
  unit: UnitOfWork,
  segment: Segment,
  requests: readonly Request[],
  { step, meant = new Map(), parent = null }: AppliedBy,
): Promise<void> {
  const { engine, state } = unit
  const similarity = similarityBy(engine.wordVectors)
  const why = { reason: ASKED_TO_FORGET, origin: originOf(engine, step), parent }
  const topics: string[] = []
  for (const asked of requests) {
    const asker = segment.turns.find((turn) => turn.id === asked.evidence.turn)
    const request = await readAsked(unit, segment, asked, asker)
    const ids = await findMatches(unit, request, asker, similarity)
    if (request.kind === 'end') {
      for (const id of ids) {
        const memory = unit.changes.read(id)
        if (memory !== undefined && !isOver(memory, request.at))
          endFact(unit, memory, { at: request.at, evidence: request.evidence, step })
      }
      continue
    }
    const before = state.turns.get(request.evidence.turn)?.position ?? Number.POSITIVE_INFINITY
    const given: Forgetting = { ...unit, why, before, similarity }
    const { turns = [], memories = [], names = [] } = meant.get(asked) ?? {}
    const involved = await forgetTopic(given, request.about, { memories: [...ids, ...memories], turns })
    for (const name of new Set([...involved, ...names])) {
      const found = await findMatches(unit, { ...request, about: name }, asker, similarity)
      await forgetTopic(given, name, { memories: found, turns: [] })
    }
    const isFound = ids.length + memories.length + turns.length > 0
    const isAsking = !isFound && asker !== undefined && (await askWhich(unit, segment, request, asker))
    // What only a verb suggested and no memory confirms is no request, nor is “never mention my ex” where nothing is known.
    const isDoubtful =
      request.isByVerb === true || readInstruction(request.evidence.quote ?? '')?.isStanding === true
    if (isDoubtful && !isFound && !isAsking) continue
    dropRequest(given, request.evidence.turn)
    topics.push(...(request.about === null ? [] : [request.about]), ...involved, ...names)
  }
  topics.push(...(await askedBefore(unit, segment)))
  await dropReplies({ ...unit, why, before: Number.POSITIVE_INFINITY, similarity }, segment, topics)
}

/** Returns the text right before the segment, which its first turn may answer. */
async function askedBefore(unit: UnitOfWork, segment: Segment): Promise<string[]> {
  const own = new Set(segment.turns.map((turn) => turn.id))
  const before = (segment.asked ?? []).filter(({ evidence }) => !own.has(evidence.turn))
  const asked = await Promise.all(before.map((request) => readAsked(unit, segment, request, undefined)))
  const topics = asked.flatMap(({ about }) => about ?? [])
  const dropped =
    topics.length === 0 ? [] : [...unit.state.listMemories({ scopes: new Set([unit.row.scope]) })]
  const texts = dropped.flatMap(({ reason, text }) => (reason === ASKED_TO_FORGET ? [text] : []))
  return [...topics, ...topics.flatMap((about) => namedIn(about, texts))]
}

/** Caches the vector of each text. */
function similarityBy(vectors: UnitOfWork['engine']['wordVectors']): Similarity {
  const made = new Map<string, Float32Array>()
  const vectorOf = (text: string): Float32Array => {
    const known = made.get(text) ?? vectors.embedNow(text)
    made.set(text, known)
    return known
  }
  return (first, second) => cosine(vectorOf(first), vectorOf(second))
}
