// Compresses session memories without a model, by quoting sentences.
import type { Memory } from 'keepsake'
import { type Compressor, type SummarySource, promptLanguage, quoteSentences } from 'keepsake/preset'

/** Maximum length, from COMEDY's 500 words: about six characters per English word, and 1.6 Chinese characters per word. */
const MAX_CHARACTERS = { en: 3_000, zh: 800 } as const
/** Number of later sessions after which a memory has lost half of the weight that it can lose. Chosen, not measured. */
const HALF_LIFE_SESSIONS = 5
/** Weight that the oldest memory approaches. An old sentence on a recurring topic can still be selected. */
const MIN_WEIGHT = 0.5

/** Returns the weight of a session memory. @param age the number of later sessions */
function weightOfAge(age: number): number {
  return MIN_WEIGHT + (1 - MIN_WEIGHT) * 0.5 ** (age / HALF_LIFE_SESSIONS)
}

/** Converts a memory to a source. Its statements count as the user's, even if the agent's words are among them. */
export function sourceOf({ id, text, validFrom, evidence }: Memory): SummarySource {
  return { turn: id, text, role: 'user', speaker: null, at: validFrom, evidence }
}

/** Makes a compressor without a model. It quotes the most central sentences of all session memories, without near duplicates. */
export function extractiveCompressor(): Compressor {
  return {
    id: 'extractive-portrait/1',
    prompt: null,
    mode: 'whole',
    compress: async ({ sessions }, { embedding, abortSignal }) => {
      const ages = new Map(sessions.map((memory, index) => [memory.id, sessions.length - 1 - index]))
      const maxCharacters = MAX_CHARACTERS[promptLanguage(sessions.map((memory) => memory.text))]
      const portrait = await quoteSentences(
        sessions.map(sourceOf),
        { maxCharacters, embedding, ...(abortSignal === undefined ? {} : { abortSignal }) },
        (source) => weightOfAge(ages.get(source.turn) ?? 0),
      )
      return portrait?.text ?? null
    },
  }
}
