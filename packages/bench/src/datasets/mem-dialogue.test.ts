import { describe, expect, it } from 'vitest'
import { fixtureFile, readFixture, withField, writeScratch } from './testing/edit-fixture.ts'
import { openMemDialogue } from './mem-dialogue.ts'

const theme = readFixture('mem-dialogue.jsonl')

async function readThemes(...themes: readonly unknown[]) {
  const file = writeScratch('themes.jsonl', themes.map((each) => JSON.stringify(each)).join('\n'))
  return Array.fromAsync((await openMemDialogue(file)).conversations())
}

describe('openMemDialogue', () => {
  it('is a conversation of one session a theme, with what each user turn should do', async () => {
    const data = await openMemDialogue(fixtureFile('mem-dialogue.jsonl'))
    expect([data.name, data.language, data.size]).toEqual(['mem-dialogue', 'en', 1])
    const [conversation] = await Array.fromAsync(data.conversations())
    expect(conversation).toMatchObject({ name: 'test/theme-001', user: 'Ada' })
    expect(conversation?.sessions).toHaveLength(1)
    expect(conversation?.sessions[0]?.operations).toEqual([
      { turn: 't00001', kind: 'add', target: null, text: 'Ada works as a baker' },
      { turn: 't00003', kind: 'add', target: null, text: 'Ada learns Finnish' },
      { turn: 't00005', kind: 'modify', target: 'Ada works as a baker', text: 'Ada drives a tram' },
      { turn: 't00007', kind: 'delete', target: 'Ada learns Finnish', text: null },
      { turn: 't00009', kind: 'none', target: null, text: null },
    ])
    expect(conversation?.questions).toEqual([
      {
        id: 'q0001',
        text: "What is Ada's job?",
        askedAt: Date.UTC(2026, 0, 5, 9, 4, 20),
        category: 'modify',
        evidence: ['t00005'],
        answerable: true,
        answer: 'She drives a tram.',
      },
    ])
    expect(conversation?.unitOf.get('t00006')).toBe('t00005')
  })

  it.each([
    ['operations.1.turn', 1, 'operations[1].turn should be 2: one operation a user turn, in order'],
    ['operations.4.kind', undefined, 'operations[4].kind is missing'],
    ['operations.2.before', null, 'operations[2].before should be a text for modify'],
    ['operations.3.after', 'x', 'operations[3].after should be null for delete'],
    ['operations.0.memory', null, 'operations[0].memory is needed for add'],
    [
      'operations.2.before',
      'Ada naps',
      'operations[2].before is not what m1 says by then: “Ada works as a baker”',
    ],
    ['operations.2.memory', 'm9', 'operations[2].before is not what m9 says by then: “nothing”'],
    ['operations.0.kind', 'forget', 'operations[0].kind should be "add" or "modify" or "delete" or "none"'],
    ['question.operation', 5, 'question.operation is 5, and operations has 5 entries'],
    ['question.operation', -1, 'question.operation should be an index of `operations`'],
    ['dialogue.0.at', 'Monday', 'dialogue[0].at should read like “2026-01-05T09:00:00Z”'],
    ['dialogue.1.role', 'bot', 'dialogue[1].role should be "user" or "assistant" or "agent"'],
    ['split', 'dev', 'split should be "train" or "test"'],
  ])('names the line and the field: %j', async (path, field, message) => {
    await expect(readThemes(withField(theme, path, field))).rejects.toThrow(`line 1: ${message}`)
  })

  it('wants an operation for every user turn', async () => {
    await expect(readThemes(withField(theme, 'operations', []))).rejects.toThrow(
      'line 1: operations has 0 entries for 5 user turns: one a turn is wanted',
    )
  })

  it('wants one language in a file', async () => {
    await expect(readThemes(theme, withField(theme, 'language', 'zh'))).rejects.toThrow(
      'line 2: language should be "en"',
    )
  })
})
