import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDataset } from '@keepsake/bench'
import { describe, expect, it } from 'vitest'
import { says } from '../material/fill-template.ts'
import { jsonLines, sha256 } from '../summarise-generated.ts'
import { generateHalumem } from './generate-halumem.ts'
import { halumemUserSchema, QUESTION_TYPES, type HalumemUser } from './published-form.ts'
import type { Point } from './point.ts'
import { verifySession } from './write-user.ts'

const common = { seed: 1, users: 5, sessions: 20 } as const
const made = {
  en: await generateHalumem({ ...common, language: 'en' }),
  zh: await generateHalumem({ ...common, language: 'zh' }),
}

/** Returns the turns of a role in a session. */
function turnsOf(user: HalumemUser, session: number, role: 'user' | 'assistant'): string[] {
  const dialogue = user.sessions[session]?.dialogue ?? []
  return dialogue.flatMap((turn) => (turn.role === role ? [turn.content] : []))
}

function updatesWithoutOriginal(user: HalumemUser): string[] {
  const earlier = new Set<string>()
  return user.sessions.flatMap(({ memory_points: points }) => {
    const missing = points.flatMap((point) => point.original_memories.filter((text) => !earlier.has(text)))
    for (const point of points) if (point.memory_source !== 'interference') earlier.add(point.memory_content)
    return missing
  })
}

describe.each(['en', 'zh'] as const)('a generated HaluMem set in %s', (language) => {
  const { users, values, templates } = made[language]
  const sessions = users.flatMap((user) => user.sessions)

  it('has the published form', () => {
    for (const user of users) expect(halumemUserSchema.safeParse(user).error).toBeUndefined()
  })

  it('has 5 users of 20 sessions of at least 10 rounds, with 6 to 11 memory points each', () => {
    expect(users.map((user) => user.sessions.length)).toEqual([20, 20, 20, 20, 20])
    for (const session of sessions) {
      expect(session.dialogue_turn_num).toBeGreaterThanOrEqual(10)
      expect(session.dialogue).toHaveLength(2 * session.dialogue_turn_num)
      expect(session.memory_points.length).toBeGreaterThanOrEqual(6)
      expect(session.memory_points.length).toBeLessThanOrEqual(11)
      expect(session.memory_points.map(({ index }) => index)).toEqual(
        session.memory_points.map((_, at) => at + 1),
      )
    }
  })

  it('has all four sources and all three types for every user, and all six types of questions among them', () => {
    const types = sessions.flatMap((session) => session.questions.map((one) => one.question_type))
    expect(new Set(types)).toEqual(new Set(QUESTION_TYPES))
    for (const user of users) {
      const points = user.sessions.flatMap((session) => session.memory_points)
      expect(new Set(points.map((point) => point.memory_source)).size).toBe(4)
      expect(new Set(points.map((point) => point.memory_type)).size).toBe(3)
    }
  })

  it('asks questions after the last stage of an event, in the number and types for its stages and kind', () => {
    for (const user of users) {
      const introductions = user.sessions.slice(0, 3)
      for (const { questions } of introductions) {
        expect(questions.length).toBeGreaterThanOrEqual(1)
        expect(questions.length).toBeLessThanOrEqual(3)
        for (const { question_type: type } of questions)
          expect(['Basic Fact Recall', 'Memory Boundary', 'Memory Conflict']).toContain(type)
      }
      // Questions about a career event come after its last stage.
      expect(user.sessions.some(({ questions }) => questions.length === 0)).toBe(true)
      expect(user.sessions.some(({ questions }) => questions.length > 4)).toBe(true)
      for (const { questions } of user.sessions)
        expect(new Set(questions.map(({ question }) => question)).size).toBe(questions.length)
    }
  })

  it('updates only points of earlier sessions, in more than a tenth of its points', () => {
    for (const user of users) expect(updatesWithoutOriginal(user)).toEqual([])
    const points = sessions.flatMap((session) => session.memory_points)
    const updates = points.filter((point) => point.is_update === 'True')
    expect(updates.length / points.length).toBeGreaterThan(0.1)
    for (const { is_update: is, original_memories: originals } of points)
      expect(is === 'True').toBe(originals.length > 0)
  })

  it('has every point in a turn of the user, and every false claim only in turns of the agent', () => {
    const byUuid = new Map(users.map((user) => [user.uuid, user]))
    expect(values.length).toBe(sessions.reduce((sum, session) => sum + session.memory_points.length, 0))
    for (const { uuid, session, index, value } of values) {
      const user = byUuid.get(uuid)
      if (user === undefined) throw new Error(`There is no user ${uuid}.`)
      const point = user.sessions[session]?.memory_points[index - 1]
      const saidBy = (role: 'user' | 'assistant') =>
        turnsOf(user, session, role).some((turn) => says(turn, value))
      if (point?.memory_source !== 'interference') expect(saidBy('user'), point?.memory_content).toBe(true)
      else {
        expect(saidBy('assistant'), point.memory_content).toBe(true)
        const ever = user.sessions.flatMap((_, place) => turnsOf(user, place, 'user'))
        expect(
          ever.some((turn) => says(turn, value)),
          point.memory_content,
        ).toBe(false)
      }
    }
  })

  it('bases every answer on points stated so far', () => {
    for (const user of users) {
      const told = new Set<string>()
      for (const { memory_points: points, questions } of user.sessions) {
        for (const point of points) if (point.memory_source !== 'interference') told.add(point.memory_content)
        for (const { evidence, question_type: type } of questions) {
          expect(evidence.length === 0).toBe(type === 'Memory Boundary')
          for (const { memory_content: text } of evidence) expect(told).toContain(text)
        }
      }
    }
  })

  it('uses only templates of the test split by default, and none of them for the other split', async () => {
    for (const id of templates) expect(id).toMatch(/\/test\/\d+$/)
    const train = await generateHalumem({ ...common, users: 1, language, split: 'train' })
    for (const id of train.templates) expect(id).toMatch(/\/train\/\d+$/)
  })

  it('leaves no place unfilled', () => {
    expect(jsonLines(users)).not.toMatch(/\{\w+\}|undefined|\.\./)
  })

  it('is read by the loader of the published files', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'keepsake-')), 'halumem.jsonl')
    await writeFile(file, jsonLines(users))
    const dataset = await openDataset('halumem', file)
    const read = await Array.fromAsync(dataset.conversations())
    expect(read.map((one) => one.sessions.length)).toEqual([20, 20, 20, 20, 20])
    const questions = sessions.reduce((sum, session) => sum + session.questions.length, 0)
    expect(read.reduce((sum, one) => sum + one.questions.length, 0)).toBe(questions)
  })
})

