import { scriptedModel, type ScriptedModel } from 'keepsake/model'
import { describe, expect, it } from 'vitest'
import type { PersonaAnswer } from './prompts/persona.ts'
import { generateHalumem } from './generate-halumem.ts'
import { halumemUserSchema } from './published-form.ts'

const persona: PersonaAnswer = {
  name: 'Ana Bell',
  gender: 'Female',
  birthDate: '1990-03-04',
  location: 'Lyon',
  education: 'Master of Music',
  personality: ['calm'],
  family: ['Her father repairs clocks.'],
  lifeGoal: 'Found a choir.',
  work: { title: 'cellist', employer: 'City Orchestra', monthlyIncome: '3000' },
  health: { body: 'well', mind: 'well' },
  relationships: [{ name: 'Tom', relation: 'friend', about: 'They row together.' }],
  preferences: ['food', 'music', 'films', 'sport', 'travel', 'books'].map((category) => ({
    category,
    likes: [`old ${category}`],
    dislikes: [`new ${category}`],
  })),
}

/** Counts the numbered lines between tags. */
const count = (text: string, tag: string): number =>
  [...(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(text)?.[1] ?? '').matchAll(/^\(\d+\)/gm)].length

let made = 0

/** The answers of a good model, by the id of the prompt. */
function answerTo(prompt: string, text: string): unknown {
  made += 1
  const id = prompt.replace(/^generate-|\/\d+$/g, '')
  switch (id) {
    case 'persona':
      return persona
    case 'verify-draft':
      return { faults: [] }
    case 'life-skeleton':
      return {
        careerEvents: [
          { name: 'Solo', stages: [{ name: 'First concert', day: '2025-10-01', changes: 'Plays alone.' }] },
        ],
        tasteSteps: [
          { category: 'food', attitude: 'likes', before: 'old food', after: null, day: '2025-09-20' },
        ],
      }
    case 'narrate-events':
      return { events: [1, 2].map((number) => ({ number, description: `Event ${number} happened.` })) }
    case 'session-points': {
      const known = count(text, 'known')
      const points = Array.from({ length: 6 }, (_, place) => ({
        text: `Ana Bell has point ${made}.${place}.`,
        type: place === 0 ? 'persona' : 'event',
        primary: place === 0,
        importance: 0.5,
        replaces: place === 0 && known > 0 ? [known] : [],
      }))
      const claims = ['a', 'b'].map((name) => ({ text: `Ana Bell claims ${made}${name}.`, type: 'persona' }))
      return { summary: 'A talk.', points, claims }
    }
    case 'session-dialogue':
      return {
        rounds: Array.from({ length: Number(/<rounds>\s*"(\d+)"/.exec(text)?.[1]) }, (_, place) => ({
          user: `Said ${made} ${place}`,
          agent: `Well ${made} ${place}`,
        })),
      }
    case 'verify-points':
      return {
        points: Array.from({ length: 6 }, (_, place) => ({
          number: place + 1,
          round: place === 5 ? null : place + 1,
          text: `Ana Bell checked point ${made}.${place}.`,
        })),
        claims: [
          { number: 1, round: 7, confirmed: false },
          { number: 2, round: 8, confirmed: true },
        ],
      }
    default: {
      const wanted = [...text.matchAll(/"([A-Z][^":]+): (\d+)"/g)].map(
        ([, type = '', of]) => [type, Number(of)] as const,
      )
      const asked = wanted.flatMap(([type, of]) => Array.from({ length: of }, (_, at) => ({ type, at })))
      return {
        questions: asked.map(({ type, at }) => ({
          type,
          question: `${type} ${at}?`,
          answer: 'So.',
          evidence: type === 'Memory Boundary' ? [] : type === 'Multi-hop Inference' ? [1, 2] : [1],
          difficulty: 'easy',
        })),
      }
    }
  }
}

function writer(answerOf: typeof answerTo = answerTo): ScriptedModel {
  return scriptedModel(({ prompt = '', messages }) =>
    JSON.stringify(answerOf(prompt, messages[0]?.text ?? '')),
  )
}

const options = { seed: 1, users: 1, sessions: 5, language: 'en' } as const

