import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { openMemory } from 'keepsake'
import { timeCalls, type CallTimes } from '../perf/time-calls.ts'
import { loadMem0 } from '../systems/mem0/load-mem0.ts'
import { answerParent, isChild } from './ask-child.ts'
import { openPeer, peerEmbedding, type PeerEmbedding } from './open-peer.ts'
import type { Peer, PeerName, PeerUsage } from './peer.ts'
import { FACTS_PER_ROUND, peerQuestions, peerTalk, roundsFrom } from './peer-talk.ts'

export interface LoadRequest {
  readonly phase: 'load' | 'open'
  readonly peer: PeerName
  readonly folder: string
  readonly embedding: PeerEmbedding
  readonly seed: number
  /** Facts it holds before anything is measured. */
  readonly size: number
  readonly calls: number
  readonly unmeasured: number
  readonly limit: number
}

/** What the process told that filled a memory and used it. */
export interface LoadResult {
  /** Facts held after the filling: what the model told, as far as the system kept it. */
  readonly facts: number
  readonly fillMs: number
  readonly search: CallTimes
  readonly searchUsage: PeerUsage
  /** One round a call. */
  readonly add: CallTimes
  /** Of the calls measured and what they left to do in the background. */
  readonly addUsage: PeerUsage
  /** What was left to do after the last one. */
  readonly settleMs: number
  readonly loopbackMs: number | null
  /** Most resident memory of the process, and what it had before it opened anything. */
  readonly peakBytes: number
  readonly startBytes: number
}

/** What a process told that did nothing but open the file and search once. */
export interface OpenResult {
  readonly openMs: number
  /** Growth of resident memory, garbage collected before and after. */
  readonly residentBytes: number
}

/** Rounds told in one call while filling: as many as Keepsake's model reads at a time. */
const ROUNDS_PER_FILL = 16
const LOOPBACK_CALLS = 30

async function load(request: LoadRequest): Promise<LoadResult> {
  const { peer: name, folder, seed, size, calls, unmeasured, limit } = request
  await loadModules(name)
  collectGarbage()
  const startBytes = process.memoryUsage.rss()
  const peer = await openPeer(name, { folder, embedding: peerEmbedding(request.embedding) })
  const rounds = Math.ceil(size / FACTS_PER_ROUND)
  const fillMs = await fill(peer, seed, rounds)
  const facts = (await peer.facts()).length
  const nextQuestion = peerQuestions(seed, rounds)
  await timeCalls(() => peer.search(nextQuestion(), limit), { calls: unmeasured, unmeasured: 0 })
  peer.takeUsage()
  const search = await timeCalls(() => peer.search(nextQuestion(), limit), { calls, unmeasured: 0 })
  await peer.settle()
  const searchUsage = peer.takeUsage()
  const talk = peerTalk(seed)
  await timeCalls((index) => peer.add([talk(rounds + index)]), { calls: unmeasured, unmeasured: 0 })
  await peer.settle()
  peer.takeUsage()
  const from = rounds + unmeasured
  const add = await timeCalls((index) => peer.add([talk(from + index)]), { calls, unmeasured: 0 })
  const added = performance.now()
  await peer.settle()
  const settleMs = performance.now() - added
  const addUsage = peer.takeUsage()
  const loopbackMs = await peer.timeLoopback(LOOPBACK_CALLS)
  await peer.close()
  const peakBytes = process.resourceUsage().maxRSS * 1024
  return { facts, fillMs, search, searchUsage, add, addUsage, settleMs, loopbackMs, peakBytes, startBytes }
}

async function fill(peer: Peer, seed: number, rounds: number): Promise<number> {
  const talk = peerTalk(seed)
  const start = performance.now()
  for (let from = 0; from < rounds; from += ROUNDS_PER_FILL)
    await peer.add(roundsFrom(talk, from, Math.min(ROUNDS_PER_FILL, rounds - from)))
  await peer.settle()
  return performance.now() - start
}

async function open(request: LoadRequest): Promise<OpenResult> {
  const { peer: name, folder, seed, size, limit } = request
  await loadModules(name)
  collectGarbage()
  const before = process.memoryUsage.rss()
  const start = performance.now()
  const peer = await openPeer(name, { folder, embedding: peerEmbedding(request.embedding) })
  await peer.search(peerQuestions(seed, Math.ceil(size / FACTS_PER_ROUND))(), limit)
  const openMs = performance.now() - start
  collectGarbage()
  const residentBytes = process.memoryUsage.rss() - before
  await peer.close()
  return { openMs, residentBytes }
}

/** Loading modules is no part of opening a memory. */
async function loadModules(name: PeerName): Promise<void> {
  if (name === 'mem0') await loadMem0()
  else await (await openMemory({ path: ':memory:' })).close()
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
}

/** This module, for whoever starts it as a process. */
export const LOAD_PEER = import.meta.url

if (isChild(import.meta.url))
  await answerParent((request: LoadRequest) => (request.phase === 'load' ? load(request) : open(request)))
