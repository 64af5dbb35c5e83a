import type { AskModel, AskOptions } from '../models/ask-model.ts'
import { roomBeside } from '../models/model-window.ts'
import { requireModel } from '../models/require-model.ts'
import { compressPortraitPrompt } from '../prompts/compress-portrait.ts'
import { PUBLISHED_LENGTH } from '../prompts/portrait-answer.ts'
import { promptVersion, type PromptLanguage } from '../prompts/prompt.ts'
import type { DatedText } from '../prompts/render-summary-sources.ts'
import { cutToFit, estimateTokens, packToFit } from '@keepsake/text'
import { askOptions, datedTexts } from './compression-input.ts'
import { UNSAFE, type CompressOptions, type Compressor, type Unsafe } from './compressor.ts'
import { fittedPortrait } from './fit-portrait.ts'

/** Number, day and quotation marks of a line. */
const TOKENS_A_LINE = 20
/** A portrait is at most so long. */
const TOKENS_OF_PORTRAIT = 900

/**
 * COMEDY's task 2 as published: all session memories compressed anew, within five hundred words (in Chinese, characters), or
 * `UNSAFE` where they must not be kept. Memories that the model's window does not hold together are read in parts, each with
 * the portrait of those before it, so that none is left out. Of parts that must not be kept the others' portrait is made, and
 * `onLeftOut` is told.
 */
export function wholeCompressor(): Compressor {
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