describe('a HaluMem user by a language model', () => {
  it('goes through all six stages, in the published form', async () => {
    const model = writer()
    const { users, failures } = await generateHalumem({ ...options, model })
    const [user] = users
    expect(failures).toEqual([])
    expect(halumemUserSchema.safeParse(user).error).toBeUndefined()
    expect(user?.persona_info).toContain('Name: Ana Bell; Gender: Female')
    expect(user?.sessions.map((session) => session.start_time.slice(0, 6))).toEqual([
      'Sep 04',
      'Sep 05',
      'Sep 06',
      'Sep 20',
      'Oct 01',
    ])
    expect(model.requests).toHaveLength(3 + 2 + 5 * 4)
  })

  it('tells the narrator whether a taste that ends was a like, and the plan when it begins', async () => {
    const model = writer()
    await generateHalumem({ ...options, model })
    const shown = (prompt: string) =>
      model.requests.find((request) => request.prompt?.startsWith(prompt))?.messages[0]?.text ?? ''
    expect(shown('generate-narrate-events')).toContain('"2025-09-20 food: no longer likes old food"')
    expect(shown('generate-life-skeleton')).toContain('<day>\n"2025-09-06"')
    expect(shown('generate-session-dialogue')).toContain('<day>\n"2025-09-04"')
  })

  it('keeps the checked points that the person said, and the claims that nobody confirmed', async () => {
    const { users } = await generateHalumem({ ...options, model: writer() })
    const sessions = users[0]?.sessions ?? []
    const told = ['primary', ...Array.from({ length: 4 }, () => 'secondary')]
    const introduced = told.map(() => 'system')
    expect(sessions.map(({ memory_points: points }) => points.map((point) => point.memory_source))).toEqual(
      [introduced, introduced, introduced, told, told].map((sources) => [...sources, 'interference']),
    )
    for (const { memory_points: points } of sessions) {
      expect(points[0]?.memory_content).toMatch(/checked point/)
    }
  })

  it('lets a point replace one of an earlier session', async () => {
    const { users } = await generateHalumem({ ...options, model: writer() })
    const sessions = users[0]?.sessions ?? []
    const [before, after] = [sessions[0]?.memory_points ?? [], sessions[1]?.memory_points ?? []]
    expect(after[0]?.is_update).toBe('True')
    expect(before.map((point) => point.memory_content)).toContain(after[0]?.original_memories[0])
  })

  it('asks for the faults of a draft, and asks again with them', async () => {
    const model = writer((prompt, text) =>
      prompt.startsWith('generate-verify-draft') && !text.includes('faults')
        ? { faults: ['Her father is younger than she is.'] }
        : answerTo(prompt, text),
    )
    const { failures } = await generateHalumem({ ...options, model })
    expect(failures).toEqual([])
    for (const id of ['generate-persona', 'generate-life-skeleton']) {
      const [first, second] = model.requests.filter(({ prompt = '' }) => prompt.startsWith(id))
      expect(first?.messages[0]?.text).not.toContain('faults')
      expect(second?.messages[0]?.text).toContain('Her father is younger than she is.')
    }
  })

  it('plans a later session from the persona of that time', async () => {
    const model = writer()
    await generateHalumem({ ...options, model })
    const plans = model.requests.filter(({ prompt = '' }) => prompt.startsWith('generate-session-points'))
    const shown = plans.map(({ messages }) => messages[0]?.text.split('<known>')[0])
    expect(shown[0]).toContain('likes old food')
    expect(shown.at(-1)).not.toContain('likes old food')
    expect(shown.at(-1)).toMatch(/Ana Bell checked point/)
  })

  it('reports a session that fails, and goes on with the next', async () => {
    let talks = 0
    const model = writer((prompt, text) => {
      if (!prompt.startsWith('generate-session-dialogue')) return answerTo(prompt, text)
      talks += 1
      return talks <= 4 ? { rounds: [] } : answerTo(prompt, text)
    })
    const { users, failures } = await generateHalumem({ ...options, model })
    expect(users[0]?.sessions).toHaveLength(4)
    expect(failures.map(({ what }) => what)).toEqual(['Ana Bell, First introduction'])
    expect(failures[0]?.reason).toMatch(/generate-session-dialogue\/4: There are 0 rounds/)
  })

  it('reports a life that cannot be made, and returns no user for it', async () => {
    const model = writer((prompt, text) =>
      prompt.startsWith('generate-persona') ? {} : answerTo(prompt, text),
    )
    const { users, failures } = await generateHalumem({ ...options, model })
    expect(users).toEqual([])
    expect(failures).toMatchObject([{ what: 'user 1' }])
  })
})
