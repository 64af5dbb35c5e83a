import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { BenchConversation, DatasetQuestion } from '../datasets/conversation.ts'
import { gatherUnits } from '../datasets/gather-units.ts'
import type { ForgettingTalk } from './forgetting-talk.ts'
import { loadLocomoTalks, toTalk } from './read-locomo-talks.ts'
import { loadLufyTalks } from './read-lufy-talks.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const data = resolve(root, process.env['KEEPSAKE_DATA'] ?? '../shared/data')
const lufy = join(data, 'lufy')
const locomo = join(data, 'locomo', 'locomo3.json')

for (const [what, path] of [
  ['loadLufyTalks', lufy],
  ['loadLocomoTalks', locomo],
] as const) {
  if (!existsSync(path)) process.stderr.write(`${what} — skipped: nothing at ${path}, set KEEPSAKE_DATA.\n`)
}

describe.skipIf(!existsSync(lufy))(`loadLufyTalks (skipped without the LUFY dataset at ${lufy})`, () => {
  it('reads every talk with three annotators’ marks and every session’s questions', async () => {
    const { talks, dataHash } = await loadLufyTalks(lufy)
    expect(dataHash).toMatch(/^[0-9a-f]{64}$/)
    const marks = talks.flatMap((talk) => countMarks(talk))
    // annotators marked a tenth of the utterances each; in this data always three a session
    expect(new Set(marks)).toEqual(new Set([3]))
    expect(talks.every((talk) => talk.questions.length === 12)).toBe(true)
    // the end of the shared first session counts once a person
    const people = [...Map.groupBy(talks, (talk) => talk.person).values()]
    expect(people.map((own) => own.filter((talk) => talk.countsFrom === 1).length)).toEqual(
      people.map(() => 1),
    )
  })
})

function countMarks(talk: ForgettingTalk): number[] {
  return [1, 2, 3, 4].flatMap((session) =>
    [0, 1, 2].map((a) => talk.units.filter((unit) => unit.session === session && unit.marked[a]).length),
  )
}

describe('loadLufyTalks', () => {
  it('names the folder that is not the dataset', async () => {
    await expect(loadLufyTalks('/nowhere/lufy')).rejects.toThrow('/nowhere/lufy')
  })
})

describe.skipIf(!existsSync(locomo))(`loadLocomoTalks (skipped without LoCoMo at ${locomo})`, () => {
  it('takes every turn for a unit and puts every question that names what answers it', async () => {
    const { talks, leftOut } = await loadLocomoTalks(locomo)
    expect(talks.map((talk) => talk.units.every((unit) => unit.turns.length === 1))).toEqual(
      talks.map(() => true),
    )
    const questions = talks.flatMap((talk) => talk.questions)
    expect(questions.every(({ correct }) => correct.size > 0)).toBe(true)
    expect(leftOut['unanswerable']).toBeGreaterThan(0)
    expect(new Set(talks.map((talk) => talk.person)).size).toBe(talks.length)
  })

  it('asks nothing before all its evidence was said', async () => {
    const { talks } = await loadLocomoTalks(locomo)
    for (const { units, questions } of talks) {
      const sessionOf = new Map(units.map((unit) => [unit.id, unit.session]))
      for (const { correct, session } of questions) {
        expect(Math.max(...[...correct].map((id) => sessionOf.get(id) ?? 0))).toBe(session)
      }
    }
  })
})

describe('loadLocomoTalks', () => {
  it('names the file that is not there', async () => {
    await expect(loadLocomoTalks('/nowhere/locomo.json')).rejects.toThrow('/nowhere/locomo.json')
  })
})

const turnOf = (id: string, at: number) =>
  ({ id, role: 'user', speaker: 'Ana', text: id, at, zone: 'UTC' }) as const
const questionOf = (text: string, evidence: string[], answerable = true): DatasetQuestion => {
  return { id: text, text, askedAt: 9, category: 'single-hop', evidence, answerable }
}

describe('toTalk', () => {
  const sessions = [
    { id: 's001', turns: [turnOf('t0', 1), turnOf('t1', 2)] },
    { id: 's004', turns: [turnOf('t2', 3)] },
  ]
  const conversation: BenchConversation = {
    name: 'one',
    person: 'one',
    user: 'one',
    sessions,
    questions: [
      questionOf('first', ['t1']),
      questionOf('both', ['t2', 't0']),
      questionOf('nothing', [], false),
      questionOf('gone', ['t9']),
    ],
    ...gatherUnits(sessions, 'turns'),
  }

  it('counts sessions from 1, whatever their ids, and asks from the last evidence on', () => {
    const talk = toTalk(conversation)
    expect(talk.sessions).toBe(2)
    expect(talk.units.map(({ id, session }) => [id, session])).toEqual([
      ['t0', 1],
      ['t1', 1],
      ['t2', 2],
    ])
    expect(talk.questions).toEqual([
      { text: 'first', session: 1, correct: new Set(['t1']) },
      { text: 'both', session: 2, correct: new Set(['t2', 't0']) },
    ])
  })
})
