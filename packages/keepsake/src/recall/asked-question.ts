import { InvalidInputError, describeValue, readTime, readTimeZone, type CountTokens } from '@keepsake/text'
import type { MemoryForm, MemoryType } from '../memories/memory.ts'
import type { MetadataFilter } from '../metadata/metadata-filter.ts'
import { readMetadataFilter } from '../metadata/read-filter.ts'
import type { RecallOptions } from '../retrieval/recall-types.ts'
import type { Engine } from '../work/engine.ts'
import type { TurnReader } from '../work/read-memories.ts'
import type { ResolvedScope } from '../work/resolve-scope.ts'
import { readInPart } from './read-in-part.ts'

/** A question as read at the boundary. */
export interface AskedQuestion {
  /** As much of it as is read: see {@link readInPart}. */
  readonly text: string
  readonly limit: number
  /** Budget of the composed context. */
  readonly tokens: number
  readonly now: number
  readonly asOf: number | null
  readonly types: readonly MemoryType[] | null
  readonly forms: readonly MemoryForm[] | null
  readonly where: MetadataFilter | null
  readonly timeZone: string | null
  readonly speaker: string | null
  /** Texts that are shown anyway, on one line each. */
  readonly shown: ReadonlySet<string>
  /** Ids of turns that are shown anyway, where they are known: the talk that a reply goes on. */
  readonly shownTurns: ReadonlySet<string>
  readonly countTokens: CountTokens
  /** Whether the profile stands ahead of what is found. */
  readonly profile: boolean
}

/** A question on its way through recall, with what its answer is sought in. */
export interface Asking {
  readonly engine: Engine
  readonly resolved: ResolvedScope
  readonly asked: AskedQuestion
  readonly turns: TurnReader
  /** For calls of models. */
  readonly options: { readonly abortSignal?: AbortSignal }
}

const DEFAULT_TOKENS = 1_000
const MOST_TOKENS = 10_000_000
const MOST_MEMORIES = 1_000

/** Text as it is compared with what is shown: on one line. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

/** A whole number within bounds. */
function readCount(value: number | undefined, fallback: number, what: string, most: number): number {
  const count = value ?? fallback
  if (!Number.isInteger(count) || count < 1 || count > most) {
    throw new InvalidInputError(
      `${what} must be a whole number from 1 to ${most}, but it is ${describeValue(value)}.`,
    )
  }
  return count
}

const LIST = new Intl.ListFormat('en-GB')

/** Forms a recall may name: those the preset recalls, and notes. Others are not in the index. */
function readForms(engine: Engine, forms: readonly MemoryForm[] | undefined): readonly MemoryForm[] | null {
  const { name, recalls } = engine.preset
  const other = forms?.find((form) => form !== 'note' && !recalls.includes(form))
  if (other !== undefined) {
    throw new InvalidInputError(
      `forms names "${other}", but preset ${name} recalls ${LIST.format([...recalls, 'note'])}. Others can be listed with memories() and story().`,
    )
  }
  return forms ?? null
}

/** @throws InvalidInputError for an option out of its range */
export function readAskedQuestion(
  engine: Engine,
  question: string,
  options: RecallOptions & { readonly shownTurns?: readonly string[] },
): AskedQuestion {
  if (typeof question !== 'string')
    throw new InvalidInputError(`The question must be a string, but it is ${describeValue(question)}.`)
  return {
    text: readInPart(question).toWellFormed(),
    limit: readCount(options.limit, engine.preset.use.limit, 'limit', MOST_MEMORIES),
    tokens: readCount(options.tokens, DEFAULT_TOKENS, 'tokens', MOST_TOKENS),
    now: options.now === undefined ? engine.now() : readTime(options.now, 'now'),
    asOf: options.asOf === undefined ? null : readTime(options.asOf, 'asOf'),
    types: options.types ?? null,
    forms: readForms(engine, options.forms),
    where: options.where === undefined ? null : readMetadataFilter(options.where, 'where'),
    timeZone: options.timeZone === undefined ? null : readTimeZone(options.timeZone, 'timeZone'),
    speaker: options.speaker ?? null,
    shown: new Set((options.shown ?? []).map(oneLine)),
    shownTurns: new Set(options.shownTurns),
    countTokens: options.countTokens ?? engine.countTokens,
    profile: engine.preset.context === 'answer' && (options.profile ?? true) && options.asOf === undefined,
  }
}
