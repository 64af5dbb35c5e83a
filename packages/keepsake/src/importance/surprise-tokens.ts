import { LRUCache } from 'lru-cache'
import { isUnspaced, splitText } from '../models/embedded/split-text.ts'

/** Stands before the first token of an utterance. Contains a space, so no token equals it. */
export const START = ' start'
/** As much of an utterance as is read, in UTF-16 units: an average over a thousand words has settled. */
const MAX_LENGTH = 4000

/** Utterances recur as history call after call. */
const cache = new LRUCache<string, readonly string[]>({ max: 2000 })

/**
 * What the language model predicts one by one: words, and single characters of scripts without spaces.
 *
 * @example surpriseTokens("I can't go to 上海") // ['i', "can't", 'go', 'to', '上', '海']
 */
export function surpriseTokens(text: string): readonly string[] {
  const read = text.slice(0, MAX_LENGTH)
  const cached = cache.get(read)
  if (cached !== undefined) return cached
  const tokens = splitText(read).flatMap((piece) => (isUnspaced(piece) ? Array.from(piece) : [piece]))
  cache.set(read, tokens)
  return tokens
}
