import { scriptedModel } from 'keepsake/model'
import { describe, expect, it } from 'vitest'
import { openDataset } from '../datasets/open-dataset.ts'
import { fixtureFile, readFixture, withField, writeScratch } from '../datasets/testing/edit-fixture.ts'
import { deterministicJudge } from '../judges/deterministic-judge.ts'
import type { IntegrityInput, Judge, UpdateInput } from '../judges/judge.ts'
import { modelJudge } from '../judges/model-judge.ts'
import { modelReader } from '../readers/model-reader.ts'
import { keepsakeSystem } from '../systems/keepsake.ts'
import { NOTHING_FOUND, scriptedSystem } from '../systems/testing/scripted-system.ts'
import type { MeasureSystemOptions } from './measure-system.ts'
import { measureRun } from './testing/measure-run.ts'

async function runOn(file: string, more: Partial<MeasureSystemOptions>) {
  return measureRun({ dataset: await openDataset('halumem', file), ...more })
}
const HALUMEM = fixtureFile('halumem.jsonl')

describe('integrity', () => {
  it('counts what stood before a session and was rightly not kept twice, and what the session itself left apart', async () => {
    const known = { id: 'm1', text: 'Ilse Brandt restores old clocks', turns: null }
    const other = { id: 'm2', text: 'Ilse Brandt has a brother in Kiel', turns: null }
    const system = scriptedSystem({
      dialogueMemories: async () => [other],
      memories: async () => [known, other],
    })
    const { log, figureOf } = await runOn(HALUMEM, { system, tasks: ['extraction'] })
    const [first] = log.filter((entry) => entry.entry === 'integrity')
    expect(first).toMatchObject({ gold: 'g0001', score: 2, scoreOfSession: 0 })
    const recall = (metric: string) => figureOf('extraction', metric)?.value
    expect(recall('recall')).toBeGreaterThan(0)
    expect(recall('recall')).not.toBe(recall('published.recall'))
  })

  it('asks once where the session left it whole', async () => {
    const asked: IntegrityInput[] = []
    const judge: Judge = {
      ...deterministicJudge,
      integrity: (input) => {
        asked.push(input)
        return Promise.resolve({ verdict: 2, reason: 'whole' })
      },
    }
    const kept = { id: 'm1', text: 'Ilse Brandt restores old clocks', turns: null }
    const before = { id: 'm0', text: 'Ilse Brandt lives in Bremen', turns: null }
    const system = scriptedSystem({
      dialogueMemories: async () => [kept],
      memories: async () => [before, kept],
    })
    await runOn(HALUMEM, { system, judge, tasks: ['extraction'] })
    expect(asked).toHaveLength(3)
    expect(asked.every(({ memories }) => memories.length === 1)).toBe(true)
  })
})

describe('a session that left one fact a memory', () => {
  it('has each gold memory judged against all of them at once', async () => {
    const asked: IntegrityInput[] = []
    const judge: Judge = {
      ...deterministicJudge,
      integrity: (input) => (asked.push(input), deterministicJudge.integrity(input)),
    }
    const facts = ['Ilse Brandt restores clocks.', 'The clocks that Ilse Brandt restores are old.']
    const left = facts.map((text, place) => ({ id: `m${place}`, text, turns: null }))
    const system = scriptedSystem({ dialogueMemories: async () => left, memories: async () => left })
    const { log } = await runOn(HALUMEM, { system, judge, tasks: ['extraction'] })
    expect(asked.length).toBeGreaterThan(0)
    for (const { memories } of asked) expect(memories).toEqual(facts)
    const [first] = log.filter((entry) => entry.entry === 'integrity')
    expect(first).toMatchObject({ text: 'Ilse Brandt restores old clocks', score: 2, scoreOfSession: 2 })
  })
})

