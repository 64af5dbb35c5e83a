import { closeSync, openSync, writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { openMemory } from 'keepsake'
import { quantilesNamed, round, timeCalls } from '../metrics/time-calls.ts'
import { answerParent, isChild, tellParent } from '../processes/child.ts'
import { collectGarbage } from '../processes/process-usage.ts'
import { loadMem0 } from '../systems/mem0/load-mem0.ts'
import { openPeer, turnId, type Peer, type PeerEmbedding, type PeerName } from './open-peer.ts'
import { FACTS_PER_ROUND, peerQuestions, peerTalk, roundsFrom } from './peer-talk.ts'

interface Request {
  readonly peer: PeerName
  readonly folder: string
  readonly embedding: PeerEmbedding
  readonly seed: number
}

export interface LoadRequest extends Request {
  readonly phase: 'load' | 'open'
  /** Facts it holds before anything is measured. */
  readonly size: number
  readonly calls: number
  readonly unmeasured: number
  readonly limit: number
}

export interface KillRequest extends Request {
  readonly phase: 'tell' | 'look'
  /** A file on which a line stands for each round that the system said was kept. */
  readonly acknowledged: string
  /** The first round to tell; when looking, how many were acknowledged. */
  readonly from: number
}

type PeerUsage = ReturnType<Peer['usage']>
/** What a process found, by the names of the figures. */
export type PeerFigures = Readonly<Record<string, number | null>>

/** Rounds told in one call while filling: as many as Keepsake's model reads at a time. */
const ROUNDS_PER_FILL = 16
const LOOPBACK_CALLS = { calls: 30, unmeasured: 5 }
/** Rounds after the acknowledged ones that may have been stored. */
const BEYOND = 64
/** Between two rounds, so that work in the background is under way, and hit, as well. */
const PAUSE_MS = 10

/** Fills a memory, then searches it and adds to it, one round a call. */
async function load(request: LoadRequest): Promise<PeerFigures> {
  const { seed, size, limit } = request
  await loadModules(request.peer)
  collectGarbage()
  const startBytes = process.memoryUsage.rss()
  const peer = await open(request)
  const { memory } = peer
  const rounds = Math.ceil(size / FACTS_PER_ROUND)
  const fillMs = await fill(peer, seed, rounds)
  const facts = ((await memory.memories()) ?? []).length
  const nextQuestion = peerQuestions(seed, rounds)
  const talk = peerTalk(seed)
  const search = await measureCalls(peer, request, () => peer.search(nextQuestion(), limit))
  const add = await measureCalls(peer, request, (index) => peer.add([talk(rounds + index)]))
  const loopbackMs = await timeLoopback(memory.loopbackUrl, add.used('inputCharacters'))
  await memory.close()
  return {
    ...quantilesNamed('add', add.times),
    ...quantilesNamed('search', search.times),
    model_calls_per_add: add.used('calls'),
    prompt_characters_per_add: add.used('inputCharacters'),
    prompt_tokens_per_add: add.used('inputTokens'),
    answer_tokens_per_add: add.used('outputTokens'),
    embedding_requests_per_add: add.used('embeddingRequests'),
    model_calls_per_search: search.used('calls'),
    embedding_requests_per_search: search.used('embeddingRequests'),
    peak_resident_bytes: process.resourceUsage().maxRSS * 1024 - startBytes,
    fill_ms: Math.round(fillMs),
    facts,
    // What was left to do after the last call.
    settle_ms: Math.round(add.settleMs),
    loopback_p50_ms: loopbackMs,
    calls: request.calls,
  }
}

/** Times calls, and counts what each asks of models, what it leaves to do in the background included. */
async function measureCalls(
  { memory, usage }: Peer,
  { calls, unmeasured }: LoadRequest,
  call: (index: number) => Promise<unknown>,
) {
  await timeCalls(call, { calls: unmeasured, unmeasured: 0 })
  await memory.settle()
  const before = usage()
  const times = await timeCalls((index) => call(unmeasured + index), { calls, unmeasured: 0 })
  const called = performance.now()
  await memory.settle()
  const settleMs = performance.now() - called
  const after = usage()
  const used = (of: keyof PeerUsage): number => round((after[of] - before[of]) / calls)
  return { times, settleMs, used }
}

function open({ peer, folder, embedding }: Request): Promise<Peer> {
  return openPeer(peer, folder, embedding)
}

async function fill(peer: Peer, seed: number, rounds: number): Promise<number> {
  const talk = peerTalk(seed)
  const start = performance.now()
  for (let from = 0; from < rounds; from += ROUNDS_PER_FILL)
    await peer.add(roundsFrom(talk, from, Math.min(ROUNDS_PER_FILL, rounds - from)))
  await peer.memory.endTalk()
  await peer.memory.settle()
  return performance.now() - start
}

/** A plain request over loopback as long as the model's prompt; `null` where nothing goes over it. */
async function timeLoopback(url: string | null, characters: number): Promise<number | null> {
  if (url === null) return null
  const body = JSON.stringify({ messages: [{ role: 'user', content: 'x'.repeat(Math.round(characters)) }] })
  const ask = async () => (await fetch(`${url}/chat/completions`, { method: 'POST', body })).json()
  return quantilesNamed('', await timeCalls(ask, LOOPBACK_CALLS))['p50_ms'] ?? null
}

/** Opens a file and searches once, in a process that did nothing else. */
async function openAndSearch(request: LoadRequest): Promise<PeerFigures> {
  const { seed, size, limit } = request
  await loadModules(request.peer)
  collectGarbage()
  const before = process.memoryUsage.rss()
  const start = performance.now()
  const peer = await open(request)
  await peer.search(peerQuestions(seed, Math.ceil(size / FACTS_PER_ROUND))(), limit)
  const openMs = performance.now() - start
  collectGarbage()
  const open_resident_bytes = process.memoryUsage.rss() - before
  await peer.memory.close()
  return { open_ms: round(openMs), open_resident_bytes }
}

/** Loading modules is no part of opening a memory. */
async function loadModules(name: PeerName): Promise<void> {
  if (name === 'mem0') await loadMem0()
  else await (await openMemory({ path: ':memory:' })).close()
}

/** Tells rounds until it is killed. A line is on the file as soon as a round was acknowledged, whatever happens then. */
async function tell(request: KillRequest): Promise<never> {
  const { acknowledged, seed, from } = request
  const peer = await open(request)
  const talk = peerTalk(seed)
  const file = openSync(acknowledged, 'a')
  try {
    for (let index = from; ; index += 1) {
      await peer.add([talk(index)])
      writeSync(file, `${index}\n`)
      if (index === from) tellParent('telling')
      await sleep(PAUSE_MS)
    }
  } finally {
    closeSync(file)
  }
}

/** What is there after the last kill, once the system was opened again and has finished what it had to do. */
async function look(request: KillRequest): Promise<PeerFigures> {
  const { seed, from: count } = request
  const { memory } = await openSettled(request)
  const talk = peerTalk(seed)
  const textsOf = (from: number, rounds: number): string[] =>
    roundsFrom(talk, from, rounds).flatMap(({ facts }) => facts.map(({ text }) => text))
  const held = ((await memory.memories()) ?? []).map(({ text }) => text)
  const distinct = new Set(held)
  const turns = await memory.keptTurns()
  const survivors = {
    facts: held.length,
    lost_facts: textsOf(0, count).filter((text) => !distinct.has(text)).length,
    doubled_facts: held.length - distinct.size,
    // Harmless, since they were told.
    unacknowledged_facts: textsOf(count, BEYOND).filter((text) => distinct.has(text)).length,
    half_facts: await memory.countHalfAdded(),
    lost_turns:
      turns === null ? null : roundsFrom(talk, 0, count).filter((round) => !turns.has(turnId(round))).length,
  }
  await memory.close()
  return survivors
}

async function openSettled(request: KillRequest): Promise<Peer> {
  const peer = await open(request)
  await peer.memory.settle()
  if (request.peer !== 'keepsake') return peer
  // A few rounds still wait for the next ones, to be read together: they are read now, so that they are counted.
  await peer.memory.close()
  const eager = await open({ ...request, peer: 'keepsake-at-once' })
  await eager.memory.settle()
  return eager
}

/** This module, for whoever starts it as a process. */
export const PEER_CHILD = import.meta.url

if (isChild(import.meta.url))
  await answerParent((request: LoadRequest | KillRequest) => {
    switch (request.phase) {
      case 'load':
        return load(request)
      case 'open':
        return openAndSearch(request)
      case 'tell':
        return tell(request)
      case 'look':
        return look(request)
    }
  })
