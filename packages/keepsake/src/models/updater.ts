// Defines the port of memory updaters (as in the paper MMM), which propose how a list of memories changes.
import type { Guidelines } from '../guidelines/guidelines.ts'
import type { Memory } from '../memories/memory.ts'
import type { PromptLanguage } from '../prompts/prompt.ts'
import type { SaidTurn } from '../prompts/render-data.ts'

export interface UpdateRequest {
  /** The user's words of this round, one turn per line. */
  readonly utterance: string
  /** The turns of the round, of the user and the agent. */
  readonly turns: readonly SaidTurn[]
  /** The turns before the round in the same session. */
  readonly before: readonly SaidTurn[]
  /** The current memories that fit into `listTokens`. They are numbered from 1 by their place. */
  readonly memories: readonly Memory[]
  /** Number of memories that do not fit. */
  readonly leftOut: number
  /** The application's topics to store and never to store; none when absent. */
  readonly guidelines?: Guidelines
  readonly language: PromptLanguage
}

/** An operation on the list (MMM, equation 1). `index` is the number of a memory, from 1. */
export type Update =
  | { readonly type: 'add'; readonly content: string }
  | { readonly type: 'modify'; readonly index: number; readonly content: string }
  | { readonly type: 'delete'; readonly index: number }

/**
 * The port of memory updaters (MMM), such as a model trained for updates. Rules validate and apply the proposed operations.
 * Rejected ones are reported by the event `operation-rejected`.
 *
 * @example
 * const forgetful: Updater = { id: 'forgetful/1', update: async () => [] }
 * const keepsake = await openMemory({ path: 'memory.db', preset: mmm, updater: forgetful })
 */
export interface Updater {
  /** Name and version, stored with each memory that the updater made. */
  readonly id: string
  /** Maximum tokens of the list of memories; 5,000 when absent. */
  readonly listTokens?: number
  /** Returns operations in order. @throws ModelError; with `model-answer` the round is parked, otherwise tried again */
  update(request: UpdateRequest): Promise<readonly Update[]>
}
