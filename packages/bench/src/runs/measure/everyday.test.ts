import { describe, expect, it } from 'vitest'
import { embeddedWordVectors } from '@keepsake/text'
import type { BenchConversation, DatasetQuestion } from '../../datasets/conversation.ts'
import { gatherUnits } from '../../datasets/gather-units.ts'
import { deterministicJudge } from '../../judges/deterministic-judge.ts'
import type { EverydayEntry, LogEntry } from '../../log/log-entry.ts'
import { greedyMatcher } from '../../metrics/greedy-matching.ts'
import { extractiveReader } from '../../readers/extractive-reader.ts'
import { findFigure } from '../../results/plain-figures.ts'
import { keepsakeSystem } from '../../systems/keepsake.ts'
import type { Retrieved } from '../../systems/memory-system.ts'
import { NOTHING_FOUND, scriptedMemory } from '../../systems/testing/scripted-system.ts'
import { summariseLog } from '../figures/summarise-log.ts'
import { measureConversation } from './measure-conversation.ts'

const LONG = `It was raining so hard on the morning of the ${'very '.repeat(20)}last day.`
const SAID = ['I moved to Porto in May.', `She said "it's over".\nThen she left.`, LONG]
const TURNS = SAID.map((text, place) => ({
  id: `t${place}`,
  role: 'user' as const,
  speaker: 'user',
  isNamed: false,
  text,
  at: Date.UTC(2025, 4, 1) + place * 60_000,
  zone: 'UTC',
}))
const QUESTION: DatasetQuestion = {
  id: 'q1',
  text: 'Where do I live?',
  askedAt: Date.UTC(2025, 5, 1),
  category: 'first-person',
  evidence: ['t0'],
  evidenceGroups: [['t0']],
  answerable: true,
}
async function measure(questions: readonly DatasetQuestion[], retrieved: Partial<Retrieved> | Error) {
  const options: object[] = []
  const memory = scriptedMemory({
    retrieve: async (_query, asked) => {
      if (retrieved instanceof Error) throw retrieved
      return (options.push(asked), { ...NOTHING_FOUND, ...retrieved })
    },
  })
  const entries = await measureConversation(talkOf(questions), memory, WITH)
  return { asked: everydayOf(entries), options, entries }
}

function talkOf(questions: readonly DatasetQuestion[]): BenchConversation {
  const sessions = [{ id: 's1', turns: TURNS }]
  return { name: 'bea', person: 'bea', user: 'bea', sessions, questions, ...gatherUnits(sessions, 'turns') }
}

const WITH = {
  reader: extractiveReader,
  judge: deterministicJudge,
  matcher: greedyMatcher({ embedding: embeddedWordVectors(), language: 'en' }),
  tokens: null,
  language: 'en',
  tasks: new Set(['everyday'] as const),
  contextTokens: 1_000,
  memoriesWanted: 20,
  protocol: 'own',
  ownAnswers: false,
} as const

function everydayOf(entries: readonly LogEntry[]): EverydayEntry[] {
  return entries.filter((entry) => entry.entry === 'everyday')
}

const asking = (groups: string[][]): DatasetQuestion => ({ ...QUESTION, evidenceGroups: groups })
const memory = (turns: string[], more: object = {}) => ({
  id: turns.join(),
  text: '…',
  turns,
  score: 1,
  ...more,
})

describe('a plain question', () => {
  it('is asked when it is asked, with ten memories or what the system usually gives, and a thousand tokens', async () => {
    const { options } = await measure([QUESTION], {})
    expect(options).toEqual([{ limit: 10, asUsual: true, at: QUESTION.askedAt, tokens: 1_000 }])
  })

  it('is answered among the first when one of the first four rests on a turn of every group', async () => {
    const memories = [memory(['t2']), memory(['t2']), memory(['t1']), memory(['t2']), memory(['t0'])]
    const groups = [[['t1']], [['t1'], ['t0', 't2']], [['t0']]]
    const { asked } = await measure(groups.map(asking), { memories })
    expect(asked.map(({ amongFirst }) => amongFirst)).toEqual([true, true, false])
  })

  it('is answered in the context by the words of a turn, quoted or cut after its head', async () => {
    const quoted = `- user: ${JSON.stringify(SAID[1]?.replace('\n', ' '))}\n- ${LONG.slice(0, 70)}…`
    const groups = [[['t1']], [['t2']], [['t1'], ['t2']], [['t0']]]
    const { asked } = await measure(groups.map(asking), { context: quoted })
    expect(asked.map(({ inContext }) => inContext)).toEqual([true, true, true, false])
  })

  it('is answered in the context by a statement or a line of the profile that rests on the turn and stands there', async () => {
    const context = '- Bea lives in Porto.\nhome: Porto'
    const lives = { text: 'Bea lives in Porto.' }
    const inContext = async (found: Partial<Retrieved>) =>
      (await measure([QUESTION], { context, ...found })).asked[0]?.inContext
    expect(await inContext({ memories: [memory(['t0'], lives)] })).toBe(true)
    expect(await inContext({ memories: [memory(['t1'], lives)] })).toBe(false)
    expect(await inContext({ memories: [memory(['t0'], { ...lives, saidAt: 1 })] })).toBe(false)
    expect(await inContext({ memories: [memory(['t0'], { text: 'Bea left.' })] })).toBe(false)
    expect(await inContext({ profile: [{ text: 'home: Porto', turns: ['t0'] }] })).toBe(true)
  })

  it('makes figures by language and kind: what is unanswerable counts for being known and for its tokens alone', async () => {
    const never = {
      ...QUESTION,
      id: 'q2',
      answerable: false,
      evidence: [],
      evidenceGroups: [],
      category: 'never-said',
    }
    const { entries } = await measure([QUESTION, never], { known: true, confidence: 0.7, context: 'a b c' })
    const figures = summariseLog(entries, { judge: null, reader: null })
    const valueOf = (metric: string, slice: string) => findFigure(figures, 'everyday', metric, slice)
    expect(valueOf('evidence@context', 'language:en')).toMatchObject({ value: 0, count: 1 })
    expect(valueOf('known', 'all')).toMatchObject({ value: 0.5, count: 2 })
    expect(valueOf('known', 'en:never-said')).toMatchObject({ value: 0, count: 1 })
    expect(valueOf('known_said', 'all')).toMatchObject({ value: 1, count: 1 })
    expect(valueOf('known_unsaid', 'all')).toMatchObject({ value: 0, count: 1 })
    expect(valueOf('auroc', 'language:en')).toMatchObject({ value: 0.5, count: 2 })
    expect(valueOf('unknown_tokens', 'all')).toMatchObject({ count: 1, unit: 'tokens' })
    expect(valueOf('evidence@4', 'en:never-said')).toBeUndefined()
  })

  it('counts as wrong in all when the system fails', async () => {
    const { entries } = await measure([QUESTION], new Error('the index is gone'))
    const figures = summariseLog(entries, { judge: null, reader: null })
    for (const metric of ['evidence@4', 'evidence@context', 'known'])
      expect(figures.find((one) => one.metric === metric && one.slice === 'all')).toMatchObject({ value: 0 })
  })

  it('finds in Keepsake what it was just told', async () => {
    const memoryOf = await keepsakeSystem('keepsake').open({ user: 'bea', model: null, embedding: null })
    const moved = { ...QUESTION, text: 'Where did I move in May?' }
    const [asked] = everydayOf(await measureConversation(talkOf([moved]), memoryOf, WITH))
    expect(asked).toMatchObject({ amongFirst: true, inContext: true, known: true, failure: null })
    await memoryOf.close()
  })
})
