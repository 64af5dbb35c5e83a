import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { fixtureFile, readFixture, withField, writeScratch } from './testing/edit-fixture.ts'
import { openHaluMem } from './halumem.ts'

const user = readFixture('halumem.jsonl')

async function readUser(path: string, field: unknown) {
  const file = writeScratch('halumem.jsonl', `\n${JSON.stringify(withField(user, path, field))}\n`)
  return Array.fromAsync((await openHaluMem(file)).conversations())
}

describe('openHaluMem', () => {
  it('reads sessions in order, with opaque ids and the times of the turns', async () => {
    const data = await openHaluMem(fixtureFile('halumem.jsonl'))
    expect([data.name, data.language, data.size]).toEqual(['halumem', 'en', 1])
    const [conversation] = await Array.fromAsync(data.conversations())
    expect(conversation?.user).toBe('Ilse Brandt')
    expect(conversation?.sessions.map(({ id, turns }) => [id, ...turns.map((turn) => turn.id)])).toEqual([
      ['s001', 't00001', 't00002', 't00003', 't00004'],
      ['s002', 't00005', 't00006'],
      ['s003', 't00007', 't00008', 't00009'],
    ])
    const last = conversation?.sessions[2]?.turns.map(({ role, speaker, at }) => [role, speaker, at])
    const dec15 = Date.UTC(2025, 11, 15, 6, 11, 23)
    // The third turn has no timestamp of its own.
    expect(last).toEqual([
      ['user', 'Ilse Brandt', dec15],
      ['assistant', 'assistant', dec15],
      ['user', 'Ilse Brandt', dec15],
    ])
    expect(data.leftOut()).toEqual({})
  })

  it('keeps what each session should leave, interference and updates told apart', async () => {
    const [conversation] = await Array.fromAsync(
      (await openHaluMem(fixtureFile('halumem.jsonl'))).conversations(),
    )
    const [first, inserted, last] = conversation?.sessions ?? []
    expect(first?.gold).toMatchObject([
      { id: 'g0001', type: 'persona', source: 'primary', isUpdate: false, replaces: [], importance: 1 },
      { id: 'g0002', text: 'Ilse Brandt collects music boxes', source: 'interference', importance: 1 },
    ])
    expect(last?.gold).toEqual([
      {
        id: 'g0003',
        text: 'Ilse Brandt teaches watchmaking',
        type: 'event',
        source: 'secondary',
        isUpdate: true,
        isCalledUpdate: true,
        replaces: ['Ilse Brandt restores old clocks'],
        importance: 0.75,
        turns: [],
      },
    ])
    expect([first?.isScored, inserted?.isScored, inserted?.gold]).toEqual([undefined, false, undefined])
  })

  it('takes an update that names nothing it replaces for a new memory, as the published script does', async () => {
    for (const originals of [[], null]) {
      const [conversation] = await readUser('sessions.2.memory_points.0.original_memories', originals)
      expect(conversation?.sessions[2]?.gold).toMatchObject([{ isUpdate: false, replaces: [] }])
    }
  })

  it('asks right after the session, and counts what was never said as not answerable', async () => {
    const [conversation] = await Array.fromAsync(
      (await openHaluMem(fixtureFile('halumem.jsonl'))).conversations(),
    )
    expect(conversation?.questions).toEqual([
      {
        id: 'q0001',
        text: 'What does Ilse restore?',
        askedAt: Date.UTC(2025, 8, 4, 19, 10),
        category: 'Basic Fact Recall',
        evidence: [],
        answerable: true,
        answer: 'Old clocks',
        keyPoints: ['Ilse Brandt restores old clocks'],
        after: 's001',
      },
      {
        id: 'q0002',
        text: "What is Ilse's brother called?",
        askedAt: Date.UTC(2025, 8, 4, 19, 10),
        category: 'Memory Boundary',
        evidence: [],
        answerable: false,
        answer: 'Unknown; she never mentioned one.',
        keyPoints: [],
        after: 's001',
      },
    ])
  })

  it('takes an inserted session without memory points or questions', async () => {
    const [conversation] = await readUser('sessions.1.memory_points', undefined)
    expect(conversation?.sessions[1]?.isScored).toBe(false)
  })

  it.each([
    ['uuid', 7, 'line 2: uuid should be a string, and is a number'],
    ['sessions', [], 'line 2: sessions should have a session'],
    ['sessions.2.dialogue.0.content', undefined, 'line 2: sessions[2].dialogue[0].content is missing'],
    ['sessions.0.dialogue.1.role', 'bot', 'sessions[0].dialogue[1].role should be "user" or "assistant"'],
    ['sessions.0.dialogue', [], 'sessions[0].dialogue should have a turn'],
    ['sessions.0.start_time', 'noon', 'sessions[0].start_time should read like “Dec 15, 2025, 08:41:23”'],
    ['sessions.0.end_time', 'Feb 30, 2025, 08:41:23', 'sessions[0].end_time should read like'],
    ['sessions.0.memory_points', undefined, 'sessions[0].memory_points is missing'],
    ['sessions.0.memory_points.0.memory_type', 'Dream', 'memory_points[0].memory_type should be Persona'],
    [
      'sessions.0.memory_points.0.memory_source',
      'x',
      'memory_points[0].memory_source should be "primary" or',
    ],
    ['sessions.0.memory_points.0.is_update', 'yes', 'memory_points[0].is_update should be "True" or "False"'],
    ['sessions.0.memory_points.0.importance', -1, 'memory_points[0].importance should not be below 0'],
    ['sessions.0.questions.0.answer', null, 'questions[0].answer should be a string or a number'],
    [
      'sessions.0.questions.0.evidence.0',
      'x',
      'questions[0].evidence[0] should be an object, and is a string',
    ],
    ['language', 'de', 'line 2: language should be "en" or "zh"'],
  ])('names the line and the field: %j', async (path, field, message) => {
    await expect(readUser(path, field)).rejects.toThrow(message)
  })

  it('says when nothing tells a session’s time', async () => {
    const timeless = { dialogue: [{ role: 'user', content: 'Hello.' }], memory_points: [] }
    await expect(readUser('sessions.0', timeless)).rejects.toThrow(
      'line 2: sessions[0] has no time: neither start_time nor a timestamp',
    )
  })
})

describe('the people that ship', () => {
  it.each([
    ['marisol-vega.jsonl', 'en', 7, 37],
    ['he-yuting.jsonl', 'zh', 8, 38],
    ['fergus-baird.jsonl', 'en', 5, 30],
    ['duan-qiming.jsonl', 'zh', 5, 30],
  ])('%s is read in %s, with its sessions and questions', async (file, language, sessions, questions) => {
    const path = fileURLToPath(new URL(`../../data/people/${file}`, import.meta.url))
    const [person] = await Array.fromAsync((await openHaluMem(path)).conversations())
    expect(person).toMatchObject({ language })
    expect(person?.sessions).toHaveLength(sessions)
    expect(person?.questions).toHaveLength(questions)
    const gold = person?.sessions.flatMap((session) => session.gold ?? []) ?? []
    expect(gold.filter(({ isUpdate }) => isUpdate).length).toBeGreaterThanOrEqual(20)
    expect(gold.some(({ source }) => source === 'interference')).toBe(true)
  })
})
