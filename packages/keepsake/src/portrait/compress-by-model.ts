import { keepTold } from '../extraction/grounding/keep-told.ts'
import { requireModel } from '../models/require-model.ts'
import {
  composeOverall,
  overallSummaryPrompt,
  type OverallSummaryAnswer,
} from '../prompts/overall-summary.ts'
import { countWords, MOST_WORDS, type PortraitAnswer } from '../prompts/portrait-answer.ts'
import { promptVersion, type Prompt, type PromptLanguage } from '../prompts/prompt.ts'
import { MOST_SENTENCES, recursiveSummaryPrompt } from '../prompts/recursive-summary.ts'
import type { DatedText } from '../prompts/render-summary-sources.ts'
import { renewPortraitPrompt } from '../prompts/renew-portrait.ts'
import { wholeCompressor } from './compress-whole.ts'
import { askOptions, datedTexts } from './compression-input.ts'
import type { Compressor } from './compressor.ts'
import { fittedPortrait } from './fit-portrait.ts'
import { fitWords } from './fit-words.ts'

/**
 * COMEDY's task 2: session memories compressed into a portrait of the user, the relationship and the events. Needs
 * a language model.
 *
 * @param options.mode `whole` as the paper does it; `incremental` goes on from the last portrait, so that the cost
 *   of a session does not grow with the talk
 */
export function portraitCompressor({ mode }: { readonly mode: Compressor['mode'] }): Compressor {
  if (mode === 'whole') return wholeCompressor()
  return compressorAsking(
    renewPortraitPrompt,
    mode,
    (previous, sessions) => ({ previous, sessions }),
    (answer, language, texts) => fittedPortrait(toldIn(answer, texts), language, { words: MOST_WORDS }).text,
  )
}

/** As much of a portrait as the texts it was made from bear out: it quotes nothing, and is told to whoever replies. */
function toldIn({ user, relationship, events }: PortraitAnswer, around: readonly string[]): PortraitAnswer {
  const kept = (part: string): string => keepTold(part, { turns: [], around })
  return { user: kept(user), relationship: kept(relationship), events: kept(events) }
}

/**
 * MemoryBank's overall summary of events and overall portrait of the user's personality, from the daily ones.
 * Needs a language model.
 *
 * @param options.mode `whole`, as published, when absent
 */
export function overallCompressor(options: { readonly mode?: Compressor['mode'] } = {}): Compressor {
  const { mode = 'whole' } = options
  return compressorAsking(overallSummaryPrompt, mode, (previous, days) => ({ previous, days }), overallOf)
}

/** A compressor that asks one prompt of the last whole (`null` where it is made anew) and the dated texts since. */
function compressorAsking<Input, Answer>(
  prompt: Prompt<Input, Answer>,
  mode: Compressor['mode'],
  inputOf: (previous: string | null, texts: DatedText[]) => Input,
  composed: (answer: Answer, language: PromptLanguage, texts: readonly string[]) => string | null,
): Compressor {
  const id = promptVersion(prompt)
  return {
    id,
    prompt: id,
    mode,
    compress: async ({ previous: last, sessions, turns }, given) => {
      const model = requireModel(given.ask, id)
      const previous = mode === 'whole' ? null : last
      if (sessions.length === 0) return previous
      const texts = datedTexts(sessions, turns)
      const asking = askOptions(texts, given)
      const answer = await model.ask(prompt, inputOf(previous, texts), asking)
      const told = [...(previous === null ? [] : [previous]), ...texts.map(({ text }) => text)]
      return composed(answer, asking.language, told) ?? previous
    },
  }
}

/**
 * Recursive summarisation (Resum): the new memory from the last one and the turns of the session just ended. Needs
 * a language model.
 */
export function recursiveCompressor(): Compressor {
  const id = promptVersion(recursiveSummaryPrompt)
  return {
    id,
    prompt: id,
    mode: 'incremental',
    compress: async ({ previous, turns }, given) => {
      const model = requireModel(given.ask, id)
      if (turns.length === 0) return previous
      const { memory } = await model.ask(
        recursiveSummaryPrompt,
        { previous, turns },
        askOptions(turns, given),
      )
      // An empty answer forgets nothing: the prompt reported it, and the model did not mend it.
      return memory.trim() === ''
        ? previous
        : fitWords(memory.trim(), { words: MOST_WORDS, sentences: MOST_SENTENCES }, 'last')
    },
  }
}

function overallOf(answer: OverallSummaryAnswer, language: PromptLanguage): string | null {
  const personality = fitWords(answer.personality, { words: MOST_WORDS }, 'last')
  const events = fitWords(answer.events, { words: MOST_WORDS - countWords(personality) }, 'oldest')
  return composeOverall({ personality, events }, language)
}
