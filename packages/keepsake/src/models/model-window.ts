// Computes how many tokens of input fit into the window of a model.
import { estimateTokens, type CountTokens } from '@keepsake/text'
import type { AskModel } from './ask-model.ts'

/** Most models have at least this window, also small ones on usual servers. */
export const DEFAULT_WINDOW_TOKENS = 16_000
/** A smaller window cannot contain a prompt with its answer. The paper COMEDY trained its model with 2,048 tokens. */
export const MIN_WINDOW_TOKENS = 2_000
/** Tokens of a window that are reserved for the answer. In a small window it is at most this share. */
const ANSWER_TOKENS = 4_000
const ANSWER_SHARE = 0.25
/** Token counts are estimates. The model's own count may be a fifth higher. */
const SAFE_SHARE = 0.8

/** Returns the estimated tokens of a request that fits the window with its answer. */
export function requestTokens({
  windowTokens = DEFAULT_WINDOW_TOKENS,
}: Pick<AskModel, 'windowTokens'>): number {
  const answer = Math.min(ANSWER_TOKENS, windowTokens * ANSWER_SHARE)
  return Math.floor((windowTokens - answer) * SAFE_SHARE)
}

/** Returns the tokens of a request that remain beside its fixed texts, at least 1. */
export function roomBeside(
  model: Pick<AskModel, 'windowTokens'>,
  fixedTexts: { readonly system: string; readonly user: string },
  countTokens: CountTokens = estimateTokens,
): number {
  return Math.max(1, requestTokens(model) - countTokens(fixedTexts.system) - countTokens(fixedTexts.user))
}
