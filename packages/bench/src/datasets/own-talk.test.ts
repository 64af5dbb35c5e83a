import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { takeRounds } from '../cost/take-rounds.ts'
import { loadOwnTalk } from './own-talk.ts'

const TURN = { session: 's1', id: 't1', role: 'user', text: 'Hello.', at: '2026-05-01T12:00:00+02:00' }

function talkOf(turn: object, notes?: object): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-talk-'))
  const file = join(folder, 'talk-en.jsonl')
  writeFileSync(file, `${JSON.stringify(turn)}\n`)
  if (notes !== undefined) writeFileSync(join(folder, 'talk-en.notes.json'), JSON.stringify(notes))
  return loadOwnTalk(file)
}

describe('a talk of our own', () => {
  it.each(['nadia-en', 'haoran-zh'])('%s has a hundred rounds, and questions about them', async (name) => {
    const talk = await loadOwnTalk(name)
    const { rounds, turns, sessions, questions, leftOut } = takeRounds(talk, 1_000)
    expect([rounds, turns, sessions.length, leftOut]).toEqual([100, 200, 8, 0])
    expect(questions).toHaveLength(30)
    expect(talk.dataHash).toMatch(/^[\da-f]{64}$/)
  })

  it('keeps the offset of its times, and takes the speaker for the user where no notes name them', async () => {
    expect(await talkOf({ ...TURN, speaker: 'Ana' })).toMatchObject({
      name: 'talk-en',
      conversation: { user: 'Ana', questions: [], sessions: [{ turns: [{ at: Date.UTC(2026, 4, 1, 10) }] }] },
    })
  })

  it('carries the reference answer where the notes have one', async () => {
    const questions = [
      { question: 'Who?', answer: 'Ana.', evidence: ['t1'] },
      { question: 'When?', evidence: ['t1'] },
    ]
    const read = {
      questions: [{ answer: 'Ana.' }, expect.not.objectContaining({ answer: expect.anything() })],
    }
    expect(await talkOf(TURN, { questions })).toMatchObject({ conversation: read })
  })

  it.each([
    [{ ...TURN, at: 'noon' }, {}, /line 1: at should read like/],
    [{ ...TURN, role: 'system' }, {}, /line 1: role should be "user" or "assistant" or "agent"/],
    [{ ...TURN, session: null }, {}, /line 1: session should be a string, and is null/],
    [TURN, { questions: [{ question: 'Who?', evidence: ['t9'] }] }, /question 1 names t9, which is no turn/],
    [TURN, { questions: [{ evidence: [] }] }, /the notes: questions\[0\].question is missing/],
  ])('says where it is wrong', async (turn, notes, message) => {
    await expect(talkOf(turn, notes)).rejects.toThrow(message)
  })
})
