import { describe, expect, it } from 'vitest'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EVERYDAY_FOLDER, EVERYDAY_KINDS, loadEveryday } from './everyday.ts'
import { requirePath } from '../benchmark/require-path.ts'

const TURN = { id: 't001', session: 's1', at: '2025-03-02T19:04:00Z', role: 'user', text: 'I sold the boat.' }
const QUESTION = {
  id: 'q01',
  text: 'Do I have a boat?',
  kind: 'changed',
  asked_at: '2025-03-09T12:00:00Z',
  answerable: true,
  answer: 'not any more',
  evidence: [['t001']],
}

function writeTalk(turn: object, question: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'everyday-'))
  writeFileSync(join(folder, 'bea.turns.jsonl'), JSON.stringify(turn))
  writeFileSync(join(folder, 'bea.questions.jsonl'), JSON.stringify(question))
  return folder
}

describe('everyday talk', () => {
  it('ships with talks in both languages that hold every kind of question', async () => {
    const { conversations: plain } = await loadEveryday(EVERYDAY_FOLDER)
    const { conversations: ofWriters } = await loadEveryday(
      join(EVERYDAY_FOLDER, '../everyday-writers/check'),
    )
    const conversations = [...plain, ...ofWriters]
    for (const language of ['en', 'zh']) {
      const own = conversations.filter((one) => one.language === language)
      expect(own.length).toBeGreaterThanOrEqual(3)
      const kinds = new Set(own.flatMap(({ questions }) => questions.map(({ category }) => category)))
      expect([...kinds].toSorted()).toEqual([...EVERYDAY_KINDS].toSorted())
    }
    for (const { sessions, questions } of conversations) {
      const times = sessions.flatMap(({ turns }) => turns.map(({ at }) => at))
      expect(times).toEqual(times.toSorted((one, other) => one - other))
      expect(questions.every(({ askedAt }) => askedAt > Math.max(...times))).toBe(true)
    }
  })

  it('takes the name from the file, and leaves unnamed who is unnamed in the talk', async () => {
    const [talk] = (await loadEveryday(writeTalk(TURN, QUESTION))).conversations
    expect(talk).toMatchObject({ name: 'bea', user: 'bea', language: 'en' })
    expect(talk?.sessions[0]?.turns).toEqual([
      { ...TURN, session: undefined, at: Date.parse(TURN.at), speaker: 'user', isNamed: false, zone: 'UTC' },
    ])
    expect(talk?.questions).toMatchObject([
      { category: 'changed', askedAt: Date.parse(QUESTION.asked_at), evidenceGroups: [['t001']] },
    ])
  })

  it.each([
    [{ evidence: [['t009']] }, /line 1: evidence names t009, which is no turn of the talk/],
    [{ evidence: [] }, /evidence should name turns for what is answerable/],
    [{ evidence: [[]] }, /evidence\[0\] should name a turn/],
    [{ kind: 'trick' }, /kind should be "first-person" or/],
  ])('refuses a question with %o', async (wrong, problem) => {
    await expect(loadEveryday(writeTalk(TURN, { ...QUESTION, ...wrong }))).rejects.toThrow(problem)
  })

  it('says what it looked for where there is no talk', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'everyday-'))
    await expect(loadEveryday(empty)).rejects.toThrow(/holds no talk: a NAME\.turns\.jsonl/)
    await expect(loadEveryday(join(empty, 'none'))).rejects.toThrow(/there is no such file or folder/)
  })
})

it('only what ships can be measured without a path', () => {
  expect(requirePath('everyday', undefined)).toBe(EVERYDAY_FOLDER)
  expect(requirePath('everyday', '/talks')).toBe('/talks')
  expect(() => requirePath('locomo', undefined)).toThrow(/name its file or folder with --path/)
})
