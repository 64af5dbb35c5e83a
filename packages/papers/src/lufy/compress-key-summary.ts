import { fitWords, promptLanguage, promptVersion, quoteSentences, requireModel } from 'keepsake/parts'
import type { CompressionInput, Compressor, Memory, SummarySource } from 'keepsake'
import { KEY_SUMMARY_WORDS, keySummaryPrompt } from './key-summary.ts'

/**
 * LUFY's key summary of past conversations, kept apart from the session summaries, which are forgotten as pairs are: made
 * anew after each session from itself, that session's summary and the profile. How the profile comes before a reply the paper
 * does not say; here it is by this summary. Needs a language model.
 */
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
      // An empty answer forgets nothing: the prompt reported it, and the model did not mend it.
      return summary.trim() === '' ? previous : fitWords(summary.trim(), { words: KEY_SUMMARY_WORDS }, 'last')
    },
  }
}

/** Some six characters a word in English; a Chinese character says more than half a word. */
const MOST_CHARACTERS = { en: 6 * KEY_SUMMARY_WORDS, zh: 1.6 * KEY_SUMMARY_WORDS } as const
/** What a kept sentence weighs against a new one: what was central once still finds its place. */
const KEPT_WEIGHT = 0.8
/** The profile says in one sentence what talk says in several. */
const PROFILE_WEIGHT = 1.5

/** A text as a source: what it tells counts as told by the user, whoever wrote it down. */
function sourceOf({ id, text, validFrom, evidence }: Memory): SummarySource {
  return { turn: id, text, role: 'user', speaker: null, at: validFrom, evidence }
}

const PREVIOUS = 'previous'

/** The same without a language model: the most telling sentences of the last one, the session's summary and the profile. */
export function keySummaryOfSentences(): Compressor {
  return {
    id: 'extractive-key-summary/1',
    prompt: null,
    mode: 'incremental',
    readsProfile: true,
    compress: async (input, { embedding, abortSignal }) => {
      if (input.sessions.length === 0) return input.previous
      const weights = new Map([
        [PREVIOUS, KEPT_WEIGHT],
        ...(input.profile ?? []).map(({ id }) => [id, PROFILE_WEIGHT] as const),
      ])
      const sources = sourcesOf(input)
      const told = await quoteSentences(
        sources,
        {
          maxCharacters: MOST_CHARACTERS[promptLanguage(sources.map(({ text }) => text))],
          embedding,
          ...(abortSignal === undefined ? {} : { abortSignal }),
        },
        ({ turn }) => weights.get(turn) ?? 1,
      )
      return told?.text ?? input.previous
    },
  }
}

function sourcesOf({ previous, sessions, profile = [] }: CompressionInput): SummarySource[] {
  const kept: SummarySource[] =
    previous === null
      ? []
      : [{ turn: PREVIOUS, text: previous, role: 'user', speaker: null, at: 0, evidence: [] }]
  return [...profile.map(sourceOf), ...kept, ...sessions.map(sourceOf)]
}
