// Checks the options of each call of a scope, so that a misspelt option is refused with a suggestion.
import type { MemoryEdit } from './change/change-memories.ts'
import type { NoteOptions } from './change/keep-note.ts'
import type { AddFactOptions } from './change/state-memory.ts'
import type { BlockEdit, BlockOptions } from './change/write-block.ts'
import type { AboutOptions } from './entities/list-entities.ts'
import type { EraseTarget } from './erase/erase-memories.ts'
import { describeValue, InvalidInputError, requireKnownOptions } from '@keepsake/text'
import { MEMORY_FORMS, MEMORY_STATUSES, MEMORY_TYPES } from './memories/memory.ts'
import type { ForgettingOptions } from './forget/run-forgetting.ts'
import type { CountFilter, LogFilter, MemoryFilter } from './inspect/list-memories.ts'
import type { StateOptions } from './inspect/read-state.ts'
import type { StrengthOptions } from './inspect/list-strengths.ts'
import type { DueOptions } from './inspect/list-due.ts'
import type { TurnFilter, TurnPageOptions } from './inspect/list-turns.ts'
import type { PageOptions } from './inspect/page.ts'
import type { RememberOptions } from './remember/record-turns.ts'
import type { ReplyOptions } from './read/reply.ts'
import type { ForgetAboutOptions } from './requests/forget-about.ts'
import type { JobFilter, ScopeFilter } from './store/store.ts'
import { RECALL_OPTIONS } from './retrieval/recall-types.ts'

/** Lists all options of a call. An option that is added to the type must be listed too, or this file does not compile. */
type AllOptions<Options> = Readonly<Record<keyof Options, true>>

const PAGE_OPTIONS = { limit: true, cursor: true, newestFirst: true } satisfies AllOptions<PageOptions>
/** Options of a recall that a reply does not have. */
const NOT_FOR_REPLIES = ['types', 'forms', 'asOf']
const REPLY_OPTIONS = {
  session: true,
  instructions: true,
  agent: true,
  remember: true,
  describe: true,
  tools: true,
  maxSteps: true,
} satisfies Partial<AllOptions<ReplyOptions>>

const COUNT_OPTIONS = {
  exactScope: true,
  statuses: true,
  forms: true,
  types: true,
  session: true,
  ids: true,
  names: true,
  where: true,
  categories: true,
  subject: true,
  key: true,
  pinned: true,
  contains: true,
  said: true,
  during: true,
  timeZone: true,
  validAt: true,
  learnedFrom: true,
  learnedTo: true,
} satisfies AllOptions<CountFilter>

const OPTIONS = {
  recall: RECALL_OPTIONS,
  reply: [...RECALL_OPTIONS.filter((name) => !NOT_FOR_REPLIES.includes(name)), ...Object.keys(REPLY_OPTIONS)],
  remember: namesOf<RememberOptions>({
    session: true,
    id: true,
    remember: true,
    describe: true,
    abortSignal: true,
  }),
  note: namesOf<NoteOptions>({ name: true, metadata: true, maskMetadata: true, session: true, at: true }),
  addFact: namesOf<AddFactOptions>({
    type: true,
    subject: true,
    key: true,
    value: true,
    category: true,
    evidence: true,
    at: true,
    until: true,
    metadata: true,
  }),
  writeBlock: namesOf<BlockOptions>({ limit: true, evidence: true }),
  editBlock: namesOf<BlockEdit>({
    find: true,
    replace: true,
    insert: true,
    line: true,
    rename: true,
    evidence: true,
  }),
  edit: namesOf<MemoryEdit>({ text: true, value: true, type: true, at: true, until: true, metadata: true }),
  erase: namesOf<EraseTarget>({ everything: true, memories: true, turns: true, sessions: true }),
  forgetAbout: namesOf<ForgetAboutOptions>({ dryRun: true }),
  runForgetting: namesOf<ForgettingOptions>({
    dryRun: true,
    keep: true,
    capacity: true,
    policy: true,
    limit: true,
  }),
  strengths: namesOf<StrengthOptions>({
    keep: true,
    capacity: true,
    policy: true,
    limit: true,
    offset: true,
  }),
  about: namesOf<AboutOptions>({ depth: true, at: true }),
  due: namesOf<DueOptions>({ from: true, to: true, timeZone: true, limit: true }),
  state: namesOf<StateOptions>({ subject: true }),
  memories: namesOf<MemoryFilter>({
    ...COUNT_OPTIONS,
    order: true,
    newestFirst: true,
    after: true,
    skip: true,
    limit: true,
  }),
  countMemories: Object.keys(COUNT_OPTIONS),
  turns: namesOf<TurnFilter>({
    exactScope: true,
    session: true,
    ids: true,
    where: true,
    after: true,
    limit: true,
  }),
  turnPage: namesOf<TurnPageOptions>({ ...PAGE_OPTIONS, session: true, order: true }),
  sessionPage: Object.keys(PAGE_OPTIONS),
  scopes: namesOf<ScopeFilter>({ tenant: true, user: true, owner: true, after: true, limit: true }),
  jobs: namesOf<JobFilter>({ owner: true, state: true, after: true, limit: true }),
  log: namesOf<LogFilter>({ after: true, before: true, kinds: true, newestFirst: true, limit: true }),
}

const BOOLEANS: ReadonlySet<string> = new Set(
  'dryRun everything exactScope newestFirst pinned profile blocks reinforce remember describe maskMetadata'.split(
    ' ',
  ),
)
/** Options that are lists of texts, with the allowed texts; `null` allows any text. */
const LISTS: Readonly<Record<string, readonly string[] | null>> = {
  forms: MEMORY_FORMS,
  types: MEMORY_TYPES,
  statuses: MEMORY_STATUSES,
  memories: null,
  turns: null,
  sessions: null,
  ids: null,
  names: null,
  categories: null,
}

/** Refuses unknown options and values of a wrong type. @throws InvalidInputError with a suggestion */
export function requireCallOptions(call: keyof typeof OPTIONS, given: object): void {
  requireKnownOptions(given, OPTIONS[call], `${call}()`)
  for (const [name, value] of Object.entries(given)) requireType(`${name} of ${call}()`, name, value)
}

/** @param description the option and its call, for messages */
function requireType(description: string, name: string, value: unknown): void {
  const isList = Object.hasOwn(LISTS, name)
  if (value === undefined || (value === null && !isList)) return
  if (BOOLEANS.has(name) && typeof value !== 'boolean')
    throw new InvalidInputError(`${description} must be true or false, but it is ${describeValue(value)}.`)
  if (!isList) return
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string'))
    throw new InvalidInputError(`${description} must be a list of texts, but it is ${describeValue(value)}.`)
  const allowed = LISTS[name] ?? value
  const unknown: string | undefined = value.find((item) => !allowed.includes(item))
  if (unknown !== undefined)
    throw new InvalidInputError(`${description} has no "${unknown}". There are: ${allowed.join(', ')}.`)
}

function namesOf<Options>(all: AllOptions<Options>): readonly string[] {
  return Object.keys(all)
}
