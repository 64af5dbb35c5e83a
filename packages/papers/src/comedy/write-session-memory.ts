// Writes session memories, task 1 of the paper COMEDY. Sessions that exceed the model's window are read in parts.
import {
  composeSections,
  isLine,
  promptLanguage,
  promptVersion,
  requireModel,
  supportedSummary,
  type PromptLanguage,
  type ToldSection,
  type SummariseOptions,
  type Summariser,
  type Summary,
  type SummarySource,
} from 'keepsake/preset'
import { roomBeside, type AskModel, type AskOptions } from 'keepsake/model'
import {
  sessionMemoryPrompt,
  sessionMemorySections,
  type SessionMemoryAnswer,
  type SessionMemoryInput,
} from './session-memory.ts'
import { cutToFit, estimateTokens, packToFit } from '@keepsake/text'

/** Tokens of a line for its number, time, speaker and quotation marks. */
const TOKENS_PER_LINE = 24
/** Maximum share of a request that the memories of earlier parts take. Chosen, not measured. */
const MAX_EARLIER_SHARE = 0.25

/** Makes the summariser of events and of both profiles, of any length. It reports unsafe parts to `onLeftOut`. */
export function sessionMemoryWriter(): Summariser {
  const id = promptVersion(sessionMemoryPrompt)
  return {
    id,
    prompt: id,
    reads: 'texts',
    summarise: async (sources, options) => {
      const model = requireModel(options.ask, id)
      return sources.length === 0 ? null : writeInParts(model, sources, options)
    },
  }
}

/** Reads the parts of a session one after another, and joins their memories. */
async function writeInParts(
  model: AskModel,
  sources: readonly SummarySource[],
  { abortSignal, onLeftOut }: SummariseOptions,
): Promise<Summary | 'unsafe' | null> {
  const askSettings = { language: promptLanguage(sources.map(({ text }) => text)), abortSignal }
  const parts = partsOf(model, sources, askSettings.language)
  const memories: PartMemory[] = []
  for (const part of parts) memories.push(await readPart(model, part, memories, askSettings))
  const unsafe = parts.filter((_, partIndex) => memories[partIndex]?.outcome === 'unsafe').flat()
  const summary = joinParts(memories, parts)
  if (summary === null) return unsafe.length > 0 ? 'unsafe' : null
  if (unsafe.length > 0) onLeftOut?.({ what: 'turns', ...turnCounts(unsafe, sources), cause: 'unsafe' })
  return summary
}

/** The memory of a part. Its sentences are numbered from the part's first line. */
interface PartMemory {
  readonly outcome: SessionMemoryAnswer['outcome']
  readonly sections: readonly ToldSection[]
}

/** Asks for the memory of one part, with the memories of earlier parts as context. */
async function readPart(
  model: AskModel,
  sources: readonly SummarySource[],
  earlier: readonly PartMemory[],
  askSettings: AskOptions,
): Promise<PartMemory> {
  const earlierText = composeSections(earlier.flatMap(({ sections }) => sections))
  const input = {
    sources,
    earlier: earlier.length === 0 ? null : lastPiece(earlierText, model, askSettings.language),
  }
  const answer = await model.ask(sessionMemoryPrompt, input, askSettings)
  const { outcome } = answer
  return {
    outcome,
    sections: outcome === 'memory' ? sessionMemorySections(answer, askSettings.language) : [],
  }
}

/** Returns the tokens that a request has for lines of turns. */
function tokensForTurns(model: AskModel, language: PromptLanguage): number {
  const empty: SessionMemoryInput = { sources: [], earlier: '…' }
  return roomBeside(model, sessionMemoryPrompt.render(empty, language))
}

/** Splits a session's turns into as few parts as fit the model's window. A turn that is too long is split too. */
function partsOf(
  model: AskModel,
  sources: readonly SummarySource[],
  language: PromptLanguage,
): SummarySource[][] {
  const available = tokensForTurns(model, language)
  const costOf = ({ text }: SummarySource): number => estimateTokens(text) + TOKENS_PER_LINE
  const total = sources.reduce((sum, source) => sum + costOf(source), 0)
  if (total <= available) return [[...sources]]
  const maxTokens = Math.max(1, Math.floor(available * (1 - MAX_EARLIER_SHARE)) - TOKENS_PER_LINE)
  const pieces = sources.flatMap((source) =>
    cutToFit(source.text, maxTokens, estimateTokens).map((text) => ({ ...source, text })),
  )
  return packToFit(pieces, maxTokens + TOKENS_PER_LINE, costOf)
}

/** Returns the end of the earlier memories, which are only context here. All of them are stored. */
function lastPiece(written: string, model: AskModel, language: PromptLanguage): string {
  const maxTokens = Math.floor(tokensForTurns(model, language) * MAX_EARLIER_SHARE)
  return cutToFit(written, maxTokens, estimateTokens).at(-1) ?? ''
}

/** Joins sections of the same name in the order of the parts, without repeated sentences. */
function joinParts(
  memories: readonly PartMemory[],
  parts: readonly (readonly SummarySource[])[],
): Summary | null {
  const sections = new Map<string | null, ToldSection['sentences'][number][]>()
  let earlierLines = 0
  for (const [partIndex, part] of parts.entries()) {
    const offset = earlierLines
    for (const { label, sentences } of memories[partIndex]?.sections ?? []) {
      const sentencesSoFar = sections.get(label) ?? []
      const newSentences = sentences
        .filter(({ text }) => sentencesSoFar.every((known) => known.text !== text))
        .map(({ text, turns }) => ({ text, turns: toSessionLines(turns, part, offset) }))
      sections.set(label, [...sentencesSoFar, ...newSentences])
    }
    earlierLines += part.length
  }
  const all = [...sections].map(([label, sentences]) => ({ label, sentences }))
  return supportedSummary(all, parts.flat(), Number.POSITIVE_INFINITY)
}

/** Converts line numbers of a part to those of the session, and drops invalid ones. */
function toSessionLines(turns: readonly number[], part: readonly SummarySource[], offset: number): number[] {
  return turns.filter((number) => isLine(number, part.length)).map((number) => number + offset)
}

/** Counts the distinct turns of some sources and of all. */
function turnCounts(
  selected: readonly SummarySource[],
  all: readonly SummarySource[],
): { count: number; of: number } {
  const turns = (sources: readonly SummarySource[]): number => new Set(sources.map(({ turn }) => turn)).size
  return { count: turns(selected), of: turns(all) }
}
