import type { Request, Segment } from '../extraction/extractor.ts'
import { matchRequest, tellsOf, type Saying, type RequestTarget } from './match-request.ts'
import { readTopic, type Topic } from './read-topic.ts'
import type { ChangeSet } from '../memories/change-set.ts'
import type { Evidence } from '../memories/evidence.ts'
import { ASKED_TO_FORGET, deleteMemory } from '../memories/delete-memory.ts'
import type { Memory } from '../memories/memory.ts'
import { cosine } from '../models/cosine.ts'
import { BM25_ONLY } from '../retrieval/retrieval-recipe.ts'
import type { Turn } from '../turns/turn.ts'
import {
  dropUtterance,
  followTopic,
  tellingSentences,
  withdrawTopic,
  type Forgetting,
  type Telling,
} from './forget-topic.ts'
import { originOf } from '../work/scope-view.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'
import type { OwnerCache } from '../work/owner-cache.ts'
import { TurnReader, turnsOf } from '../work/read-memories.ts'

type Asked = Exclude<Request, { kind: 'change' }>

/** Utterances looked at for a request: those that hold most of its words. */
const MOST_UTTERANCES = 5_000
/** Words before a request in its own turn that make it what was just said. */
const LEAST_JUST_SAID = 4

/** Whether it states something in words of its own. */
function isStatement({ form }: Memory): boolean {
  return form === 'fact' || form === 'note'
}

/** Live facts and notes, those of this very change set included, and the utterances whose words come nearest to the request's. */
function candidatesFor({ engine, row, cache, changes }: UnitOfWork, about: string): Memory[] {
  const facts = [...cache.memories({ scopes: new Set([row.scope]) })].filter(isStatement)
  const own = changes.memories.filter(isStatement)
  const now = engine.now()
  const read = cache.index.readQuestion(about, { now })
  const { hits } = cache.index.search({ read, vector: null }, BM25_ONLY, {
    limit: MOST_UTTERANCES,
    now,
    kind: 'turn',
    scopes: new Set([row.scope]),
  })
  const utterances = hits.flatMap((hit) => cache.utteranceOf(hit.id) ?? [])
  return liveNow(changes, [...facts, ...own, ...utterances])
}

/** As the changes leave them, each once. */
function liveNow(changes: ChangeSet, memories: readonly Memory[]): Memory[] {
  const all = new Map(memories.map((memory) => [memory.id, changes.read(memory.id) ?? memory]))
  return [...all.values()].filter((memory) => memory.status === 'live')
}

function withEvidence(memories: readonly Memory[], turns: ReadonlyMap<string, Turn>): RequestTarget[] {
  return memories.map((memory) => ({
    memory,
    evidenceTexts: memory.evidence.map(({ turn, quote }) => quote ?? turns.get(turn)?.text ?? ''),
  }))
}

async function saidIn(
  { engine, row }: UnitOfWork,
  memories: readonly Memory[],
): Promise<ReadonlyMap<string, Turn>> {
  return new TurnReader(engine, row.owner).read(memories.flatMap(turnsOf))
}

/** Where evidence stands to the request, by the order of turns and, within its own, of words. */
function placesAround(cache: OwnerCache, request: Asked, asked: Turn | undefined): (one: Evidence) => Saying {
  const { turn, quote } = request.evidence
  const position = cache.turn(turn)?.position ?? Number.POSITIVE_INFINITY
  return (one) => {
    if (one.turn !== turn) return (cache.turn(one.turn)?.position ?? 0) < position ? 'before' : 'after'
    if (quote === null || one.quote === null || one.quote === quote || asked === undefined) return 'request'
    return asked.text.indexOf(one.quote) < asked.text.indexOf(quote) ? 'before' : 'after'
  }
}

