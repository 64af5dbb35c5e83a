import { estimateTokens, type CountTokens } from '@keepsake/text'
import type { AskModel } from './ask-model.ts'

/** A window that today's models have, also small ones as they are usually served. */
export const DEFAULT_WINDOW_TOKENS = 16_000
/** Less holds no prompt with its answer. The paper on COMEDY trained with 2,048. */
export const LEAST_WINDOW_TOKENS = 2_000
/** Kept free for the answer, and no more than a part of a small window. */
const ANSWER_TOKENS = 4_000
const ANSWER_SHARE = 0.25
/** Tokens are estimated, and a model's own count may be a fifth higher. */
const SAFE_SHARE = 0.8

/** What a model says of its window, for whatever is put around it. */
export function windowOf({ windowTokens }: { readonly windowTokens?: number | undefined }): {
  readonly windowTokens?: number
} {
  return windowTokens === undefined ? {} : { windowTokens }
}

/** Returns the estimated tokens of a request that fits the window with its answer. */
export function requestTokens({
  windowTokens = DEFAULT_WINDOW_TOKENS,
}: Pick<AskModel, 'windowTokens'>): number {
  const answer = Math.min(ANSWER_TOKENS, windowTokens * ANSWER_SHARE)
  return Math.floor((windowTokens - answer) * SAFE_SHARE)
}

/** Returns the tokens left beside fixed text, at least 1. */
export function roomBeside(
  model: Pick<AskModel, 'windowTokens'>,
  words: { readonly system: string; readonly user: string },
  countTokens: CountTokens = estimateTokens,
): number {
  return Math.max(1, requestTokens(model) - countTokens(words.system) - countTokens(words.user))
}
