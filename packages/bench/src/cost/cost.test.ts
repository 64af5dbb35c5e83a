import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ModelError, type LanguageModel } from 'keepsake'
import { type LanguageRequest, scriptedModel, type ScriptedAnswer } from 'keepsake/model'
import { PAPER_PROMPTS } from '@keepsake/papers'
import { PROMPTS, promptVersion, TEXT_PROMPTS } from 'keepsake/preset'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runAlone } from '../benchmark/testing/run-alone.ts'
import { loadOwnTalk, type Talk } from '../datasets/own-talk.ts'
import { headlineTable } from '../reports/headline-table.ts'
import { findFigure } from '../results/plain-figures.ts'
import { checkRecording } from './testing/check-recording.ts'
import { cost } from './cost.ts'
import type { PresetCost } from './measure-preset.ts'
import { takeRounds } from './take-rounds.ts'
import { smallestAnswer } from '../recordings/smallest-answer.ts'

const CURRENT = new Set([...PROMPTS, ...PAPER_PROMPTS, ...TEXT_PROMPTS].map(promptVersion))
/** The current version of the prompt. */
const SEGMENT = [...CURRENT].find((prompt) => prompt.startsWith('segment/')) ?? 'segment'
const SAID = [
  ['s1', 'user', 'I moved to Lyon in May.'],
  ['s1', 'assistant', 'How do you like Lyon?'],
  ['s1', 'user', 'A lot. My sister Mia lives there too.'],
  ['s1', 'assistant', 'Say hello to Mia.'],
  ['s2', 'user', 'I started to learn the cello.'],
  ['s2', 'assistant', 'A fine instrument.'],
  // As many rounds as the default reads when a later session ends.
  ...Array.from({ length: 11 }, (_, round) => [
    ['s2', 'user', `Today I played scale number ${round + 1}.`],
    ['s2', 'assistant', 'And how did it sound?'],
  ]).flat(),
]
const NOTES = {
  user: 'Ana',
  asOf: '2026-06-01T12:00:00Z',
  questions: [
    { question: 'Where does Ana live?', answer: 'Lyon', evidence: ['t1'], kind: 'single' },
    { question: 'Which instrument does Ana learn?', answer: 'cello', evidence: ['t5'], kind: 'single' },
    { question: 'What does Ana owe?', answer: 'Not known.', evidence: ['t1'], kind: 'unknown' },
  ],
}

let talk = ''
let answers = ''
beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-cost-'))
  talk = join(folder, 'ana-en.jsonl')
  const lines = SAID.map(([session, role, text], index) => {
    const at = new Date(Date.UTC(2026, 4, session === 's1' ? 1 : 2, 10, index)).toISOString()
    return JSON.stringify({ session, id: `t${index + 1}`, role, text, at, timeZone: 'Europe/Paris' })
  })
  writeFileSync(talk, `${lines.join('\n')}\n`)
  writeFileSync(join(folder, 'ana-en.notes.json'), JSON.stringify(NOTES))
})
beforeEach(() => {
  answers = join(mkdtempSync(join(tmpdir(), 'keepsake-cost-')), 'ana-en')
})

const LYON = {
  changes: null,
  text: 'Ana lives in Lyon.',
  type: 'persona',
  subject: 'user',
  word: 'user',
  key: 'residence',
  value: 'Lyon',
  when: null,
  until: null,
  importance: 5,
  evidence: ['1: I moved to Lyon in May.'],
}

/** Returns one fact of the first segment. */
function reader(more: (request: LanguageRequest) => ScriptedAnswer | null = () => null): LanguageModel {
  return scriptedModel((request) => {
    const given = more(request)
    if (given !== null) return given
    if (request.schema === null) return 'She lives in Lyon.'
    if (request.prompt?.startsWith('segment/') !== true) return JSON.stringify(smallestAnswer(request.schema))
    const isFirst = (request.messages[0]?.text ?? '').includes('I moved to Lyon')
    const summary = 'Ana moved to Lyon.'
    return JSON.stringify({ summary, memories: isFirst ? [LYON] : [], forget: [] })
  })
}

type Options = Parameters<typeof runAlone<typeof cost.options.shape>>[1]

async function measure(options: Options, model?: LanguageModel) {
  const { log, summaries } = await runAlone(cost, { talk, preset: ['keepsake'], ...options }, model)
  const [step] = log
  if (step?.entry !== 'step') throw new Error('no step')
  return { found: step.records as PresetCost, summaries }
}

const record = (model: LanguageModel, more: Options = {}) =>
  measure({ model: 'scripted', record: answers, replies: 1, ...more }, model)

const replay = () => measure({ answers })

const check = (): Promise<string[]> =>
  checkRecording(join(answers, 'keepsake.jsonl'), async () => loadOwnTalk(talk), CURRENT)

