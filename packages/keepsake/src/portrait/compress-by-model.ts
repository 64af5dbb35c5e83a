// Writes portraits with a language model, and shortens them to their maximum length.
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

/** Composes a portrait within a length. The user's part is fitted first, then the relationship, then events. */
export function fittedPortrait(
  answer: PortraitAnswer,
  language: PromptLanguage,
  bound: Omit<Bound, 'sentences'>,
): FittedPortrait {
  const boundAfter = (...parts: readonly string[]): Bound => ({
    ...bound,
    words: bound.words - countWords(parts.join(' '), bound.charactersAWord),
  })
  const user = fitWords(answer.user, bound, 'last')
  const relationship = fitWords(answer.relationship, boundAfter(user), 'last')
  const events = fitWords(answer.events, boundAfter(user, relationship), 'oldest')
  const sentences = countSentences(answer)
  const leftOut = sentences - countSentences({ user, relationship, events })
  return { text: composePortrait({ user, relationship, events }, language), sentences, leftOut }
}

function countSentences({ user, relationship, events }: PortraitAnswer): number {
  return [user, relationship, events].reduce((sum, part) => sum + splitSentences(part).length, 0)
}

/** Returns session memories with their days. Memories have no time zone, so the zone of the last turn is used. */
export function datedTexts(sessions: readonly Memory[], turns: readonly Turn[]): DatedText[] {
  const timeZone = turns.at(-1)?.timeZone ?? null
  return sessions.map(({ text, validFrom }) => ({ text, at: validFrom, timeZone }))
}

/** Returns the options of a request about some texts: their language and the abort signal. */
export function askOptions(
  texts: readonly { readonly text: string }[],
  { abortSignal }: CompressOptions,
): AskOptions {
  return { language: promptLanguage(texts.map(({ text }) => text)), abortSignal }
}

/** Makes the compressor that updates the last portrait with new session memories. Its cost does not grow with their number. */
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
  sources: readonly string[],
): PortraitAnswer {
  const supported = (part: string): string => keepSupported(part, { turns: [], context: sources })
  return { user: supported(user), relationship: supported(relationship), events: supported(events) }
}

/** Makes a compressor with one prompt. Its input is the last portrait (`null` without one) and the later session memories. */
export function compressorAsking<Input, Answer>(
  prompt: Prompt<Input, Answer>,
  mode: Compressor['mode'],
  inputOf: (previous: string | null, texts: DatedText[]) => Input,
  compose: (answer: Answer, language: PromptLanguage, texts: readonly string[]) => string | null,
): Compressor {
  const id = promptVersion(prompt)
  return {
    id,
    prompt: id,
    mode,
    compress: async ({ previous: last, sessions, turns }, options) => {
      const model = requireModel(options.ask, id)
      const previous = mode === 'whole' ? null : last
      if (sessions.length === 0) return previous
      const datedSessions = datedTexts(sessions, turns)
      const askSettings = askOptions(datedSessions, options)
      const answer = await model.ask(prompt, inputOf(previous, datedSessions), askSettings)
      const sessionTexts = datedSessions.map(({ text }) => text)
      const sources = previous === null ? sessionTexts : [previous, ...sessionTexts]
      return compose(answer, askSettings.language, sources) ?? previous
    },
  }
}

/** A maximum length. */
interface Bound {
  /** Maximum number of words, counted by `countWords`. */
  readonly words: number
  /** Number of Chinese characters that count as a word. The default of `countWords` when absent. */
  readonly charactersAWord?: number
  readonly sentences?: number
}

/** Removes the `oldest` or `last` sentences until a text fits. Some answers stay too long after a repair. */
export function fitWords(text: string, bound: Bound, removed: 'oldest' | 'last'): string {
  const { words, charactersAWord, sentences: maxSentences = Number.POSITIVE_INFINITY } = bound
  const rest = splitSentences(text).map((sentence) => sentence.text)
  const isShort = countWords(text, charactersAWord) <= words
  if (isShort && rest.length <= maxSentences) return text
  const isTooLong = (): boolean =>
    rest.length > maxSentences || countWords(joinSentences(rest), charactersAWord) > words
  if (!isTooLong()) return text
  while (rest.length > 0 && isTooLong()) {
    if (removed === 'oldest') rest.shift()
    else rest.pop()
  }
  return joinSentences(rest)
}
