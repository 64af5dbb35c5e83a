import { describe, expect, it } from 'vitest'
import { InvalidInputError, ModelError } from '@keepsake/text'
import { scriptedExtractor, type ScriptedExtractor } from '../extraction/extractor-fixture.ts'
import type { Candidate } from '../memories/candidate.ts'
import { ASKED_TO_FORGET } from '../memories/delete-memory.ts'
import { makeCandidate, makeFact } from '../memories/memory-fixture.ts'
import type { Memory } from '../memories/memory.ts'
import { scriptedModel } from '../models/adapters/scripted-language-model.ts'
import type { LanguageModel } from '../models/language-model.ts'
import { keepsake } from '../presets/keepsake.ts'
import type { FactBranch, Preset } from '../presets/preset.ts'
import type { JobRow } from '../store/store.ts'
import { makeTurn } from '../turns/turn-fixture.ts'
import type { Turn } from '../turns/turn.ts'
import {
  listen,
  openEngine,
  readTo,
  storedMemories,
  storeMemories,
  storeTurns,
  type TestScope,
} from '../work/engine-fixture.ts'
import { decideAndCommit } from '../work/unit-of-work.ts'
import { extractFacts, extractFactsAgain } from './extract-facts.ts'

const UNUSABLE = new ModelError('a poem', { code: 'model-answer', answer: 'Roses are red' })
const EVENT_SCOPE = { tenant: 'default', user: 'ana', agent: null, app: null }

interface Given {
  readonly turns?: readonly Partial<Turn>[]
  readonly memories?: readonly Memory[]
  readonly model?: LanguageModel
  readonly preset?: Partial<Preset>
  readonly every?: FactBranch['every']
}

async function open(extractor: ScriptedExtractor, given: Given = {}) {
  const {
    turns = [{ text: 'I live in Lyon.' }],
    memories = [],
    model,
    preset = {},
    every = { rounds: 1 },
  } = given
  const place = await openEngine({
    preset: { ...keepsake(), ...preset },
    ...(model === undefined ? {} : { model }),
  })
  await storeTurns(place, ...turns)
  await storeMemories(place, ...memories)
  const branch: FactBranch = { kind: 'facts', every, extractor }
  return { ...place, branch }
}

const draw = ({ engine, row, branch }: TestScope & { branch: FactBranch }, ending: string | null = null) =>
  extractFacts(engine, row, branch, { endingSession: ending, upTo: Number.POSITIVE_INFINITY })
const reached = async ({ engine, row }: TestScope) =>
  (await engine.users.load(row.owner)).progress(row.scope).branches['facts'] ?? 0
const facts = async (place: TestScope) =>
  (await storedMemories(place))
    .filter(({ form }) => form === 'fact')
    .map(({ text, status }) => [text, status])

const LYON = 'The user lives in Lyon.'
const lyon = (traits: Partial<Candidate> = {}) =>
  makeCandidate({
    text: LYON,
    evidence: [{ turn: 't1', quote: 'I live in Lyon' }],
    validFrom: makeTurn().at,
    ...traits,
  })
const nothing = () => scriptedExtractor(() => ({}))

describe('the segment that is read', () => {
  it('is of the rounds that were not read, with the last four turns of the same session before', async () => {
    const extractor = nothing()
    const said = Array.from({ length: 7 }, (_, at) => ({
      text: `said ${at + 1}`,
      session: at === 0 ? 's1' : 's2',
    }))
    const place = await open(extractor, { turns: said })
    await readTo(place, { facts: 6 })
    expect([await draw(place), await reached(place)]).toEqual([true, 7])
    const [asked] = extractor.asked
    expect(asked?.segment).toMatchObject({
      scope: place.row.scope,
      session: 's2',
      sessionNumber: 2,
      round: 7,
    })
    expect(asked?.segment.turns.map(({ id }) => id)).toEqual(['t7'])
    expect(asked?.segment.before?.map(({ id }) => id)).toEqual(['t3', 't4', 't5', 't6'])
    expect([asked?.ask, asked?.related]).toEqual([null, []])
    const early = nothing()
    const other = await open(early, { turns: said.slice(0, 3) })
    await readTo(other, { facts: 2 })
    await draw(other)
    expect(early.asked[0]?.segment.before?.map(({ id }) => id)).toEqual(['t2'])
  })

  it('waits until there are enough rounds', async () => {
    const extractor = nothing()
    const place = await open(extractor, { every: { rounds: 2 } })
    expect([await draw(place), await reached(place), extractor.asked]).toEqual([false, 0, []])
    expect([await draw(place, 's1'), extractor.asked.length]).toEqual([true, 1])
  })

  it('is without what was asked to be dropped, and is not read when nothing else is left', async () => {
    const dropped = (turn: string) =>
      makeFact({ id: turn, status: 'deleted', reason: ASKED_TO_FORGET, evidence: [{ turn, quote: null }] })
    const extractor = nothing()
    const place = await open(extractor, { turns: [{}, {}], memories: [dropped('t1')], every: { rounds: 2 } })
    await draw(place)
    expect(extractor.asked[0]?.segment.turns.map(({ id }) => id)).toEqual(['t2'])
    expect(extractor.asked[0]?.segment.before).toEqual([])
    const silent = nothing()
    const gone = await open(silent, { memories: [dropped('t1')] })
    expect([await draw(gone), await reached(gone), silent.asked]).toEqual([true, 1, []])
  })

  it('comes with as many facts as the extractor wants, and a way to the model where there is one', async () => {
    const extractor = scriptedExtractor(() => ({}), {
      related: { most: 1, tokens: 1_000 },
      prompt: 'segment/1',
    })
    const memories = [
      makeFact({ id: 'home', text: LYON }),
      makeFact({ id: 'bees', text: 'The user keeps bees.' }),
    ]
    const place = await open(extractor, { memories, model: scriptedModel([]) })
    await draw(place)
    const [asked] = extractor.asked
    expect(asked?.related.map(({ id }) => id)).toEqual(['home'])
    expect(asked?.ask?.model).toBe('scripted/model')
  })
})