describe('dates', () => {
  const at = Date.UTC(2025, 8, 4, 18)
  const said = { id: 'm1', text: 'I restore old clocks.', turns: ['t1'], saidAt: at }

  it('stand with what was said wherever it is judged, and not with statements', async () => {
    const updates: UpdateInput[] = []
    const left: IntegrityInput[] = []
    const judge: Judge = {
      ...deterministicJudge,
      integrity: (input) => (left.push(input), deterministicJudge.integrity(input)),
      update: (input) => (updates.push(input), deterministicJudge.update(input)),
    }
    const stated = { id: 'm2', text: 'Ilse Brandt teaches', turns: null, score: null }
    const system = scriptedSystem({
      dialogueMemories: async () => [said],
      retrieve: async () => ({ ...NOTHING_FOUND, memories: [{ ...said, score: 1 }, stated] }),
    })
    const { log } = await runOn(HALUMEM, { system, judge, tasks: ['extraction', 'updating'] })
    expect(left[0]?.memories).toEqual(['[2025-09-04] I restore old clocks.'])
    expect(updates[0]?.memories).toEqual(['[2025-09-04] I restore old clocks.', 'Ilse Brandt teaches'])
    const accuracy = log.filter((entry) => entry.entry === 'accuracy')
    expect(accuracy[0]?.text).toBe('[2025-09-04] I restore old clocks.')
  })

  it('and times of turns are before a model that judges what a session left', async () => {
    const shown: string[] = []
    const model = scriptedModel(({ messages }) => {
      shown.push(messages.map(({ text }) => text).join())
      return JSON.stringify({ points: [{ point: 'x', support: 'supported', inGold: true }], reason: 'said' })
    })
    const stated = { id: 'm2', text: 'Ilse Brandt teaches', turns: null }
    const system = scriptedSystem({ dialogueMemories: async () => [stated] })
    const asked = modelJudge({ model, language: 'en' })
    const judge: Judge = { ...deterministicJudge, accuracy: (input) => asked.accuracy(input) }
    await runOn(HALUMEM, { system, judge, tasks: ['extraction'] })
    expect(shown.length).toBeGreaterThan(0)
    expect(shown[0]).toMatch(/\[1, [^\]]*2025[^\]]*18:42/)
  })

  it('make what was said before no rival of what holds now', async () => {
    const input = { updated: 'Ilse teaches watchmaking', originals: ['Ilse restores old clocks'] }
    const judged = async (memories: string[]) =>
      (await deterministicJudge.update({ ...input, memories })).verdict
    const now = '[2025-12-15] Ilse teaches watchmaking'
    expect(await judged([now, 'Ilse restores old clocks'])).toBe('other')
    expect(await judged([now, '[2025-09-04] Ilse restores old clocks'])).toBe('correct')
    expect(await judged([now, '[2026-01-02] Ilse restores old clocks'])).toBe('other')
  })
})