/** What was said just before the request: words of its own turn, or the person's turn before in the same session. */
function turnJustSaid({ cache, row }: UnitOfWork, request: Asked, asked: Turn | undefined): string[] {
  const { turn, quote } = request.evidence
  const opening = asked?.text.slice(0, Math.max(0, asked.text.indexOf(quote ?? asked.text))) ?? ''
  if ((opening.match(/\p{Script=Han}|[\p{L}\p{N}'’]+/gu)?.length ?? 0) >= LEAST_JUST_SAID) return [turn]
  const known = cache.turn(turn)
  const before = cache.userTurnBefore(row.scope, known?.position ?? 0)
  return before !== undefined && cache.turn(before)?.session === known?.session ? [before] : []
}

function justSaid({ cache, changes }: UnitOfWork, turns: readonly string[]): Memory[] {
  const resting = turns.flatMap((turn) => [...cache.memoriesOfTurn(turn)])
  const drawn = changes.memories.filter((memory) => memory.evidence.some((one) => turns.includes(one.turn)))
  return liveNow(changes, [...resting, ...drawn])
}

/** Drops the memories that were matched, and with a topic all that goes on about it. */
async function forget(
  given: Forgetting,
  matched: readonly string[],
  turns: ReadonlyMap<string, Turn>,
  about: string | null,
): Promise<void> {
  const { cache, changes, why } = given
  const topic = about === null ? null : readTopic(about)
  const tells: Telling = (turn) =>
    topic === null || turn.position >= given.before ? [] : tellingSentences(topic, turn)
  const memories = matched.flatMap((id) => changes.read(id) ?? [])
  const telling = memories
    .flatMap((memory) => memory.evidence.flatMap((one) => turns.get(one.turn) ?? []))
    .filter((turn) => tells(turn).length > 0)
  for (const memory of memories) {
    if (changes.read(memory.id)?.status !== 'live') continue
    const said = memory.evidence.flatMap((one) => turns.get(one.turn) ?? [])
    if (memory.form === 'utterance' && topic !== null) dropUtterance(given, memory, said, tells)
    else deleteMemory(changes, memory, why, (turn) => cache.memoriesOfTurn(turn))
  }
  if (about === null || topic === null) return
  const following = await followTopic(given, about, topic, [
    ...new Map(telling.map((turn) => [turn.id, turn])).values(),
  ])
  await dropFollowing(given, following)
  await withdrawTopic(given, topic, new Set(following.keys()))
  dropPast(given, topic)
}

/** What goes on about the topic by a pronoun: its utterance, and facts drawn from those very sentences. */
async function dropFollowing(
  given: Forgetting,
  following: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  const { cache, changes, why } = given
  for (const turn of following.keys()) {
    for (const { id } of justSaid(given, [turn])) {
      const memory = changes.read(id)
      if (memory?.status !== 'live') continue
      const isOfTopic = memory.evidence.every(
        (one) => one.quote !== null && following.get(one.turn)?.includes(one.quote) === true,
      )
      if (memory.form === 'fact' && isOfTopic)
        deleteMemory(changes, memory, why, (one) => cache.memoriesOfTurn(one))
      if (memory.form !== 'utterance') continue
      const said = [...(await saidIn(given, [memory])).values()]
      dropUtterance(given, memory, said, (one) => following.get(one.id) ?? [])
    }
  }
}

/** Earlier versions of facts that stay. */
function dropPast({ row, cache, changes, why }: Forgetting, topic: Topic): void {
  for (const { id } of cache.memories({ scopes: new Set([row.scope]) })) {
    const memory = changes.read(id)
    if (memory?.status !== 'live' || memory.past.length === 0) continue
    const past = memory.past.filter((version) => !tellsOf(topic, `${version.text} ${version.value ?? ''}`))
    if (past.length < memory.past.length) changes.change('modify', id, { past }, why.origin)
  }
}

/** The request says what to forget: it must not be recalled either. */
function dropRequest({ cache, changes, why }: Forgetting, turn: string): void {
  for (const memory of cache.memoriesOfTurn(turn)) {
    const current = changes.read(memory.id)
    if (current?.form === 'utterance' && current.status === 'live')
      deleteMemory(changes, current, why, (one) => cache.memoriesOfTurn(one))
  }
}

/** "Of course, I've forgotten Tom": an agent that says what it was asked to forget. */
async function dropReplies(given: Forgetting, segment: Segment): Promise<void> {
  const { row, cache, changes } = given
  for (const reply of segment.turns) {
    if (reply.role !== 'agent') continue
    const before = cache.userTurnBefore(row.scope, reply.position)
    if (before === undefined || cache.turn(before)?.position !== reply.position - 1) continue
    const wasAsked = [...cache.memoriesOfTurn(before)].some(({ id }) => {
      const memory = changes.read(id)
      return memory?.form === 'utterance' && memory.status === 'deleted' && memory.reason === ASKED_TO_FORGET
    })
    if (!wasAsked) continue
    const asked = segment.asked?.filter(({ evidence }) => evidence.turn === before) ?? []
    const topics = asked.flatMap(({ about }) => about ?? []).map(readTopic)
    const telling: Telling = (turn) =>
      turn.id === reply.id ? topics.flatMap((topic) => tellingSentences(topic, turn)) : []
    const memory = cache.utteranceOf(reply.id)
    if (memory === undefined || changes.read(memory.id)?.status !== 'live') continue
    if (telling(reply).length === 0) continue
    const said = [...(await saidIn(given, [memory])).values()]
    dropUtterance(given, memory, said, telling)
  }
}

function end(
  { engine, changes }: UnitOfWork,
  ids: readonly string[],
  request: Extract<Asked, { kind: 'end' }>,
  step: string,
): void {
  for (const id of ids) {
    const memory = changes.read(id)
    if (memory === undefined || memory.validUntil !== null) continue
    const change = { validUntil: request.at, evidence: [...memory.evidence, request.evidence] }
    changes.change('modify', id, change, originOf(engine, step))
  }
}

/**
 * Carries out what the talk asks for: drops what is to be forgotten, and the request with it; closes what is said to
 * be over. Of each request only what was said before it is meant.
 */
export async function applyRequests(
  unit: UnitOfWork,
  segment: Segment,
  requests: readonly Request[],
  step: string,
): Promise<void> {
  const { engine, cache } = unit
  const why = { reason: ASKED_TO_FORGET, origin: originOf(engine, step) }
  for (const request of requests) {
    if (request.kind === 'change') continue
    const asker = segment.turns.find((turn) => turn.id === request.evidence.turn)
    const just = turnJustSaid(unit, request, asker)
    const candidates = request.about === null ? justSaid(unit, just) : candidatesFor(unit, request.about)
    const turns = await saidIn(unit, candidates)
    const matches = matchRequest(request, withEvidence(candidates, turns), {
      speaker: asker?.speaker ?? asker?.role ?? 'user',
      justSaid: just,
      placeOf: placesAround(cache, request, asker),
      similarity: (one, other) =>
        cosine(engine.wordVectors.embedNow(one), engine.wordVectors.embedNow(other)),
    })
    const ids = [...new Set(matches.map((match) => match.memory))]
    if (request.kind === 'end') {
      end(unit, ids, request, step)
      continue
    }
    const before = cache.turn(request.evidence.turn)?.position ?? 0
    const given = { ...unit, why, before }
    await forget(given, ids, turns, request.about)
    dropRequest(given, request.evidence.turn)
  }
  await dropReplies({ ...unit, why, before: Number.POSITIVE_INFINITY }, segment)
}