describe('generateHalumem', () => {
  it.each([
    ['en', '4997670d1b49f8aa'],
    ['zh', '72198219de9544a4'],
  ] as const)('gives the bytes that it always gave for a seed in %s', (language, hash) => {
    expect(sha256(jsonLines(made[language].users)).slice(0, 16)).toBe(hash)
  })

  it('gives the same users for the same seed, whatever their number, and other users for another seed', async () => {
    const two = await generateHalumem({ ...common, users: 2, language: 'en' })
    expect(two.users).toEqual(made.en.users.slice(0, 2))
    const other = await generateHalumem({ ...common, seed: 2, users: 1, language: 'en' })
    expect(other.users[0]).not.toEqual(two.users[0])
  })

  it('adds marked sessions and unrelated rounds without points in the Long variant', async () => {
    const { users } = await generateHalumem({ ...common, language: 'en', variant: 'long' })
    const sessions = users.flatMap((user) => user.sessions)
    const inserted = sessions.filter((session) => session.is_generated_qa_session === true)
    expect(sessions.length - inserted.length).toBe(100)
    expect(inserted).toHaveLength(77)
    for (const session of inserted) {
      expect([session.memory_points, session.questions]).toEqual([[], []])
      expect(session.dialogue_turn_num).toBeGreaterThanOrEqual(10)
    }
    const times = users.map((user) => user.sessions.map(({ start_time: time }) => Date.parse(`${time} UTC`)))
    for (const own of times) expect(own).toEqual([...own].sort((a, b) => a - b))
    const long = sessions.filter((session) => session.is_generated_qa_session === undefined)
    const rounds = (list: HalumemUser['sessions']) =>
      list.reduce((sum, one) => sum + one.dialogue_turn_num, 0)
    expect(rounds(long)).toBe(1_238)
  })

  it('makes the smallest and the largest number of sessions', async () => {
    for (const sessions of [5, 70]) {
      const { users } = await generateHalumem({ ...common, users: 3, sessions, language: 'zh' })
      expect(users.map((user) => user.sessions.length)).toEqual([sessions, sessions, sessions])
    }
  })

  it('refuses invalid numbers of sessions and users', async () => {
    const options = { seed: 1, language: 'en' } as const
    await expect(generateHalumem({ ...options, sessions: 4 })).rejects.toThrow(/ask for 5 to 70/)
    await expect(generateHalumem({ ...options, users: 0 })).rejects.toThrow(/0 users/)
  })
})

describe('verifySession', () => {
  const point: Point = {
    text: 'Ana rows.',
    type: 'persona',
    source: 'primary',
    importance: 1,
    replaces: [],
    isEnd: false,
    value: 'rowing',
    said: '',
    reply: '',
    subject: { key: 'sport' },
  }
  const claim: Point = { ...point, text: 'Ana fences.', source: 'interference', value: 'fencing' }
  const round = (user: string, agent: string) => ({ user, agent, points: [] })

  it('accepts a session in which the user states the point and the agent the claim', () => {
    expect(verifySession([point, claim], [round('I love rowing.', 'And fencing, surely?')])).toEqual([])
  })

  it('finds a point that only the agent says', () => {
    expect(verifySession([point], [round('Hello.', 'You love rowing!')])).toEqual([
      'The person never says "rowing": Ana rows.',
    ])
  })

  it('finds a claim that the agent omits, and one that the user says now or said before', () => {
    expect(verifySession([claim], [round('Hello.', 'Hi.')])).toHaveLength(1)
    expect(verifySession([claim], [round('Fencing, yes.', 'So you do fencing?')])).toHaveLength(1)
    expect(verifySession([claim], [round('Hm.', 'So you do fencing?')], ['I did fencing.'])).toHaveLength(1)
  })
})
