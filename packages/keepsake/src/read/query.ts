// Checks the options of a recall, and finds the names of the user and the agent in a question.
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

/** A question with its checked options. */
export interface RecallQuery extends SpanFilters {
  /** The question, shortened by {@link readInPart}. */
  readonly text: string
  readonly limit: number
  /** Maximum tokens of the composed context. */
  readonly tokens: number
  readonly now: number
  readonly asOf: number | null
  readonly types: readonly MemoryType[] | null
  readonly forms: readonly MemoryForm[] | null
  readonly where: MetadataFilter | null
  readonly timeZone: string | null
  readonly speaker: string | null
  /** Texts that the prompt already shows, on one line each. */
  readonly shown: ReadonlySet<string>
  /** Ids of turns that the prompt already shows: the conversation that a reply continues. */
  readonly shownTurns: ReadonlySet<string>
  readonly countTokens: CountTokens
  /** Whether the context begins with the profile. */
  readonly profile: boolean
  /** Whether the context begins with the agent's blocks. */
  readonly blocks: boolean
}

/** A question with the engine and the scopes that answer it. */
export interface RecallRequest {
  readonly engine: Engine
  readonly resolved: ResolvedScope
  readonly query: RecallQuery
  /** Names of the user and the agent, if {@link findNames} has found them before. */
  readonly names?: TalkNames | undefined
  /** Options for calls of models. */
  readonly options: { readonly abortSignal?: AbortSignal }
}

const DEFAULT_TOKENS = 1_000
const MAX_TOKENS = 10_000_000
const MAX_MEMORIES = 1_000

export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

function readCount(value: number | undefined, fallback: number, name: string, maximum: number): number {
  const count = value ?? fallback
  if (!Number.isInteger(count) || count < 1 || count > maximum) {
    throw new InvalidInputError(
      `${name} must be a whole number from 1 to ${maximum}, but it is ${describeValue(value)}.`,
    )
  }
  return count
}

const LIST = new Intl.ListFormat('en-GB')

/** Checks the forms that a recall names. The index holds only those that the preset recalls, notes and blocks. */
function readForms(engine: Engine, forms: readonly MemoryForm[] | undefined): readonly MemoryForm[] | null {
  const { name, recalls } = engine.preset
  const indexed: readonly MemoryForm[] = [...recalls, 'note', 'block']
  const unknown = forms?.find((form) => !indexed.includes(form))
  if (unknown !== undefined) {
    throw new InvalidInputError(
      `forms names "${unknown}", but preset ${name} recalls ${LIST.format(indexed)}. Others can be listed with memories() and story().`,
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
    limit: readCount(options.limit, engine.preset.use.limit, 'limit', MAX_MEMORIES),
    tokens: readCount(options.tokens, DEFAULT_TOKENS, 'tokens', MAX_TOKENS),
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

/** Maximum characters of a question that are read. A longer question contains pasted text. */
export const MAX_QUESTION_LENGTH = 4_000

/**
 * Cuts a long question to its first and its last characters, half of the limit each. This bounds the cost of a recall. The question
 * itself stays, because it usually stands before or after the pasted text.
 *
 * @param limit maximum characters, without the line break between the halves
 * @example
 * readInPart('What does this say of Ann?\n…a book of a million characters…\nI mean her age.') // its first and last 2,000
 */
export function readInPart(text: string, limit = MAX_QUESTION_LENGTH): string {
  if (text.length <= limit) return text
  const half = limit / 2
  return `${text.slice(0, half)}\n${text.slice(-half)}`
}

/** From this number of characters on, reading a question takes milliseconds. Typed questions are shorter. */
const LONG_QUESTION = 1_000
/** From this number of memories on, presenting them takes milliseconds. */
const MANY_MEMORIES = 64

/**
 * Yields to the event loop between the parts of a long recall, see {@link yieldToEventLoop}.
 *
 * @param memories number of memories found, if it is known
 * @returns whether it yielded
 */
export async function yieldBetweenParts(text: string, memories = 0): Promise<boolean> {
  const isLong = text.length >= LONG_QUESTION || memories >= MANY_MEMORIES
  if (isLong) await yieldToEventLoop()
  return isLong
}

/** Maximum turns of each speaker in which a name is examined, the latest ones. */
const MAX_NAMING_TURNS = 12

/**
 * Finds the names of the user and the agent. Sources are the scope's keys, the labels of their turns, and facts. A name in the
 * question belongs to the user if the agent addresses the user by it, and the other way round.
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
  // Where several users share the memory, “you, Ann” may address any of them.
  if (countUsers(state.index) > 1) return known
  const knownNames = [...known.self, ...known.agent]
  const otherNames = readPossibleNames(query.text).filter((name) => !callsBy(name, knownNames))
  return otherNames.map((name) => nameOwner(state, name)).reduce(joinNames, known)
}

/** Caches for each user whether a name is the user's or the agent's. A new revision of the user empties the cache. */
const nameOwners = new WeakMap<
  UserState,
  { readonly revision: number; readonly owners: Map<string, TalkNames> }
>()
/** Maximum number of names that are cached for a user. */
const MAX_NAMES = 1_000

/** Calls {@link findNameOwner} once for each name. */
function nameOwner(state: UserState, name: string): TalkNames {
  const { revision } = state
  let known = nameOwners.get(state)
  if (known?.revision !== revision || known.owners.size >= MAX_NAMES) known = { revision, owners: new Map() }
  nameOwners.set(state, known)
  const owner = known.owners.get(name) ?? findNameOwner(state, name)
  known.owners.set(name, owner)
  return owner
}

/** Finds whether a name is the user's or the agent's. It is neither's if the two only mention it. */
function findNameOwner({ index, turns }: UserState, name: string): TalkNames {
  const terms = findTerms(name)
  const turnsOf = (role: Role): string[] => index.latestTurnsWith(terms, role, MAX_NAMING_TURNS)
  const textOf = (id: string): string => simplifyChinese(turns.get(id)?.text ?? '')
  const isOfUser: TalkNames = { self: [name], agent: [] }
  if (isAddressedAs(name, turnsOf('assistant').map(textOf))) return isOfUser
  const saidByUser = turnsOf('user')
  const [firstTurn = ''] = saidByUser
  const question = index.turnBefore(firstTurn) ?? ''
  if (isGivenAs(name, textOf(question), textOf(firstTurn))) return isOfUser
  return { self: [], agent: isAddressedAs(name, saidByUser.map(textOf)) ? [name] : [] }
}
