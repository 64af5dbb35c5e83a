import { cutToFit, estimateTokens, packToFit } from '@keepsake/text'
import { roomBeside, type AskModel, type AskOptions } from 'keepsake/model'
import {
  askOptions,
  datedTexts,
  fittedPortrait,
  promptVersion,
  requireModel,
  type CompressOptions,
  type Compressor,
  UNSAFE,
  type DatedText,
  type PromptLanguage,
  type Unsafe,
} from 'keepsake/preset'
import { compressPortraitPrompt, PUBLISHED_LENGTH } from './compress-portrait.ts'

/** Number, day and quotation marks of a line. */
const TOKENS_A_LINE = 20
/** A portrait is at most so long. */
const TOKENS_OF_PORTRAIT = 900

/**
 * COMEDY's task 2 as published: compresses all session memories within five hundred words (in Chinese, characters),
 * or returns `UNSAFE`. Reads memories beyond the model's window in parts, each with the portrait of those before.
 * Unsafe parts are left out and reported to `onLeftOut`.
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
