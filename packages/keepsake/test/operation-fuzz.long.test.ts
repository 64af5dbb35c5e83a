import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyDecisions } from '../src/merge/apply-decisions.ts'
import type { Segment } from '../src/extraction/extractor.ts'
import type { Candidate, ProposedOperation } from '../src/memories/candidate.ts'
import { makeMemory } from '../src/memories/memory-fixture.ts'
import { changeFromBlank, projectLog } from '../src/memories/apply-operation.ts'
import { ChangeSet, undoOperation } from '../src/memories/change-set.ts'
import { decideOperations } from '../src/merge/decide-operations.ts'
import type { Memory, PastVersion } from '../src/memories/memory.ts'
import type { NewOperation } from '../src/memories/operation.ts'
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts'
import { commit, commitOf, turnOf } from '../src/store/contract/samples.ts'

const ANSWERS = 4_000
/** As many answers go through a real store: it must keep what the change set says. */
const STORED_ANSWERS = 300

const ORIGIN = { preset: 'test', step: 'fuzz/1', promptVersion: 'fuzz/1', model: 'random' }
const TURNS = ['t1', 't2', 't3']
const SHOWS = /[^\p{C}\p{Z}]/u
const SEGMENT: Segment = { scope: 1, session: 's1', sessionNumber: 1, round: 3, turns: [] }

/** Few enough that answers repeat and contradict each other and what is known. */
const sentence = fc.constantFrom(
  'The user lives in Lyon.',
  'the user lives in lyon',
  'The user does not live in Lyon.',
  'The user lives in Lyon, France.',
  'The user has a dog called Rex.',
  'Anna is 用户 的姐姐。',
  '用户不住在北京',
  '🎂',
)
const rubbish = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\n\t',
    '\u0000',
    '\u200b\u2060',
    '\ud83d',
    'x\udc00y',
    'a\u0000b\u0007',
    '\u2028',
  ),
  fc
    .array(fc.integer({ min: 0, max: 0xff_ff }), { maxLength: 6 })
    .map((units) => String.fromCharCode(...units)),
  fc.string({ unit: 'binary', maxLength: 12 }),
)
const text = fc.oneof({ weight: 8, arbitrary: sentence }, { weight: 1, arbitrary: rubbish })
const wildNumber = fc.oneof(
  fc.constantFrom(Number.NaN, Infinity, -Infinity, -0, 0.5, 1.000_001, 2 ** 53, 8.64e15 + 1, -1e300),
  fc.double(),
)
const index = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 4 }) },
  { weight: 1, arbitrary: wildNumber },
)
const time = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 0, max: 60 }) },
  { weight: 1, arbitrary: wildNumber },
)
const turn = fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...TURNS) }, { weight: 1, arbitrary: rubbish })
const quote = fc.oneof(
  { weight: 8, arbitrary: fc.option(sentence, { nil: null }) },
  { weight: 1, arbitrary: rubbish },
)
const evidence = fc.array(fc.record({ turn, quote }), { maxLength: 3 })
const key = fc.constantFrom(null, 'residence', 'pet')

const candidate: fc.Arbitrary<Candidate> = fc.record({
  form: fc.constantFrom('fact' as const),
  type: fc.constantFrom('persona', 'event', 'relationship'),
  subject: fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom('user', 'user', 'user', 'Anna') },
    { weight: 1, arbitrary: rubbish },
  ),
  text,
  searchWords: fc.constantFrom('', 'hobby art'),
  key,
  value: fc.option(text, { nil: null }),
  level: fc.constant(0),
  evidence,
  validFrom: time,
  validUntil: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: time }),
  signals: fc.constant({ arousal: null, surprise: null, importance: null }),
  label: fc.constant('user-confirmed' as const),
})

const answer: fc.Arbitrary<ProposedOperation[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('add' as const), candidate }),
    fc.record({ kind: fc.constant('modify' as const), index, candidate }),
    fc.record({
      kind: fc.constant('delete' as const),
      index,
      why: fc.constantFrom('asked', 'no-longer-so'),
      at: time,
      evidence,
    }),
  ),
  { maxLength: 8, size: 'max' },
)

