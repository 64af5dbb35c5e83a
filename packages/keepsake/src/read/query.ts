import {
  InvalidInputError,
  callsBy,
  findTerms,
  describeValue,
  isAddressedAs,
  isGivenAs,
  joinNames,
  readPossibleNames,
  readTime,
  readTimeZone,
  simplifyChinese,
  type CountTokens,
  type Span,
  type TalkNames,
} from '@keepsake/text'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import type { MemoryForm, MemoryType } from '../memories/memory.ts'
import { type MetadataFilter, readMetadataFilter, inCategories } from '../metadata/metadata-filter.ts'
import type { Role } from '../turns/turn.ts'
import { countUsers, speakerNames } from '../retrieval/search-question.ts'
import type { RecallOptions } from '../retrieval/recall-types.ts'
import { readSpan, type SpanFilters } from '../memories/time-span.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { Engine } from '../work/engine.ts'
import type { ResolvedScope } from '../work/scope-handle.ts'

/** A question with its options, checked. */
export interface RecallQuery extends SpanFilters {
  /** The part of it that is read: see {@link readInPart}. */
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
  /** Whether the agent's blocks stand ahead of what is found. */
  readonly blocks: boolean
}

/** A question with the engine and the scopes that answer it. */
export interface RecallRequest {
  readonly engine: Engine
  readonly resolved: ResolvedScope
  readonly query: RecallQuery
  /** What the user and the agent are called, if it was read before. */
  readonly names?: TalkNames | undefined
  /** For calls of models. */
  readonly options: { readonly abortSignal?: AbortSignal }
}

const DEFAULT_TOKENS = 1_000
const MOST_TOKENS = 10_000_000
const MOST_MEMORIES = 1_000

export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

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

/** Forms a recall may name: those the preset recalls, notes and blocks. Others are not in the index. */
function readForms(engine: Engine, forms: readonly MemoryForm[] | undefined): readonly MemoryForm[] | null {
  const { name, recalls } = engine.preset
  const named: readonly MemoryForm[] = [...recalls, 'note', 'block']
  const other = forms?.find((form) => !named.includes(form))
  if (other !== undefined) {
    throw new InvalidInputError(
      `forms names "${other}", but preset ${name} recalls ${LIST.format(named)}. Others can be listed with memories() and story().`,
    )
  }
  return forms ?? null
}

/** @throws InvalidInputError for an option out of its range */
export function readRecallQuery(
  engine: Engine,
  question: string,
  options: RecallOptions & { readonly shownTurns?: readonly string[] },
): RecallQuery {
  if (typeof question !== 'string')
    throw new InvalidInputError(`The question must be a string, but it is ${describeValue(question)}.`)
  if (question.trim() === '') throw new InvalidInputError('The question is empty: ask in words.')
  const timeZone = options.timeZone === undefined ? null : readTimeZone(options.timeZone, 'timeZone')
  const span = (name: 'said' | 'during'): Span | null =>
    options[name] === undefined ? null : readSpan(options[name], name, timeZone)
  return {
    text: simplifyChinese(readInPart(question).toWellFormed()),
    limit: readCount(options.limit, engine.preset.use.limit, 'limit', MOST_MEMORIES),
    tokens: readCount(options.tokens, DEFAULT_TOKENS, 'tokens', MOST_TOKENS),
    now: options.now === undefined ? engine.now() : readTime(options.now, 'now'),
    asOf: options.asOf === undefined ? null : readTime(options.asOf, 'asOf'),
    types: options.types ?? null,
    forms: readForms(engine, options.forms),
    where: inCategories(engine.filing, readWhere(options), options.categories) ?? null,
    said: span('said'),
    during: span('during'),
    timeZone,
    speaker: options.speaker ?? null,
    shown: new Set((options.excludeTexts ?? []).map(oneLine)),
    shownTurns: new Set(options.shownTurns),
    countTokens: options.countTokens ?? engine.countTokens,
    profile: engine.preset.context === 'answer' && (options.profile ?? true) && options.asOf === undefined,
    blocks: (options.blocks ?? true) && options.asOf === undefined,
  }
}

const readWhere = ({ where }: RecallOptions): MetadataFilter | undefined =>
  where === undefined ? undefined : readMetadataFilter(where, 'where')

/** Characters of a question that are read. A longer text was pasted. */
export const MOST_READ = 4_000

/**
 * Cuts a question to the characters that are read: of one longer than {@link MOST_READ} its beginning and its end, half each. A
 * question about a pasted text stands before or after it, and so the cost of a recall is bounded.
 *
 * @param most characters kept at most, one more for the line between the halves
 * @example
 * readInPart('What does this say of Ann?\n…a book of a million characters…\nI mean her age.') // its first and last 2,000
 */
export function readInPart(text: string, most = MOST_READ): string {
  if (text.length <= most) return text
  const half = most / 2
  return `${text.slice(0, half)}\n${text.slice(-half)}`
}

/** From this number of characters on, reading a question takes milliseconds. What people type is shorter. */
const LONG_FROM = 1_000
/** From this number of memories on, presenting them takes milliseconds too. */
const MANY_FROM = 64

/**
 * Yields to the event loop between the parts of a recall that takes long, see {@link yieldToEventLoop}.
 *
 * @param memories number of memories found, where it is known
 * @returns whether it yielded
 */
export async function yieldBetweenParts(text: string, memories = 0): Promise<boolean> {
  const isMuch = text.length >= LONG_FROM || memories >= MANY_FROM
  if (isMuch) await yieldToEventLoop()
  return isMuch
}

/** Latest turns with a name that are read for how the two address each other. */
const MAX_NAMING_TURNS = 12

/**
 * Finds what the user and the agent are called: by the scope's keys, the labels of their turns, facts, and, of the names in the question,
 * by how they address each other in talk.
 */
export function findNames({ query, resolved, names }: RecallRequest, state: UserState): TalkNames {
  if (names !== undefined) return names
  const { rows, scopes } = resolved
  const facts = state.namingFacts(new Set(scopes))
  const valuesOf = (subject: string): string[] =>
    facts.flatMap((fact) => (fact.subject === subject && fact.value !== null ? [fact.value] : []))
  const known = joinNames(
    {
      self: [...rows.slice(0, 1).map(({ user }) => user), ...valuesOf('user')],
      agent: [...rows.flatMap(({ agent }) => agent ?? []), ...valuesOf('agent')],
    },
    speakerNames(state.index),
  )
  if (countUsers(state.index) > 1) return known
  const all = [...known.self, ...known.agent]
  const unknown = readPossibleNames(query.text).filter((name) => !callsBy(name, all))
  const called = unknown.map((name) => findCalled(state, name))
  return called.reduce(joinNames, known)
}

/** Finds whose name it is by how the two address each other; no one's if they only mention it. */
function findCalled({ index, turns }: UserState, name: string): TalkNames {
  const terms = findTerms(name)
  const turnsOf = (role: Role): string[] => index.latestTurnsWith(terms, role, MAX_NAMING_TURNS)
  const textOf = (id: string): string => simplifyChinese(turns.get(id)?.text ?? '')
  const isOfUser: TalkNames = { self: [name], agent: [] }
  if (isAddressedAs(name, turnsOf('assistant').map(textOf))) return isOfUser
  const saidByUser = turnsOf('user')
  const [given = ''] = saidByUser
  const question = index.turnBefore(given) ?? ''
  if (isGivenAs(name, textOf(question), textOf(given))) return isOfUser
  return { self: [], agent: isAddressedAs(name, saidByUser.map(textOf)) ? [name] : [] }
}
