import type { Compressor, Memory, SummarySource } from 'keepsake'
import { promptLanguage, quoteSentences } from 'keepsake/parts'

/** COMEDY's 500 words: some six characters each in English, 800 characters in Chinese. */
const MOST_CHARACTERS = { en: 3_000, zh: 800 } as const
/** Sessions after which a session memory has lost half of what it may lose. Chosen by us, not measured. */
const HALF_LIFE = 5
/** What the oldest weighs against the newest: an old sentence that much talk comes back to still finds its place. */
const LEAST_WEIGHT = 0.5

/** What a session memory weighs, by how many came after it. */
function weightOfAge(age: number): number {
  return LEAST_WEIGHT + (1 - LEAST_WEIGHT) * 0.5 ** (age / HALF_LIFE)
}

/** A session memory as a source: what it tells counts as told by the user, whoever wrote it down. */
function sourceOf({ id, text, validFrom, evidence }: Memory): SummarySource {
  return { turn: id, text, role: 'user', speaker: null, at: validFrom, evidence }
}

/**
 * A portrait without a language model: the most central sentences of all session memories, the newer ones first,
 * no two alike, as they stand there and in the order of time.
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
