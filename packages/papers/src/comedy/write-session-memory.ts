import {
  composeSections,
  isLine,
  promptLanguage,
  promptVersion,
  requireModel,
  roomBeside,
  supportedSummary,
  type PromptLanguage,
  type ToldSection,
} from 'keepsake/parts'
import type { AskModel, AskOptions, SummariseOptions, Summariser, Summary, SummarySource } from 'keepsake'
import {
  sessionMemoryPrompt,
  sessionMemorySections,
  type SessionMemoryAnswer,
  type SessionMemoryInput,
} from './session-memory.ts'
import { cutToFit, estimateTokens, packToFit } from '@keepsake/text'

/** Number, time, speaker and quotation marks of a line. */
const TOKENS_A_LINE = 24
/** What a part may be shown of what was written of the parts before it. */
const EARLIER_SHARE = 0.25

/**
 * COMEDY's task 1: what a session leaves to remember, its events, the user's portrait and the agent's each on a
 * labelled line, as long as it takes: nothing of the session is omitted (Chen et al., table 7). A session that the
 * model's window does not hold is read in parts, and what they leave is joined. `null` for a session with nothing
 * worth keeping, `unsafe` for one that must not be kept; of a session of which only some parts must not be kept the
 * rest is, and the turns left out are told to `onLeftOut`. Needs a language model.
 */
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

async function writeInParts(
  model: AskModel,
  sources: readonly SummarySource[],
  { abortSignal, onLeftOut }: SummariseOptions,
): Promise<Summary | 'unsafe' | null> {
  const asking = { language: promptLanguage(sources.map(({ text }) => text)), abortSignal }
  const parts = partsOf(model, sources, asking.language)
  const told: ToldPart[] = []
  for (const part of parts) told.push(await readPart(model, part, told, asking))
  const unsafe = parts.filter((_, at) => told[at]?.outcome === 'unsafe').flat()
  const summary = joined(told, parts)
  if (summary === null) return unsafe.length > 0 ? 'unsafe' : null
  if (unsafe.length > 0) onLeftOut?.({ what: 'turns', ...countTurns(unsafe, sources), cause: 'unsafe' })
  return summary
}

/** What a part left, its sentences numbered from the part's first line. */
interface ToldPart {
  readonly outcome: SessionMemoryAnswer['outcome']
  readonly sections: readonly ToldSection[]
}

async function readPart(
  model: AskModel,
  sources: readonly SummarySource[],
  before: readonly ToldPart[],
  asking: AskOptions,
): Promise<ToldPart> {
  const written = composeSections(before.flatMap(({ sections }) => sections))
  const input = { sources, earlier: before.length === 0 ? null : latest(written, model, asking.language) }
  const answer = await model.ask(sessionMemoryPrompt, input, asking)
  const { outcome } = answer
  return { outcome, sections: outcome === 'memory' ? sessionMemorySections(answer, asking.language) : [] }
}

/** The room that lines of turns have in a request. */
function roomFor(model: AskModel, language: PromptLanguage): number {
  const empty: SessionMemoryInput = { sources: [], earlier: '…' }
  return roomBeside(model, sessionMemoryPrompt.render(empty, language))
}

/** A session's turns, in parts that the model's window holds; one, if it can be. A turn that alone is too long is cut in pieces. */
function partsOf(
  model: AskModel,
  sources: readonly SummarySource[],
  language: PromptLanguage,
): SummarySource[][] {
  const room = roomFor(model, language)
  const costOf = ({ text }: SummarySource): number => estimateTokens(text) + TOKENS_A_LINE
  const whole = sources.reduce((sum, source) => sum + costOf(source), 0)
  if (whole <= room) return [[...sources]]
  const most = Math.max(1, Math.floor(room * (1 - EARLIER_SHARE)) - TOKENS_A_LINE)
  const pieces = sources.flatMap((source) =>
    cutToFit(source.text, most, estimateTokens).map((text) => ({ ...source, text })),
  )
  return packToFit(pieces, most + TOKENS_A_LINE, costOf)
}

/** The last of what was written so far: it only helps to understand, and is kept whatever is shown of it. */
function latest(written: string, model: AskModel, language: PromptLanguage): string {
  const most = Math.floor(roomFor(model, language) * EARLIER_SHARE)
  return cutToFit(written, most, estimateTokens).at(-1) ?? ''
}

/** Sections of the same name put together in the order of the parts, each sentence once. */
function joined(told: readonly ToldPart[], parts: readonly (readonly SummarySource[])[]): Summary | null {
  const sections = new Map<string | null, ToldSection['sentences'][number][]>()
  let before = 0
  for (const [at, part] of parts.entries()) {
    for (const { label, sentences } of told[at]?.sections ?? []) {
      const known = sections.get(label) ?? []
      const fresh = sentences.filter(({ text }) => known.every((one) => one.text !== text))
      const offset = before
      sections.set(label, [
        ...known,
        ...fresh.map((one) => ({ ...one, turns: inPart(one.turns, part, offset) })),
      ])
    }
    before += part.length
  }
  const all = [...sections].map(([label, sentences]) => ({ label, sentences }))
  return supportedSummary(all, parts.flat(), Number.POSITIVE_INFINITY)
}

/** Numbers of a part's lines as those of the whole; such as no line has are left out. */
function inPart(turns: readonly number[], part: readonly SummarySource[], offset: number): number[] {
  return turns.filter((number) => isLine(number, part.length)).map((number) => number + offset)
}

function countTurns(
  some: readonly SummarySource[],
  all: readonly SummarySource[],
): { count: number; of: number } {
  const turns = (sources: readonly SummarySource[]): number => new Set(sources.map(({ turn }) => turn)).size
  return { count: turns(some), of: turns(all) }
}