/** A memory with a past in order, as every earlier operation left it. */
const knownMemory: fc.Arbitrary<Memory> = fc
  .record({
    text: sentence,
    times: fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 4 }),
    pastTexts: fc.array(sentence, { minLength: 3, maxLength: 3 }),
    isOver: fc.boolean(),
    status: fc.oneof(
      { weight: 4, arbitrary: fc.constant('live' as const) },
      { weight: 1, arbitrary: fc.constantFrom('deleted', 'forgotten', 'quarantined') },
    ),
    form: fc.constantFrom('fact', 'fact', 'fact', 'fact', 'summary'),
    pinned: fc.constantFrom(false, false, false, true),
    subject: fc.constantFrom('user', 'user', 'user', 'Anna'),
    key,
    value: fc.option(sentence, { nil: null }),
  })
  .map(({ times, pastTexts, isOver, ...traits }) => {
    const inTime = times.sort((one, other) => one - other)
    const validFrom = inTime.at(-1) ?? 0
    const past = inTime.slice(0, -1).map((from, place): PastVersion => ({
      text: pastTexts[place] ?? '',
      value: null,
      validFrom: from,
      validUntil: inTime[place + 1] ?? from,
      evidence: [{ turn: 't1', quote: null }],
    }))
    const known = [{ turn: 't1', quote: null }]
    return makeMemory({
      ...traits,
      past,
      validFrom,
      validUntil: isOver ? validFrom + 5 : null,
      evidence: known,
    })
  })

const known = fc
  .array(knownMemory, { minLength: 1, maxLength: 6, size: 'max' })
  .map((memories) =>
    memories.map((memory, place): Memory => ({ ...memory, id: `m${place}`, origin: ORIGIN })),
  )

/** What stands before the answer, as a log that yields it. */
function logOf(memories: readonly Memory[], scope: number): NewOperation[] {
  return memories.map((memory) => ({
    id: `add-${memory.id}`,
    scope,
    kind: 'add',
    memory: memory.id,
    at: 0,
    origin: ORIGIN,
    parent: null,
    undoes: null,
    touched: [],
    sessionNumber: 1,
    round: 1,
    payload: { before: null, after: changeFromBlank(memory) },
  }))
}

function freeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    Object.values(value).forEach(freeze)
  }
  return value
}

/** Every string in a value, keys left out. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

interface Given {
  readonly before: readonly Memory[]
  /** How many of them the model was shown: the first. */
  readonly shown: number
  readonly operations: readonly ProposedOperation[]
}

interface Outcome {
  readonly changes: ChangeSet
  readonly log: readonly NewOperation[]
  readonly decided: ReturnType<typeof decideOperations>
}

function carryOut({ before, shown, operations }: Given, scope = 1): Outcome {
  const log = logOf(before, scope)
  const memories = projectLog(log)
  let made = 0
  const changes = new ChangeSet(
    { scope, at: 1_000, sessionNumber: 1, round: 3 },
    () => `n${(made += 1)}`,
    (id) => memories.get(id),
  )
  const seen = [...memories.values()].slice(0, shown)
  const decided = decideOperations(freeze(operations), freeze(seen))
  // Nothing here rests on turns besides the memories themselves.
  const state = { memoriesOfTurn: () => (function* () {})(), utteranceOf: () => undefined }
  applyDecisions({ changes, state }, decided.decisions, SEGMENT, ORIGIN)
  return { changes, log: [...log, ...changes.operations], decided }
}

function requireSaneTimes({ validFrom, validUntil, past }: Memory): void {
  for (const { validFrom: from, validUntil: until } of [...past, { validFrom, validUntil }]) {
    expect(Number.isNaN(new Date(from).getTime())).toBe(false)
    if (until === null) continue
    expect(Number.isNaN(new Date(until).getTime())).toBe(false)
    expect(until).toBeGreaterThanOrEqual(from)
  }
  const spans = [...past, { validFrom, validUntil }]
  for (const [place, { validFrom: from }] of spans.entries())
    if (place > 0) expect(spans[place - 1]?.validUntil).toBeLessThanOrEqual(from)
}

/** Whether somebody asked, with evidence, to drop this memory. */
function wasAsked({ shown, operations }: Given, memory: string): boolean {
  return operations.some(
    (one) =>
      one.kind === 'delete' &&
      one.why === 'asked' &&
      one.evidence.length > 0 &&
      one.index <= shown &&
      `m${one.index - 1}` === memory,
  )
}

function requireAllowed(given: Given, before: Memory, after: Memory): void {
  if (before.status !== 'live') expect(after).toEqual(before)
  else if (after.status !== 'live') {
    expect(after).toMatchObject({ status: 'deleted', text: before.text })
    expect(wasAsked(given, before.id)).toBe(true)
  } else if (before.form !== 'fact') expect(after).toEqual(before)
  else if (before.pinned) expect(after).toEqual({ ...before, evidence: after.evidence })
  else if (before.text !== after.text || before.validFrom !== after.validFrom) {
    const isRefined = after.validFrom === before.validFrom && after.past.length === before.past.length
    expect(isRefined || after.past.some(({ text: old }) => old === before.text)).toBe(true)
    expect(after.validFrom).toBeGreaterThanOrEqual(before.validFrom)
  }
}

