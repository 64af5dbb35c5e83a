import type { Request, Segment } from '../extraction/candidate.ts'
import { matchRequest, type RequestTarget } from '../extraction/match-request.ts'
import type { ChangeSet } from '../operations/change-set.ts'
import { deleteMemory } from '../operations/delete-memory.ts'
import type { Memory } from '../operations/memory.ts'
import { cosine } from '../retrieval/cosine.ts'
import { BM25_ONLY } from '../retrieval/retrieval-recipe.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import type { Engine } from './engine.ts'
import { originOf } from './moment.ts'
import type { OwnerCache } from './owner-cache.ts'
import { readTurns } from './read-memories.ts'

type Asked = Exclude<Request, { kind: 'change' }>

/** Utterances looked at for a request: those that hold most of its words. */
const MOST_UTTERANCES = 200

/** Live facts, those of this very change set included, and the utterances whose words come nearest to the request's. */
function candidatesFor(
  engine: Engine,
  row: ScopeRow,
  cache: OwnerCache,
  changes: ChangeSet,
  about: string,
): Memory[] {
  const facts = [...cache.memories({ scopes: new Set([row.scope]) })].filter(
    (memory) => memory.form === 'fact',
  )
  const own = changes.memories.filter((memory) => memory.form === 'fact')
  const now = engine.now()
  const read = cache.index.readQuestion(about, { now })
  const { hits } = cache.index.search({ read, vector: null }, BM25_ONLY, {
    limit: MOST_UTTERANCES,
    now,
    kind: 'turn',
    scopes: new Set([row.scope]),
  })
  const utterances = hits.flatMap((hit) => cache.utteranceOf(hit.id) ?? [])
  const all = new Map(
    [...facts, ...own, ...utterances].map((memory) => [memory.id, changes.read(memory.id) ?? memory]),
  )
  return [...all.values()].filter((memory) => memory.status === 'live')
}

async function withEvidence(
  engine: Engine,
  row: ScopeRow,
  memories: readonly Memory[],
): Promise<RequestTarget[]> {
  const turns = await readTurns(
    engine,
    row.owner,
    memories.flatMap((memory) => memory.evidence.map((evidence) => evidence.turn)),
  )
  return memories.map((memory) => ({
    memory,
    evidenceText: memory.evidence.map(({ turn, quote }) => quote ?? turns.get(turn)?.text ?? '').join('\n'),
  }))
}

/** What was said just before the request: the person's turn before, with the agent's turn it answers. */
function justSaidBefore(
  cache: OwnerCache,
  row: ScopeRow,
  turn: string,
): { turns: string[]; memories: Memory[] } {
  const position = cache.turn(turn)?.position ?? 0
  const before = cache.userTurnBefore(row.scope, position)
  if (before === undefined) return { turns: [], memories: [] }
  return {
    turns: [before],
    memories: [...cache.memoriesOfTurn(before)].filter((memory) => memory.status === 'live'),
  }
}

function forget(
  engine: Engine,
  cache: OwnerCache,
  changes: ChangeSet,
  ids: readonly string[],
  request: Asked,
  step: string,
): void {
  const why = { reason: 'asked to be forgotten', origin: originOf(engine, step) }
  const resting = (turn: string) => cache.memoriesOfTurn(turn)
  for (const id of ids) {
    const memory = changes.read(id)
    if (memory?.status === 'live') deleteMemory(changes, memory, why, resting)
  }
  // The request says what to forget: it must not be recalled either.
  for (const memory of cache.memoriesOfTurn(request.evidence.turn)) {
    const current = changes.read(memory.id)
    if (current?.form === 'utterance' && current.status === 'live')
      deleteMemory(changes, current, why, resting)
  }
}

function end(
  engine: Engine,
  changes: ChangeSet,
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

/** Carries out what the talk asks for: drops what is to be forgotten, and the request with it; closes what is said to be over. */
export async function applyRequests(
  engine: Engine,
  row: ScopeRow,
  cache: OwnerCache,
  changes: ChangeSet,
  segment: Segment,
  requests: readonly Request[],
  step: string,
): Promise<void> {
  for (const request of requests) {
    if (request.kind === 'change') continue
    const asker = segment.turns.find((turn) => turn.id === request.evidence.turn)
    const just = justSaidBefore(cache, row, request.evidence.turn)
    const memories =
      request.about === null ? just.memories : candidatesFor(engine, row, cache, changes, request.about)
    const drawn = changes.memories.filter((memory) =>
      memory.evidence.some((evidence) => just.turns.includes(evidence.turn)),
    )
    const candidates = request.about === null ? [...memories, ...drawn] : memories
    const matches = matchRequest(request, await withEvidence(engine, row, candidates), {
      speaker: asker?.speaker ?? asker?.role ?? 'user',
      justSaid: just.turns,
      similarity: (one, other) =>
        cosine(engine.wordVectors.embedNow(one), engine.wordVectors.embedNow(other)),
    })
    const ids = [...new Set(matches.map((match) => match.memory))]
    if (request.kind === 'forget') forget(engine, cache, changes, ids, request, step)
    else end(engine, changes, ids, request, step)
  }
}
