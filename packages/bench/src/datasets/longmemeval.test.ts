import { describe, expect, it } from 'vitest'
import { fixtureFile, readFixture, withField, writeScratch } from './testing/edit-fixture.ts'
import { openLongMemEval } from './longmemeval.ts'

const items = readFixture('longmemeval.json')

async function readItems(path: string, field: unknown) {
  const file = writeScratch('longmemeval.json', JSON.stringify(withField(items, path, field)))
  return Array.fromAsync((await openLongMemEval(file)).conversations())
}

describe('openLongMemEval', () => {
  it('is a conversation a question, its sessions in the order of their dates', async () => {
    const data = await openLongMemEval(fixtureFile('longmemeval.json'))
    expect([data.name, data.size]).toEqual(['longmemeval', 3])
    const [first] = await Array.fromAsync(data.conversations())
    expect(first?.sessions.map(({ id, turns }) => [id, turns.map(({ id: turn, at }) => [turn, at])])).toEqual(
      [
        // The reply in this one is blank, and dropped.
        ['s001', [['t00001', Date.UTC(2023, 4, 2, 11, 5)]]],
        [
          's002',
          [
            ['t00002', Date.UTC(2023, 4, 20, 2, 21)],
            ['t00003', Date.UTC(2023, 4, 20, 2, 21, 1)],
          ],
        ],
      ],
    )
  })

  it('takes the turns and sessions that answer for evidence', async () => {
    const conversations = await Array.fromAsync(
      (await openLongMemEval(fixtureFile('longmemeval.json'))).conversations(),
    )
    expect(conversations.flatMap(({ questions }) => questions)).toEqual([
      {
        id: 'q0001',
        text: 'Where do I keep my bees?',
        askedAt: Date.UTC(2023, 5, 2, 10),
        category: 'single-session-user',
        evidence: ['t00002'],
        answerable: true,
        answer: 'On the roof of the library',
      },
      {
        id: 'q0001',
        text: 'Where do I keep my goats?',
        askedAt: Date.UTC(2023, 5, 2, 10),
        category: 'single-session-user',
        evidence: [],
        answerable: false,
        answer: 'You did not mention goats, only bees.',
      },
      {
        id: 'q0001',
        text: 'How many hives do I have?',
        askedAt: Date.UTC(2023, 5, 3, 9, 30),
        category: 'multi-session',
        evidence: ['t00001', 't00003'],
        answerable: true,
        answer: '3',
      },
    ])
  })

  it('lets no published id through: they tell the answer', async () => {
    const conversations = await Array.fromAsync(
      (await openLongMemEval(fixtureFile('longmemeval.json'))).conversations(),
    )
    const ids = conversations.map(({ name, person, user, unitOf, sessionOf, sessions, questions }) => [
      [name, person, user],
      [...unitOf].flat(),
      [...sessionOf].flat(),
      sessions.map(({ id }) => id),
      questions.map(({ id, evidence }) => [id, evidence]),
    ])
    expect(JSON.stringify(ids)).not.toMatch(/answer|abs|noise|fx/)
  })

  it.each([
    ['1.question', undefined, 'item 1: question is missing'],
    ['2.haystack_sessions.1.0.content', 5, 'item 2: haystack_sessions[1][0].content should be a string'],
    ['0.haystack_sessions.0.0.has_answer', 'yes', 'haystack_sessions[0][0].has_answer should be a boolean'],
    ['0.haystack_dates.1', '20 May', 'item 0: haystack_dates[1] should read like “2023/05/20 (Sat) 02:21”'],
    ['0.haystack_dates', [], 'item 0: haystack_sessions has 2 sessions, and there are 2 ids and 0 dates'],
    ['0.answer_session_ids.0', 'gone', 'item 0: answer_session_ids[0] names no session of the haystack'],
    ['1.haystack_sessions.0', [], 'item 1: haystack_sessions has no turn in it'],
    ['1', 'x', 'item 1: it should be an object, and is a string'],
  ])('names the item and the field: %j', async (path, field, message) => {
    await expect(readItems(path, field)).rejects.toThrow(message)
  })
})
