import { cutToFit, estimateTokens, packToFit, splitSentences } from '@keepsake/text'
import { keepSupported } from '../extraction/grounding/keep-supported.ts'
import type { Memory } from '../memories/memory.ts'
import type { AskModel, AskOptions } from '../models/ask-model.ts'
import { roomBeside } from '../models/model-window.ts'
import { requireModel } from '../models/require-model.ts'
import { compressPortraitPrompt } from '../prompts/compress-portrait.ts'
import {
  type OverallSummaryAnswer,
  composeOverall,
  overallSummaryPrompt,
} from '../prompts/overall-summary.ts'
import {
  MOST_WORDS,
  PUBLISHED_LENGTH,
  type PortraitAnswer,
  composePortrait,
  countWords,
} from '../prompts/portrait-answer.ts'
import { type Prompt, type PromptLanguage, promptVersion } from '../prompts/prompt.ts'
import { MOST_SENTENCES, recursiveSummaryPrompt } from '../prompts/recursive-summary.ts'
import { promptLanguage } from '../prompts/render-data.ts'
import type { DatedText } from '../prompts/render-summary-sources.ts'
import { renewPortraitPrompt } from '../prompts/renew-portrait.ts'
import type { Turn } from '../turns/turn.ts'
import { type CompressOptions, type Compressor, UNSAFE, type Unsafe } from './compressor.ts'
import { type Bound, fitWords } from './fit-words.ts'

/** A portrait within its bound, and how many of its sentences there was no room for. */
export interface FittedPortrait {
  /** `null` when it says nothing. */
  readonly text: string | null
  readonly sentences: number
  readonly leftOut: number
}

/** An answer as a portrait within a bound: who the user is goes last, old events first. */
function fittedPortrait(
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

/** Session memories with their days, by the clock of those who spoke last: memories carry none of their own. */
function datedTexts(sessions: readonly Memory[], turns: readonly Turn[]): DatedText[] {
  const timeZone = turns.at(-1)?.timeZone ?? null
  return sessions.map(({ text, validFrom }) => ({ text, at: validFrom, timeZone }))
}

function askOptions(
  texts: readonly { readonly text: string }[],
  { abortSignal }: CompressOptions,
): AskOptions {
  return { language: promptLanguage(texts.map(({ text }) => text)), abortSignal }
}

/** Number, day and quotation marks of a line. */
const TOKENS_A_LINE = 20
/** A portrait is at most so long. */
const TOKENS_OF_PORTRAIT = 900

/**
 * COMEDY's task 2 as published: compresses all session memories within five hundred words (in Chinese, characters),
 * or returns `UNSAFE`. Reads memories beyond the model's window in parts, each with the portrait of those before.
 * Unsafe parts are left out and reported to `onLeftOut`.
 */
function wholeCompressor(): Compressor {
  const id = promptVersion(compressPortraitPrompt)
  return {
    id,
    prompt: id,
    mode: 'whole',
    compress: async ({ sessions, turns }, options) => {
      const model = requireModel(options.ask, id)
      if (sessions.length === 0) return null
      return compressInParts(model, datedTexts(sessions, turns), options)
    },
  }
}

async function compressInParts(
  model: AskModel,
  texts: readonly DatedText[],
  options: CompressOptions,
): Promise<string | Unsafe | null> {
  const { onLeftOut = () => undefined } = options
  const asking = askOptions(texts, options)
  const unsafe = new Set<number>()
  let portrait: string | null = null
  for (const part of partsOf(model, texts, asking.language)) {
    const made: string | Unsafe | null = await compressPart(model, part, portrait, { ...asking, onLeftOut })
    if (made === UNSAFE) for (const { place } of part) unsafe.add(place)
    else portrait = made ?? portrait
  }
  if (portrait === null) return unsafe.size > 0 ? UNSAFE : null
  if (unsafe.size > 0)
    onLeftOut({ what: 'session-memories', count: unsafe.size, of: texts.length, cause: 'unsafe' })
  return portrait
}

async function compressPart(
  model: AskModel,
  sessions: readonly DatedText[],
  earlier: string | null,
  { onLeftOut, ...asking }: AskOptions & Pick<Required<CompressOptions>, 'onLeftOut'>,
): Promise<string | Unsafe | null> {
  const answer = await model.ask(compressPortraitPrompt, { sessions, earlier }, asking)
  if (answer.outcome === 'unsafe') return UNSAFE
  const { text, sentences: of, leftOut: count } = fittedPortrait(answer, asking.language, PUBLISHED_LENGTH)
  if (count > 0) onLeftOut({ what: 'sentences', count, of, cause: 'length' })
  return text
}

/** A session memory, or a piece of a very long one. */
interface PlacedText extends DatedText {
  readonly place: number
}

/** The memories, oldest first, in parts that the model's window holds: one, if it can be. */
function partsOf(model: AskModel, all: readonly DatedText[], language: PromptLanguage): PlacedText[][] {
  const texts = all.map((one, place) => ({ ...one, place }))
  const empty = compressPortraitPrompt.render({ sessions: [], earlier: '…' }, language)
  const room = roomBeside(model, empty)
  const costOf = ({ text }: DatedText): number => estimateTokens(text) + TOKENS_A_LINE
  if (texts.reduce((sum, text) => sum + costOf(text), 0) <= room) return [texts]
  const most = Math.max(1, room - TOKENS_OF_PORTRAIT - TOKENS_A_LINE)
  const pieces = texts.flatMap((one) =>
    cutToFit(one.text, most, estimateTokens).map((text) => ({ ...one, text })),
  )
  return packToFit(pieces, most + TOKENS_A_LINE, costOf)
}

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

/** Reduces a portrait to what its sources support, because it quotes nothing. */
function toldIn({ user, relationship, events }: PortraitAnswer, around: readonly string[]): PortraitAnswer {
  const kept = (part: string): string => keepSupported(part, { turns: [], around })
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

/** A compressor with one prompt over the last portrait (`null` to start afresh) and the dated texts since. */
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
      const sources = [...(previous === null ? [] : [previous]), ...texts.map(({ text }) => text)]
      return composed(answer, asking.language, sources) ?? previous
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
