// Measures one system in a separate process.
import { openMemory } from 'keepsake'
import { quantilesNamed, round, timeCalls } from '../metrics/time-calls.ts'
import { answerParent, isChild } from '../processes/child.ts'
import { collectGarbage } from '../processes/process-usage.ts'
import { loadMem0 } from '../systems/mem0/load-mem0.ts'
import { openPeer, type Peer, type PeerName } from './open-peer.ts'
import { FACTS_PER_ROUND, peerQuestions, peerTalk, roundsFrom } from './peer-talk.ts'

/** The task of the process. */
export interface LoadRequest {
  /** `load`: fill a memory and time calls. `open`: open a filled memory and search once. */
  readonly phase: 'load' | 'open'
  readonly peer: PeerName
  readonly folder: string
  /** Dimensions of the seeded vectors. */
  readonly dimensions: number
  readonly seed: number
  /** Facts stored before the measurement. */
  readonly size: number
  readonly calls: number
  readonly unmeasured: number
  readonly limit: number
}

type PeerUsage = ReturnType<Peer['usage']>
export type PeerFigures = Readonly<Record<string, number | null>>

/** The number of rounds that one call adds while a memory is filled. Keepsake extracts from as many at a time. */
const ROUNDS_PER_FILL = 16
const LOOPBACK_CALLS = { calls: 30, unmeasured: 5 }

/** Fills a memory, then searches it and adds to it, one round per call. */
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
  const loopbackMs = await timeLoopback(memory.loopbackUrl, add.perCall('inputCharacters'))
  await memory.close()
  return {
    ...quantilesNamed('add', add.times),
    ...quantilesNamed('search', search.times),
    model_calls_per_add: add.perCall('calls'),
    prompt_characters_per_add: add.perCall('inputCharacters'),
    prompt_tokens_per_add: add.perCall('inputTokens'),
    answer_tokens_per_add: add.perCall('outputTokens'),
    embedding_requests_per_add: add.perCall('embeddingRequests'),
    model_calls_per_search: search.perCall('calls'),
    embedding_requests_per_search: search.perCall('embeddingRequests'),
    peak_resident_bytes: process.resourceUsage().maxRSS * 1024 - startBytes,
    fill_ms: Math.round(fillMs),
    facts,
    // The time of background work after the last call.
    settle_ms: Math.round(add.settleMs),
    loopback_p50_ms: loopbackMs,
    calls: request.calls,
  }
}

/** Times calls, and counts their model calls, including background work. */
async function measureCalls(
  { memory, usage }: Peer,
  { calls, unmeasured }: LoadRequest,
  call: (index: number) => Promise<unknown>,
) {
  await timeCalls(call, { calls: unmeasured, unmeasured: 0 })
  await memory.settle()
  const before = usage()
  const times = await timeCalls((index) => call(unmeasured + index), { calls, unmeasured: 0 })
  const callsEndedAt = performance.now()
  await memory.settle()
  const settleMs = performance.now() - callsEndedAt
  const after = usage()
  const perCall = (field: keyof PeerUsage): number => round((after[field] - before[field]) / calls)
  return { times, settleMs, perCall }
}

function open({ peer, folder, dimensions }: LoadRequest): Promise<Peer> {
  return openPeer(peer, folder, dimensions)
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

/** Times a request over loopback that is as long as the model's prompt. `null`: the system does not use loopback. */
async function timeLoopback(url: string | null, characters: number): Promise<number | null> {
  if (url === null) return null
  const body = JSON.stringify({ messages: [{ role: 'user', content: 'x'.repeat(Math.round(characters)) }] })
  const ask = async () => (await fetch(`${url}/chat/completions`, { method: 'POST', body })).json()
  return quantilesNamed('', await timeCalls(ask, LOOPBACK_CALLS))['p50_ms'] ?? null
}

/** Opens a file and searches once, in a fresh process. */
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

/** Loads the modules of a system, because that time is no part of opening a memory. */
async function loadModules(name: PeerName): Promise<void> {
  if (name === 'mem0') await loadMem0()
  else await (await openMemory({ path: ':memory:' })).close()
}

/** The address of this module, which runs as a separate process. */
export const PEER_CHILD = import.meta.url

if (isChild(import.meta.url))
  await answerParent((request: LoadRequest) =>
    request.phase === 'load' ? load(request) : openAndSearch(request),
  )