describe('what a segment yields', () => {
  it('is merged and noted in one go, as of the segment’s session and round', async () => {
    const extractor = scriptedExtractor(() => ({ candidates: [lyon()] }), { prompt: 'segment/1' })
    const place = await open(extractor, { turns: [{ text: 'I live in Lyon.' }, { session: 's2' }] })
    await draw(place)
    expect([await facts(place), await reached(place)]).toEqual([[[LYON, 'live']], 1])
    const [operation] = await place.engine.store.listOperations({ userId: place.row.owner })
    expect(operation).toMatchObject({
      kind: 'add',
      sessionNumber: 1,
      round: 1,
      origin: { promptVersion: 'segment/1' },
    })
  })

  it('is grounded by the cheap checks where rules drew it, though there is a model', async () => {
    const extractor = scriptedExtractor(() => ({ candidates: [lyon({ evidence: [] })] }))
    const place = await open(extractor, { model: scriptedModel([]), preset: { grounding: 'model' } })
    await draw(place)
    expect(await storedMemories(place)).toMatchObject([
      { status: 'quarantined', reason: 'it names no turn that supports it' },
    ])
  })

  it('is put to the model where a model worded it and the checks leave it open', async () => {
    const extractor = scriptedExtractor(() => ({ candidates: [lyon()] }), { prompt: 'segment/1' })
    const verdicts = [{ statement: 1, reason: 'it asks', verdict: 'not-supported' }]
    const turns = [{ text: 'Do I live in Lyon?' }]
    const model = scriptedModel([JSON.stringify({ verdicts })])
    const place = await open(extractor, { turns, model, preset: { grounding: 'model' } })
    await draw(place)
    expect(await storedMemories(place)).toMatchObject([{ reason: 'the talk does not support it: it asks' }])
    const rules = await open(extractor, { turns, model: scriptedModel([]), preset: { grounding: 'rules' } })
    await draw(rules)
    expect(await facts(rules)).toEqual([[LYON, 'quarantined']])
  })

  it('has values of complex keys merged by the model, in one more call', async () => {
    const letter = lyon({
      key: 'promises',
      value: 'a letter',
      text: 'The user promised a letter.',
      evidence: [{ turn: 't1', quote: null }],
    })
    const trip = makeFact({ id: 'trip', key: 'promises', value: 'a trip', text: 'The user promised a trip.' })
    const merges = [{ item: 1, action: 'known', values: [1], value: '', text: '' }]
    const model = scriptedModel([JSON.stringify({ merges })])
    const extractor = scriptedExtractor(() => ({ candidates: [letter] }), { prompt: 'snapshot/1' })
    const given = {
      turns: [{ text: 'I promised a letter.' }],
      memories: [trip],
      preset: { grounding: 'off' } as const,
    }
    const place = await open(extractor, { ...given, model })
    await draw(place)
    expect([await facts(place), model.requests.length]).toEqual([[[trip.text, 'live']], 1])
    const byRules = await open(
      scriptedExtractor(() => ({ candidates: [letter] })),
      { ...given, model: scriptedModel([]) },
    )
    await draw(byRules)
    expect(await facts(byRules)).toHaveLength(2)
  })

  it('may be operations; those that are not let through are told once the rest is durable', async () => {
    const candidate = lyon()
    const operations = [{ kind: 'modify', index: 1, candidate }] as const
    for (const [prompt, expected] of [
      ['mmm/2', 'mmm/2'],
      [undefined, 'test/extractor'],
    ] as const) {
      const extractor = scriptedExtractor(() => ({ operations }), prompt === undefined ? {} : { prompt })
      const place = await open(extractor)
      const events = listen(place, 'operation-rejected')
      await draw(place)
      expect(events).toEqual([
        {
          scope: EVENT_SCOPE,
          kind: 'modify',
          reason: 'it names a memory that was not shown',
          prompt: expected,
        },
      ])
    }
  })

  it('may be requests, also those that a model did not hear', async () => {
    const turns = [{ text: 'I live in Lyon.' }, { text: 'Please forget that I live in Lyon.' }]
    const memories = [
      makeFact({ id: 'home', text: LYON, evidence: [{ turn: 't1', quote: 'I live in Lyon' }] }),
    ]
    for (const [traits, left] of [
      [{ prompt: 'segment/1' }, [[LYON, 'deleted']]],
      [{}, [[LYON, 'live']]],
    ] as const) {
      const place = await open(
        scriptedExtractor(() => ({}), traits),
        { turns, memories },
      )
      await readTo(place, { facts: 1 })
      await draw(place)
      expect(await facts(place)).toEqual(left)
    }
    const evidence = { turn: 't2', quote: 'forget that I live in Lyon' }
    const request = { kind: 'forget', about: 'I live in Lyon', evidence } as const
    const place = await open(
      scriptedExtractor(() => ({ requests: [request] })),
      { turns, memories },
    )
    await readTo(place, { facts: 1 })
    await draw(place)
    expect(await facts(place)).toEqual([[LYON, 'deleted']])
  })

  it('may be told in short', async () => {
    const summary = { text: 'They spoke of Lyon.', evidence: [] }
    const branches = [{ kind: 'story', thresholds: [1], units: 'segments' }] as const
    const place = await open(
      scriptedExtractor(() => ({ summary })),
      { preset: { branches } },
    )
    await draw(place)
    expect(await storedMemories(place)).toMatchObject([{ form: 'story', text: 'They spoke of Lyon.' }])
  })
})

