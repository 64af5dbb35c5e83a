import { closeSync, openSync, writeSync } from 'node:fs'
import { answerParent, isChild } from './ask-child.ts'
import { openPeer, peerEmbedding } from './open-peer.ts'
import type { Peer, PeerName } from './peer.ts'
import { peerTalk, roundsFrom } from './peer-talk.ts'

/** A file on which a line stands for each round that the system said was kept. */
export interface KillRequest {
  readonly phase: 'tell' | 'look'
  readonly peer: PeerName
  readonly folder: string
  readonly acknowledged: string
  readonly seed: number
  /** The first round to tell; when looking, how many were acknowledged. */
  readonly from: number
}

/** What is there after the last kill, once the system was opened again and has finished what it had to do. */
export interface Survivors {
  /** Facts of acknowledged rounds that are gone. */
  readonly lostFacts: number
  /** Facts held more than once: how many too many. */
  readonly doubledFacts: number
  /** Facts of rounds that were not acknowledged and are there: harmless, since they were told. */
  readonly unacknowledgedFacts: number
  /** Facts whose history does not say that they were added: an addition that was cut in two. */
  readonly halfFacts: number
  /** Acknowledged turns that are gone; `null` when the system keeps no turns. */
  readonly lostTurns: number | null
  readonly facts: number
}

/** Texts are compared by like words, as with a real embedder: a system may find repetitions by them. */
const EMBEDDING = 'words'
/** Rounds after the acknowledged ones that may have been stored. */
const BEYOND = 64
/** Between two rounds, so that work in the background is under way, and hit, as well. */
const PAUSE_MS = 10

/** Tells rounds until it is killed. A line is on the file as soon as a round was acknowledged, whatever happens then. */
async function tell({ peer: name, folder, acknowledged, seed, from }: KillRequest): Promise<never> {
  const peer = await openPeer(name, { folder, embedding: peerEmbedding(EMBEDDING) })
  const talk = peerTalk(seed)
  const file = openSync(acknowledged, 'a')
  try {
    for (let index = from; ; index += 1) {
      await peer.add([talk(index)])
      writeSync(file, `${index}\n`)
      if (index === from) process.send?.('telling')
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  } finally {
    closeSync(file)
  }
}

async function look(request: KillRequest): Promise<Survivors> {
  const { seed, from: count } = request
  const peer = await openSettled(request)
  const talk = peerTalk(seed)
  const rounds = roundsFrom(talk, 0, count)
  const survivors = {
    ...(await countFacts(peer, count, talk)),
    lostTurns: await countLostTurns(peer, rounds),
  }
  await peer.close()
  return survivors
}

async function openSettled({ peer: name, folder }: KillRequest): Promise<Peer> {
  const options = { folder, embedding: peerEmbedding(EMBEDDING) }
  const peer = await openPeer(name, options)
  await peer.settle()
  if (name !== 'keepsake') return peer
  // A few rounds still wait for the next ones, to be read together: they are read now, so that they are counted.
  await peer.close()
  const eager = await openPeer('keepsake-at-once', options)
  await eager.settle()
  return eager
}

async function countFacts(
  peer: Peer,
  count: number,
  talk: ReturnType<typeof peerTalk>,
): Promise<Omit<Survivors, 'lostTurns'>> {
  const textsOf = (from: number, rounds: number): string[] =>
    roundsFrom(talk, from, rounds).flatMap(({ facts }) => facts.map(({ text }) => text))
  const held = await peer.facts()
  const distinct = new Set(held)
  return {
    facts: held.length,
    lostFacts: textsOf(0, count).filter((text) => !distinct.has(text)).length,
    doubledFacts: held.length - distinct.size,
    unacknowledgedFacts: textsOf(count, BEYOND).filter((text) => distinct.has(text)).length,
    halfFacts: await peer.withoutHistory(),
  }
}

async function countLostTurns(peer: Peer, rounds: Parameters<Peer['lostTurns']>[0]): Promise<number | null> {
  return (await peer.lostTurns(rounds))?.length ?? null
}

/** This module, for whoever starts it as a process. */
export const KILL_PEER = import.meta.url

if (isChild(import.meta.url))
  await answerParent((request: KillRequest) => (request.phase === 'tell' ? tell(request) : look(request)))
