import type { MemoryEdit } from './change/change-memories.ts'
import type { NoteOptions } from './change/keep-note.ts'
import type { BlockEdit, BlockOptions } from './change/write-block.ts'
import type { AboutOptions } from './entities/list-entities.ts'
import type { EraseTarget } from './erase/erase-memories.ts'
import { describeValue, InvalidInputError, requireKnownOptions } from '@keepsake/text'
import { MEMORY_FORMS, MEMORY_STATUSES, MEMORY_TYPES } from './memories/memory.ts'
import type { ForgettingOptions } from './forget/run-forgetting.ts'
import type { CountFilter, LogFilter, MemoryFilter, TurnFilter } from './inspect/list-memories.ts'
import type { StateOptions } from './inspect/read-state.ts'
import type { StrengthOptions } from './inspect/list-strengths.ts'
import type { DueOptions } from './inspect/list-due.ts'
import type { TurnPageOptions } from './inspect/list-turns.ts'
import type { PageOptions } from './inspect/page.ts'
import type { RememberOptions } from './remember/record-turns.ts'
import type { ReplyOptions } from './read/reply.ts'
import type { ForgetAboutOptions } from './requests/confirm-request.ts'
import type { JobFilter, ScopeFilter } from './store/store.ts'
import { RECALL_OPTIONS } from './retrieval/recall-types.ts'

/** All options of a call, each once: one that is added to the type does not compile until it is here. */
type All<Options> = Readonly<Record<keyof Options, true>>

const WHERE_TO = { limit: true, cursor: true, newestFirst: true } satisfies All<PageOptions>
const NOT_FOR_REPLIES = ['types', 'forms', 'asOf']
const REPLY = {
  session: true,
  instructions: true,
  agent: true,
  remember: true,
  describe: true,
  tools: true,
  maxSteps: true,
} satisfies Partial<All<ReplyOptions>>

const COUNTED = {
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
} satisfies All<CountFilter>

const OPTIONS = {
  recall: RECALL_OPTIONS,
  reply: [...RECALL_OPTIONS.filter((name) => !NOT_FOR_REPLIES.includes(name)), ...Object.keys(REPLY)],
  remember: namesOf<RememberOptions>({
    session: true,
    id: true,
    remember: true,
    describe: true,
    abortSignal: true,
  }),
  note: namesOf<NoteOptions>({ name: true, metadata: true, maskMetadata: true, session: true, at: true }),
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
    ...COUNTED,
    order: true,
    newestFirst: true,
    after: true,
    skip: true,
    limit: true,
  }),
  countMemories: Object.keys(COUNTED),
  turns: namesOf<TurnFilter>({
    exactScope: true,
    session: true,
    ids: true,
    where: true,
    after: true,
    limit: true,
  }),
  turnPage: namesOf<TurnPageOptions>({ ...WHERE_TO, session: true, order: true }),
  sessionPage: Object.keys(WHERE_TO),
  scopes: namesOf<ScopeFilter>({ tenant: true, user: true, owner: true, after: true, limit: true }),
  jobs: namesOf<JobFilter>({ owner: true, state: true, after: true, limit: true }),
  log: namesOf<LogFilter>({ after: true, before: true, kinds: true, newestFirst: true, limit: true }),
}

const BOOLEANS: ReadonlySet<string> = new Set(
  'dryRun everything exactScope newestFirst pinned profile blocks reinforce remember describe maskMetadata'.split(
    ' ',
  ),
)
/** Options that are lists of texts, with the texts there are; `null`: any. */
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

/** Refuses what a call does not take. @throws InvalidInputError with the option that was likely meant */
export function requireCallOptions(call: keyof typeof OPTIONS, given: object): void {
  requireKnownOptions(given, OPTIONS[call], `${call}()`)
  for (const [name, value] of Object.entries(given)) requireKind(`${name} of ${call}()`, name, value)
}

function requireKind(what: string, name: string, value: unknown): void {
  if (value === undefined || value === null) return
  if (BOOLEANS.has(name) && typeof value !== 'boolean')
    throw new InvalidInputError(`${what} must be true or false, but it is ${describeValue(value)}.`)
  if (!Object.hasOwn(LISTS, name)) return
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string'))
    throw new InvalidInputError(`${what} must be a list of texts, but it is ${describeValue(value)}.`)
  const known = LISTS[name] ?? value
  const unknown: string | undefined = value.find((one) => !known.includes(one))
  if (unknown !== undefined)
    throw new InvalidInputError(`${what} has no "${unknown}". There are: ${known.join(', ')}.`)
}

function namesOf<Options>(all: All<Options>): readonly string[] {
  return Object.keys(all)
}