describe('a segment of which a model makes nothing usable', () => {
  it('is nobody’s to park when another process has read it', async () => {
    const opened: TestScope[] = []
    const extractor = scriptedExtractor(async () => {
      if (opened[0] !== undefined) await readTo(opened[0], { facts: 1 })
      throw UNUSABLE
    })
    const place = await open(extractor)
    opened.push(place)
    const events = listen(place, 'job-failed')
    expect([await draw(place), await place.engine.store.listJobs(), events]).toEqual([true, [], []])
  })
})

describe('a parked segment', () => {
  /** Turns 2 to 4 of five are parked. */
  async function parked(extractor: ScriptedExtractor, job: Partial<JobRow> = {}) {
    const turns = [{}, { text: 'I live in Lyon.' }, { role: 'other' }, { role: 'assistant' }, {}] as const
    const place = await open(extractor, { turns })
    const queued = {
      id: 'j1',
      kind: 'read-segment',
      scope: place.row.scope,
      session: null,
      at: 1,
      branch: 'facts',
      from: 1,
      to: 4,
    } as const
    await decideAndCommit(place.engine, place.row, () => undefined, { queueJobs: [{ ...queued, ...job }] })
    const [stored] = await place.engine.store.listJobs()
    if (stored === undefined) throw new Error('the job was queued')
    return { place, again: () => extractFactsAgain(place.engine, place.row, place.branch, stored) }
  }
  const drawing = () =>
    scriptedExtractor(() => ({ candidates: [lyon({ evidence: [{ turn: 't2', quote: null }] })] }))

  it('waits on as it is when the model is away', async () => {
    const { place, again } = await parked(scriptedExtractor(() => Promise.reject(new ModelError('away'))))
    await expect(again()).rejects.toThrow('away')
    expect(await place.engine.store.listJobs()).toMatchObject([{ state: 'queued', attempts: 0 }])
  })

  it('yields nothing when another process has read it meanwhile', async () => {
    const { place, again } = await parked(drawing())
    await decideAndCommit(place.engine, place.row, () => undefined, { finishJobs: ['j1'] })
    await again()
    expect(await facts(place)).toEqual([])
  })

  it.each([{ from: null }, { to: null }])('cannot be read when its job is %j', async (job) => {
    const { again } = await parked(drawing(), job)
    await expect(again()).rejects.toThrow(new InvalidInputError('Job j1 names no turns to read again.'))
  })
})