describe('what a system gives in another form than agreed', () => {
  const kept = { id: 'm1', text: 'Ilse Brandt lives in Bremen.', turns: null }
  /** As it may come from another program: the types say otherwise. */
  const given = (value: object) => value as never

  const listing = (odd: object) => ({ ...NOTHING_FOUND, memories: [{ ...kept, score: 1, ...odd }] })
  const NO_SCORE = 'a score that is no number'
  const NO_PROBABILITY = 'a confidence that is no probability'

  it.each([
    ['a score', NO_SCORE, listing({ score: Number.NaN }), listing({})],
    ['a score in words', NO_SCORE, listing({ score: 'high' }), listing({})],
    ['no score', NO_SCORE, listing({ score: undefined }), listing({})],
    ['a missing id', 'an id that is missing or no text', listing({ id: null }), listing({})],
    ['a turn', NO_SCORE, { turns: [{ id: 't1', score: Number.POSITIVE_INFINITY }] }, {}],
    ['the confidence', NO_PROBABILITY, { confidence: Number.NaN }, {}],
    ['a confidence beyond a probability', NO_PROBABILITY, { confidence: 1.5 }, {}],
    ['no list', 'a list that is none', { memories: null }, {}],
    ['a memory without words', 'a memory without words', listing({ text: ' ' }), {}],
    ['no context', 'a text that is none', { context: null }, {}],
  ])('costs it nothing and is told: %s', async (_case, what, odd, even) => {
    const measured = async (answer: object) => {
      const system = scriptedSystem({ retrieve: async () => given({ ...NOTHING_FOUND, ...answer }) })
      return runOn(HALUMEM, { system, tasks: ['answering', 'updating'] })
    }
    const [oddly, evenly] = [await measured(odd), await measured(even)]
    const judged = ({ summary }: typeof oddly) =>
      summary.figures.filter(({ task }) => task === 'answering' || task === 'updating')
    expect(judged(oddly)).toEqual(judged(evenly))
    expect(oddly.summary.failures).toBe(0)
    expect(oddly.summary.remarks.join()).toContain(what)
    expect(evenly.summary.remarks).toEqual([])
    expect(oddly.log.some((entry) => entry.entry === 'oddity' && entry.what === what)).toBe(true)
  })

  it('counts no memory without words as one that the session left', async () => {
    const blank = { id: 'm2', text: '', turns: null }
    const system = scriptedSystem({ dialogueMemories: async () => [kept, blank] })
    const { log } = await runOn(HALUMEM, { system, tasks: ['extraction'] })
    const checked = log.filter((entry) => entry.entry === 'accuracy')
    expect(checked.length).toBeGreaterThan(0)
    expect(checked.every(({ text }) => text !== '')).toBe(true)
  })

  it('compares what stood before and after where operations come in another form', async () => {
    const system = scriptedSystem({
      addDialogue: async () => given({ operations: [{ kind: 'MERGE', memory: 'm1' }] }),
    })
    const { summary } = await runOn(HALUMEM, { system, tasks: ['extraction'] })
    expect(summary.failures).toBe(0)
    expect(summary.remarks.join()).toContain('operations in another form')
  })
})

describe('the language of a talk', () => {
  it('decides the prompts of its reader and its judge, person by person', async () => {
    const asked: string[] = []
    const judging = scriptedModel(({ system }) => {
      asked.push(system)
      return JSON.stringify({
        elements: [{ element: 'x', state: 'missing' }],
        contradiction: '',
        reason: 'none',
      })
    })
    const model = scriptedModel(({ system }) => {
      asked.push(system)
      return JSON.stringify({ known: false, answer: 'I do not know.' })
    })
    const english = readFixture('halumem.jsonl')
    const said = { role: 'user', content: '我在不来梅修旧钟表。', timestamp: 'Sep 04, 2025, 18:42:18' }
    const points = {
      memory_points: [],
      questions: [{ question: '我在哪里？', answer: '不来梅', question_type: 'Basic Fact Recall' }],
    }
    const chinese = withField(
      withField(english, 'sessions', [{ dialogue: [said], ...points }]),
      'uuid',
      'zh-1',
    )
    const file = writeScratch('mixed.jsonl', [english, chinese].map((one) => JSON.stringify(one)).join('\n'))
    await runOn(file, { reader: modelReader({ model, language: 'en' }), tasks: ['answering'] })
    expect(asked.filter((system) => system.startsWith('You answer')).length).toBeGreaterThan(0)
    expect(asked.filter((system) => system.startsWith('根据'))).toHaveLength(1)
    asked.length = 0
    const judge = modelJudge({ model: judging, language: 'en' })
    await runOn(file, { judge, tasks: ['answering'] })
    expect(asked.filter((system) => system.startsWith('You mark')).length).toBeGreaterThan(0)
    expect(asked.filter((system) => system.startsWith('严格批改'))).toHaveLength(1)
  })
})

describe('the time a model may take', () => {
  it('holds for the system that is measured too', async () => {
    const hanging = scriptedModel(() => new Promise(() => undefined))
    const opened = { user: 'Ilse', model: hanging, embedding: null, modelTimeoutMs: 20 }
    const memory = await keepsakeSystem('keepsake').open(opened)
    const turn = {
      id: 't1',
      role: 'user',
      speaker: 'Ilse',
      text: 'I restore clocks.',
      at: 1,
      zone: 'UTC',
    } as const
    await expect(memory.addDialogue({ session: 's1', turns: [turn], endsSession: true })).rejects.toThrow(
      /20 ms/,
    )
    await memory.close()
  })
})