describe('the cost of a preset', () => {
  it('is counted by prompt, and is the same from the recording, where no time is told', async () => {
    const { found: asked } = await record(reader())
    const { found: replayed } = await replay()
    expect(asked.ingestion.byPrompt[SEGMENT]).toMatchObject({ calls: 2, estimated: 2, repaired: 0 })
    expect(asked.replying.total.calls).toBe(1)
    expect(asked.ingestion.total.inputTokens).toBeGreaterThan(500)
    expect(asked.ingestionMs).toBeGreaterThan(0)
    expect(replayed).toEqual({ ...asked, ingestionMs: null })
  })

  it('tells repairs and unusable answers apart', async () => {
    let asked = 0
    const broken = reader((request) => {
      if (request.prompt?.startsWith('segment/') !== true) return null
      asked += 1
      return asked === 2 ? null : 'no JSON'
    })
    const { found } = await record(broken)
    // The first segment is mended; the second is not, even after the repair, and waits with its job.
    expect(found.ingestion.byPrompt[SEGMENT]).toMatchObject({ calls: 4, repaired: 1, unusable: 1 })
    expect(found.unfinishedJobs).toBe(1)
    expect(await check()).toContain(`1 answers to ${SEGMENT} could not be used.`)
  })

  it('ends the run when the model cannot be reached', async () => {
    await expect(record(reader(() => new ModelError('no network', { isRetryable: false })))).rejects.toThrow(
      'no network',
    )
  })

  it('asks none of a preset without a model', async () => {
    const { found } = await measure({ answers, preset: ['naive-rag'] })
    expect(found).toMatchObject({ model: 'none', ingestion: { total: { calls: 0 } } })
  })

  it('is not told where nothing is recorded', async () => {
    await expect(replay()).rejects.toThrow(/Nothing is recorded\. Record it: keepsake bench cost --talk/)
  })
})

describe('recall', () => {
  it('is scored by the turns behind what it returned, and not on what nothing answers', async () => {
    const { found } = await record(reader())
    expect(found.recall).toMatchObject({ questions: 3, evidence: { questions: 2, any: 1, all: 1 } })
    expect(found.recall?.tokens.max).toBeLessThanOrEqual(1_000)
    expect(found.recall?.tokens.mean).toBeGreaterThan(10)
  })

  it('is not asked about what comes after the rounds taken', async () => {
    const { found } = await record(reader(), { rounds: 2 })
    expect(found).toMatchObject({ rounds: 2, turns: 4, sessions: 1, questionsLeftOut: 1 })
    expect(found.recall?.questions).toBe(2)
  })
})

describe('the rounds taken of a talk', () => {
  let loaded: Talk
  beforeEach(async () => {
    loaded = await loadOwnTalk(talk)
  })

  it.each([
    [1, ['t1', 't2']],
    [2, ['t1', 't2', 't3', 't4']],
    [99, SAID.map((_, index) => `t${index + 1}`)],
  ])('are whole: %d', (most, ids) => {
    const { sessions, rounds } = takeRounds(loaded, most)
    expect(sessions.flatMap(({ turns }) => turns.map(({ id }) => id))).toEqual(ids)
    expect(rounds).toBe(Math.min(most, SAID.length / 2))
  })
})

describe('a recording under check', () => {
  it('passes when it is fresh', async () => {
    await record(reader())
    expect(await check()).toEqual([])
  })

  it('is stale when a request of today is not in it, and says how to record it anew', async () => {
    await record(reader())
    const file = join(answers, 'keepsake.jsonl')
    const [first, ...rest] = readFileSync(file, 'utf8').trimEnd().split('\n')
    writeFileSync(file, [first, ...rest.map((line) => line.replace(/"key":"./, '"key":"x'))].join('\n'))
    const problems = await check()
    expect(problems.join('\n')).toMatch(/segment\/\d+: the recording is stale/)
    expect(problems.at(-1)).toMatch(/^Record it again: keepsake bench cost .*--preset keepsake .*--record/)
  })

  it('is stale when it answers another version, or what nobody asks', async () => {
    await record(reader())
    const file = join(answers, 'keepsake.jsonl')
    const tokens = { input: 1, output: 1, estimated: true }
    const other = JSON.stringify({ prompt: 'segment/0', key: 'none', answer: '{}', tokens })
    writeFileSync(file, `${readFileSync(file, 'utf8')}${other}\n`)
    expect(await check()).toEqual([
      'It answers segment/0, which is no current version of a prompt.',
      '1 of its answers are to requests that nobody makes, of segment/0.',
      expect.stringMatching(/^Record it again/),
    ])
  })

  it('is refused when an answer in it had to be mended', async () => {
    let asked = 0
    await record(reader(() => ((asked += 1) === 1 ? 'no JSON' : null)))
    expect(await check()).toContain(`1 answers to ${SEGMENT} had to be mended.`)
  })
})

describe('the figures', () => {
  it('are per 100 rounds, and name what each prompt costs', async () => {
    const { found, summaries } = await record(reader())
    const [, ...rows] = headlineTable(summaries)
    const row = (name: string) => rows.find(([first]) => first === `Remembering: ${name}`)?.slice(1)
    // 14 rounds: two calls to read them, and one for each session's end that asks.
    const calls = found.ingestion.total.calls ?? 0
    expect(row('calls per 100 rounds')).toEqual([((100 * calls) / 14).toFixed(1)])
    expect(summaries[0]?.remarks.join('\n')).toContain("Keepsake's estimate")
    const figures = summaries[0]?.figures ?? []
    const replies = figures.filter(({ slice }) => /^prompt:replying, reply\/\d+$/.test(slice))
    expect(replies.find(({ metric }) => metric === 'calls')?.value).toBe(1)
    expect(findFigure(figures, 'remembering', 'rounds')?.value).toBe(14)
  })
})
