import type { EmbeddingModel } from 'keepsake'
import type { CallCost } from '../cost/meter.ts'
import type { PeerRound } from './peer-talk.ts'

/**
 * `keepsake` as it comes: a turn is durable and can be recalled when `remember` returns, a model reads the talk in the
 * background, sixteen rounds at a time. `keepsake-at-once` reads each round by a call of its own and is waited for, as
 * Mem0 does it. `mem0` is its npm package.
 */
export const PEER_NAMES = ['keepsake', 'keepsake-at-once', 'mem0'] as const
export type PeerName = (typeof PEER_NAMES)[number]

export interface OpenPeer {
  /** Where it keeps its files; what is there already is opened. */
  readonly folder: string
  readonly embedding: EmbeddingModel
}

/** What a system asked of models since the last time it was looked at. */
export interface PeerUsage extends Pick<
  CallCost,
  'calls' | 'inputCharacters' | 'inputTokens' | 'outputTokens'
> {
  readonly embeddingRequests: number
}

/** A memory system as an application uses it, with its durable embedded store and its defaults. */
export interface Peer {
  /** Tells rounds in one call. Returns when the system says that they are kept. */
  add(rounds: readonly PeerRound[]): Promise<void>
  /** Waits for what goes on in the background. */
  settle(): Promise<void>
  search(question: string, limit: number): Promise<unknown>
  /** Texts of the facts that it holds, each as often as it holds it. */
  facts(): Promise<readonly string[]>
  /** Facts whose history does not tell that they were added: half of an addition. */
  withoutHistory(): Promise<number>
  /** Of these rounds, those whose user's words are gone; `null` when the system keeps no turns. */
  lostTurns(rounds: readonly PeerRound[]): Promise<readonly number[] | null>
  takeUsage(): PeerUsage
  /** Time of a request over loopback as long as the last one, in milliseconds; `null` where nothing goes over it. */
  timeLoopback(times: number): Promise<number | null>
  close(): Promise<void>
}
