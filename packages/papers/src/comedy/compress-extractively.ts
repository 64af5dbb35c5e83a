import type { Memory } from 'keepsake'
import { type Compressor, type SummarySource, promptLanguage, quoteSentences } from 'keepsake/preset'

/** COMEDY's 500 words: about six characters each in English, 800 characters in Chinese. */
const MOST_CHARACTERS = { en: 3_000, zh: 800 } as const
/** Sessions after which a session memory has lost half of its possible loss. A choice, not a measurement. */
const HALF_LIFE = 5
/** Minimum weight of the oldest memory. An old sentence on a recurring topic can still be selected. */
const LEAST_WEIGHT = 0.5

/** Returns the weight of a session memory by the number of later ones. */
function weightOfAge(age: number): number {
  return LEAST_WEIGHT + (1 - LEAST_WEIGHT) * 0.5 ** (age / HALF_LIFE)
}

/** Converts a text to a source. Its statements count as the user's, even where the agent wrote it. */
export function sourceOf({ id, text, validFrom, evidence }: Memory): SummarySource {
  return { turn: id, text, role: 'user', speaker: null, at: validFrom, evidence }
}

/**
 * Returns a compressor without a language model. It selects the most central sentences of all session memories, newer ones first, without
 * near duplicates. Sentences stay unchanged, in the order of time.
 */
export function extractiveCompressor(): Compressor {
  return {
    id: 'extractive-portrait/1',
    prompt: null,
    mode: 'whole',
    compress: async ({ sessions }, { embedding, abortSignal }) => {
      const age = new Map(sessions.map((memory, index) => [memory.id, sessions.length - 1 - index]))
      const maxCharacters = MOST_CHARACTERS[promptLanguage(sessions.map((memory) => memory.text))]
      const portrait = await quoteSentences(
        sessions.map(sourceOf),
        { maxCharacters, embedding, ...(abortSignal === undefined ? {} : { abortSignal }) },
        (source) => weightOfAge(age.get(source.turn) ?? 0),
      )
      return portrait?.text ?? null
    },
  }
}
