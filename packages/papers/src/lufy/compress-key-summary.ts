import { fitWords, promptLanguage, promptVersion, quoteSentences, requireModel } from 'keepsake/preset'
import type { CompressionInput, Compressor, SummarySource } from 'keepsake/preset'
import { sourceOf } from '../comedy/compress-extractively.ts'
import { KEY_SUMMARY_WORDS, keySummaryPrompt } from './key-summary.ts'

/** Returns the compressor of LUFY's pinned summary, rewritten after each session with the profile, whose use the paper does not say. */
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
      // Keeps the previous summary on an empty answer, which the prompt has reported and retried.
      return summary.trim() === '' ? previous : fitWords(summary.trim(), { words: KEY_SUMMARY_WORDS }, 'last')
    },
  }
}

/** Maximum length: six characters for an English word, 1.6 for a Chinese one. */
const MAX_CHARACTERS = { en: 6 * KEY_SUMMARY_WORDS, zh: 1.6 * KEY_SUMMARY_WORDS } as const
/** Weight of a sentence of the previous summary. A new one has 1. Earlier central sentences can stay. */
const PREVIOUS_WEIGHT = 0.8
/** Weight of a profile sentence, which condenses several sentences of conversation. */
const PROFILE_WEIGHT = 1.5

/** Id of the previous summary among the sources. */
const PREVIOUS_ID = 'previous'

/** Writes the pinned summary without a language model: central sentences of the previous one, the session's summary and the profile. */
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
  const previousSource: SummarySource[] =
    previous === null
      ? []
      : [{ turn: PREVIOUS_ID, text: previous, role: 'user', speaker: null, at: 0, evidence: [] }]
  return [...profile.map(sourceOf), ...previousSource, ...sessions.map(sourceOf)]
}
