import type { Guidelines } from '../guidelines/guidelines.ts'
import type { Memory } from '../memories/memory.ts'
import type { PromptLanguage } from '../prompts/prompt.ts'
import type { SaidTurn } from '../prompts/render-data.ts'

export interface UpdateRequest {
  /** The user's words of this round, a turn a line. */
  readonly utterance: string
  /** The round itself: the user's turn and the agent's. */
  readonly turns: readonly SaidTurn[]
  /** Turns of the same session right before it. */
  readonly before: readonly SaidTurn[]
  /** Memories as they now stand, numbered from 1 by their place: the whole list, as far as there is room. */
  readonly memories: readonly Memory[]
  /** How many more there are that are not shown. */
  readonly leftOut: number
  /** What the application keeps and never keeps; none when absent. */
  readonly guidelines?: Guidelines
  readonly language: PromptLanguage
}

/** An operation on the list (MMM, equation 1). `index` is the number of a memory, from 1. */
export type Update =
  | { readonly type: 'add'; readonly content: string }
  | { readonly type: 'modify'; readonly index: number; readonly content: string }
  | { readonly type: 'delete'; readonly index: number }

/**
 * The port of memory updaters (MMM), such as a model trained for it.
 * What it answers is a proposal: a rule engine validates it and carries it out, and reports what it rejects
 * (`operation-rejected`).
 *
 * @example
 * const forgetful: Updater = { id: 'forgetful/1', update: async () => [] }
 * const keepsake = await openMemory({ path: 'memory.db', preset: mmm, updater: forgetful })
 */
export interface Updater {
  /** Name and version, kept with each memory it made. */
  readonly id: string
  /** Tokens of memories it can be shown; 5,000 when absent. */
  readonly listTokens?: number
  /**
   * @returns operations in the order in which to apply them; none for words that call for none.
   * @throws ModelError; what cannot be used (`model-answer`) parks the round, anything else is tried again.
   */
  update(request: UpdateRequest): Promise<readonly Update[]>
}
