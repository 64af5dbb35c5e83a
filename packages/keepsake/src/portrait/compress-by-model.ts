// Writes portraits with a language model, and fits them into their bound.
import { splitSentences } from '@keepsake/text'
import { keepSupported } from '../extraction/grounding/keep-supported.ts'
import type { Memory } from '../memories/memory.ts'
import { type AskOptions, requireModel } from '../models/ask-model.ts'
import { MOST_WORDS, type PortraitAnswer, composePortrait, countWords } from '../prompts/portrait-answer.ts'
import { type Prompt, type PromptLanguage, promptVersion } from '../prompts/prompt.ts'
import { promptLanguage } from '../prompts/render-data.ts'
import type { DatedText } from '../prompts/render-summary-sources.ts'
import { renewPortraitPrompt } from '../prompts/renew-portrait.ts'
import type { Turn } from '../turns/turn.ts'
import type { CompressOptions, Compressor } from './compressor.ts'
import { joinSentences } from '../prompts/summary-sections.ts'

/** A portrait within its maximum length, and the number of its sentences that did not fit. */
interface FittedPortrait {
  /** `null` if it is empty. */
  readonly text: string | null
  readonly sentences: number
  readonly leftOut: number
}

/** Composes an answer as a portrait within a maximum length. Old events are removed first, then relationship, then user. */
export function fittedPortrait(
  answer: PortraitAnswer,
  language: PromptLanguage,
  bound: Omit<Bound, 'sentences'>,
): FittedPortrait {
  const left = (...taken: readonly string[]): Bound => ({
    ...bound,
    words: bound.words - countWords(taken.join(' '), bound.charactersAWord),
  })
  const user = fitWords(answer.user, bound, 'last')
  const relationship = fitWords(answer.relationship, left(user), 'last')
  const events = fitWords(answer.events, left(user, relationship), 'oldest')
  const sentences = countSentences(answer)
  const leftOut = sentences - countSentences({ user, relationship, events })
  return { text: composePortrait({ user, relationship, events }, language), sentences, leftOut }
}

function countSentences({ user, relationship, events }: PortraitAnswer): number {
  return [user, relationship, events].reduce((sum, part) => sum + splitSentences(part).length, 0)
}

/** Returns session memories with their days, in the time zone of the last turn, because memories have none. */
export function datedTexts(sessions: readonly Memory[], turns: readonly Turn[]): DatedText[] {
  const timeZone = turns.at(-1)?.timeZone ?? null
  return sessions.map(({ text, validFrom }) => ({ text, at: validFrom, timeZone }))
}

/** Returns the options of a request about some texts: their language, and the signal to stop. */
export function askOptions(
  texts: readonly { readonly text: string }[],
  { abortSignal }: CompressOptions,
): AskOptions {
  return { language: promptLanguage(texts.map(({ text }) => text)), abortSignal }
}

/**
 * Makes the compressor that updates the last portrait (user, relationship, events) with new session memories, so that the
 * cost of a session does not grow with the conversation. It needs a language model.
 */
export function portraitCompressor(): Compressor {
  return compressorAsking(
    renewPortraitPrompt,
    'incremental',
    (previous, sessions) => ({ previous, sessions }),
    (answer, language, texts) =>
      fittedPortrait(supportedParts(answer, texts), language, { words: MOST_WORDS }).text,
  )
}

/** Removes the sentences of a portrait that its sources do not support. */
function supportedParts(
  { user, relationship, events }: PortraitAnswer,
  around: readonly string[],
): PortraitAnswer {
  const kept = (part: string): string => keepSupported(part, { turns: [], context: around })
  return { user: kept(user), relationship: kept(relationship), events: kept(events) }
}

/** Makes a compressor that asks one prompt about the last portrait (`null` without one) and the dated texts since. */
export function compressorAsking<Input, Answer>(
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
      const sources = [...(previous === null ? [] : [previous]), ...texts.map(({ text }) => text)]
      return composed(answer, asking.language, sources) ?? previous
    },
  }
}

/** A maximum length. */
interface Bound {
  /** As `countWords` counts them. */
  readonly words: number
  /** Number of Chinese characters that count as a word; the default of `countWords` when absent. */
  readonly charactersAWord?: number
  readonly sentences?: number
}

/**
 * Removes sentences until a text fits, for answers of a model that stay too long.
 *
 * @param dropped where sentences are removed: the `oldest` at the start, or the `last` at the end
 */
export function fitWords(text: string, bound: Bound, dropped: 'oldest' | 'last'): string {
  const { words, charactersAWord, sentences = Number.POSITIVE_INFINITY } = bound
  if (countWords(text, charactersAWord) <= words && sentences === Number.POSITIVE_INFINITY) return text
  const all = splitSentences(text).map((sentence) => sentence.text)
  const isTooLong = (): boolean =>
    all.length > sentences || countWords(joinSentences(all), charactersAWord) > words
  if (!isTooLong()) return text
  while (all.length > 0 && isTooLong()) {
    if (dropped === 'oldest') all.shift()
    else all.pop()
  }
  return joinSentences(all)
}
