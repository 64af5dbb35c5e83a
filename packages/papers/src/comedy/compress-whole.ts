// Compresses all session memories into a portrait, task 2 of the paper COMEDY.
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

/** Tokens of a line for its number, day and quotation marks. */
const TOKENS_PER_LINE = 20
/** Maximum tokens of the portrait of earlier parts: COMEDY's 500 words and a margin. */
const MAX_PORTRAIT_TOKENS = 900

/** Makes the compressor of all session memories to 500 words. Above the model's window it reads parts. It reports unsafe parts to `onLeftOut`. */
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

/** Compresses the parts one after another. Each adds to the portrait of the parts before it. */
async function compressInParts(
  model: AskModel,
  texts: readonly DatedText[],
  options: CompressOptions,
): Promise<string | Unsafe | null> {
  const { onLeftOut = () => undefined } = options
  const askSettings = askOptions(texts, options)
  const unsafe = new Set<number>()
  let portrait: string | null = null
  for (const part of partsOf(model, texts, askSettings.language)) {
    const result: string | Unsafe | null = await compressPart(model, part, portrait, {
      ...askSettings,
      onLeftOut,
    })
    if (result === UNSAFE) for (const { sessionIndex } of part) unsafe.add(sessionIndex)
    else if (result !== null) portrait = result
  }
  if (portrait === null) return unsafe.size > 0 ? UNSAFE : null
  if (unsafe.size > 0)
    onLeftOut({ what: 'session-memories', count: unsafe.size, of: texts.length, cause: 'unsafe' })
  return portrait
}

/** Returns the new portrait. `UNSAFE` for a part that must not be stored, `null` if there is nothing to keep. */
async function compressPart(
  model: AskModel,
  sessions: readonly DatedText[],
  earlier: string | null,
  { onLeftOut, ...askSettings }: AskOptions & Pick<Required<CompressOptions>, 'onLeftOut'>,
): Promise<string | Unsafe | null> {
  const answer = await model.ask(compressPortraitPrompt, { sessions, earlier }, askSettings)
  if (answer.outcome === 'unsafe') return UNSAFE
  const { text, sentences, leftOut } = fittedPortrait(answer, askSettings.language, PUBLISHED_LENGTH)
  if (leftOut > 0) onLeftOut({ what: 'sentences', count: leftOut, of: sentences, cause: 'length' })
  return text
}

/** A session memory or a piece of a long one, with the index of the session. */
interface IndexedText extends DatedText {
  readonly sessionIndex: number
}

/** Splits the memories into parts that fit the model's window. If all fit, there is one part. Otherwise long texts are cut. */
function partsOf(model: AskModel, all: readonly DatedText[], language: PromptLanguage): IndexedText[][] {
  const texts = all.map((memory, sessionIndex) => ({ ...memory, sessionIndex }))
  const empty = compressPortraitPrompt.render({ sessions: [], earlier: '…' }, language)
  const availableTokens = roomBeside(model, empty)
  const costOf = ({ text }: DatedText): number => estimateTokens(text) + TOKENS_PER_LINE
  if (texts.reduce((sum, text) => sum + costOf(text), 0) <= availableTokens) return [texts]
  const maxTokens = Math.max(1, availableTokens - MAX_PORTRAIT_TOKENS - TOKENS_PER_LINE)
  const pieces = texts.flatMap((memory) =>
    cutToFit(memory.text, maxTokens, estimateTokens).map((text) => ({ ...memory, text })),
  )
  return packToFit(pieces, maxTokens + TOKENS_PER_LINE, costOf)
}
