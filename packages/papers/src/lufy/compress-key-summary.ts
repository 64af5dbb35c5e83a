// The compressors of the key summary in the paper LUFY: a short text before every reply.
import { fitWords, promptLanguage, promptVersion, quoteSentences, requireModel } from 'keepsake/preset'
import type { CompressionInput, Compressor, SummarySource } from 'keepsake/preset'
import { sourceOf } from '../comedy/compress-extractively.ts'
import { KEY_SUMMARY_WORDS, keySummaryPrompt } from './key-summary.ts'

/** Makes the compressor that rewrites the key summary after each session with a model. It also reads the profile. */
export function keySummaryByModel(): Compressor {
  const id = promptVersion(keySummaryPrompt)
  return {
    id,
    prompt: id,
    mode: 'incremental',
    readsProfile: true,
    compress: async ({ previous, sessions, turns, profile = [] }, { ask, abortSignal }) => {
      const model = requireModel(ask, id)
      if (sessions.length === 0) return previous
      const timeZone = turns.at(-1)?.timeZone ?? null
      const texts = sessions.map(({ text, validFrom }) => ({ text, at: validFrom, timeZone }))
      const { summary } = await model.ask(
        keySummaryPrompt,
        { previous, sessions: texts, profile: profile.map(({ text }) => text) },
        { language: promptLanguage(texts.map(({ text }) => text)), abortSignal },
      )
      // An empty answer was already reported as a problem and repaired once, so the previous summary stays.
      return summary.trim() === '' ? previous : fitWords(summary.trim(), { words: KEY_SUMMARY_WORDS }, 'last')
    },
  }
}

/** Maximum length, at six characters per English word, and 1.6 Chinese characters per word. */
const MAX_CHARACTERS = { en: 6 * KEY_SUMMARY_WORDS, zh: 1.6 * KEY_SUMMARY_WORDS } as const
/** Weight of a sentence of the previous summary. New sentences have 1, so old ones stay only if they are central. Chosen, not measured. */
const PREVIOUS_WEIGHT = 0.8
/** Weight of a profile sentence, which condenses several sentences of conversation. Chosen, not measured. */
const PROFILE_WEIGHT = 1.5

/** Id of the previous summary among the sources. */
const PREVIOUS_ID = 'previous'

/** Makes the compressor without a model. It quotes central sentences of the previous summary, the new session's summary and the profile. */
export function keySummaryOfSentences(): Compressor {
  return {
    id: 'extractive-key-summary/1',
    prompt: null,
    mode: 'incremental',
    readsProfile: true,
    compress: async (input, { embedding, abortSignal }) => {
      if (input.sessions.length === 0) return input.previous
      const weights = new Map([
        [PREVIOUS_ID, PREVIOUS_WEIGHT],
        ...(input.profile ?? []).map(({ id }) => [id, PROFILE_WEIGHT] as const),
      ])
      const sources = sourcesOf(input)
      const summary = await quoteSentences(
        sources,
        {
          maxCharacters: MAX_CHARACTERS[promptLanguage(sources.map(({ text }) => text))],
          embedding,
          ...(abortSignal === undefined ? {} : { abortSignal }),
        },
        ({ turn }) => weights.get(turn) ?? 1,
      )
      return summary?.text ?? input.previous
    },
  }
}

function sourcesOf({ previous, sessions, profile = [] }: CompressionInput): SummarySource[] {
  const sources = profile.map(sourceOf)
  if (previous !== null)
    sources.push({ turn: PREVIOUS_ID, text: previous, role: 'user', speaker: null, at: 0, evidence: [] })
  return [...sources, ...sessions.map(sourceOf)]
}