function requireInvariants(given: Given, { changes, log, decided }: Outcome): void {
  const seen = new Set(given.before.slice(0, given.shown).map(({ id }) => id))
  const projected = projectLog(log)
  expect(new Set(log.map(({ id }) => id)).size).toBe(log.length)
  for (const memory of changes.memories) {
    expect(memory.id.startsWith('n') || seen.has(memory.id)).toBe(true)
    expect(projected.get(memory.id)).toEqual(memory)
    expect(stringsIn(memory).every((one) => one.isWellFormed())).toBe(true)
    if (memory.status === 'live') expect(memory.text).toMatch(SHOWS)
    if (memory.id.startsWith('n')) expect(memory.label).toBe('user-confirmed')
    requireSaneTimes(memory)
  }
  const added = changes.operations.filter(({ kind }) => kind === 'add').map(({ memory }) => memory)
  expect(projected.size).toBe(given.before.length + added.length)
  for (const memory of given.before) {
    const after = projected.get(memory.id)
    if (after === undefined) throw new Error('a memory went without a trace')
    requireAllowed(given, memory, after)
  }
  const effective = decided.decisions.filter(
    (decision) => decision.kind !== 'confirm' || decision.evidence.length > 0,
  )
  expect(changes.operations).toHaveLength(effective.length)
  for (const { operation, reason } of decided.rejected) {
    expect(given.operations).toContain(operation)
    expect(reason).toMatch(/^[a-z, ]+$/)
  }
}

/** Undone latest first, everything is as it was, but for what the answer added, which is deleted. */
function requireUndoable(given: Given, { changes, log }: Outcome): void {
  const before = projectLog(log.slice(0, given.before.length))
  for (const [place, operation] of changes.operations.toReversed().entries())
    undoOperation(changes, { ...operation, sequence: place }, [], ORIGIN)
  for (const memory of changes.memories) {
    const stood = before.get(memory.id)
    if (stood === undefined) expect(memory.status).toBe('deleted')
    else expect(memory).toEqual(stood)
  }
}

const given = fc
  .record({ before: known, operations: answer, hidden: fc.nat({ max: 1 }) })
  .map(({ before, operations, hidden }): Given => {
    return { before, operations, shown: Math.max(0, before.length - hidden) }
  })

describe('random malformed operation answers', () => {
  it(`leave every invariant standing, ${ANSWERS.toLocaleString('en')} times`, () => {
    const kinds = new Map<string, number>()
    fc.assert(
      fc.property(given, (one) => {
        const outcome = carryOut(one)
        requireInvariants(one, outcome)
        for (const { kind } of outcome.decided.decisions) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
        kinds.set('rejected', (kinds.get('rejected') ?? 0) + outcome.decided.rejected.length)
        requireUndoable(one, outcome)
      }),
      { numRuns: ANSWERS },
    )
    // That the answers were no mere rubbish: each kind of decision was come to many times.
    for (const kind of ['add', 'modify', 'delete', 'confirm', 'rejected'])
      expect(kinds.get(kind)).toBeGreaterThan(ANSWERS / 20)
  })

  it('are kept by a store as the change set has them, with every turn', async () => {
    const store = await openSqliteStore({ path: ':memory:' })
    let person = 0
    await fc.assert(
      fc.asyncProperty(given, async (one) => {
        const scope = await store.ensureScope({
          tenant: 'default',
          user: `u${(person += 1)}`,
          agent: null,
          app: null,
        })
        const { owner } = scope
        for (const id of TURNS) await store.append(turnOf(scope, id, `words of ${id}`))
        const { changes, log } = carryOut(one, scope.scope)
        const nothing = commitOf(scope, [])
        const start = log.slice(0, one.before.length)
        await commit(store, { ...nothing, operations: start, memories: [...projectLog(start).values()] })
        const { operations, memories } = changes
        const committed = await commit(store, { ...nothing, operations, memories })
        expect(committed.outcome).toBe('committed')
        const kept = (await store.listMemories({ userId: owner })).map(({ memory }) => memory)
        expect(kept).toEqual([...projectLog(log).values()])
        expect([...projectLog(await store.listOperations({ userId: owner })).values()]).toEqual(kept)
        expect(await store.listTurns({ userId: owner })).toHaveLength(TURNS.length)
      }),
      { numRuns: STORED_ANSWERS },
    )
    await store.close()
  })
})
