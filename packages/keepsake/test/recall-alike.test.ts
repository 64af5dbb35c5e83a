import { describe, expect, it } from 'vitest'
import type { RecallOptions, TurnInput } from 'keepsake'
import { openForTest } from './open-for-test.ts'

const DAY = 86_400_000
const START = Date.UTC(2026, 0, 1)
const NOW = START + 200 * DAY

interface Talk {
  readonly told: readonly ((pick: (from: readonly string[]) => string) => string)[]
  readonly asked: readonly string[]
}

const NAMES = ['Mira', 'Olek', 'Tess', 'Hugo', 'Ines', 'Bram']
const TOWNS = ['Gdansk', 'Faro', 'Uppsala', 'Cork', 'Trieste']
const HOBBIES = ['rowing', 'pottery', 'chess', 'fencing', 'beekeeping']
const TOWNS_ZH = ['苏州', '青岛', '昆明', '洛阳']
const HOBBIES_ZH = ['书法', '游泳', '钓鱼', '围棋']

const TALKS: Readonly<Record<string, Talk>> = {
  en: {
    told: [
      (pick) => `My friend ${pick(NAMES)} lives in ${pick(TOWNS)} and has taken up ${pick(HOBBIES)}.`,
      (pick) => `I moved to ${pick(TOWNS)} for work. It rains a lot! Still, I like it.`,
      (pick) => `"Never again," said ${pick(NAMES)} after the ${pick(HOBBIES)} class in ${pick(TOWNS)}.`,
      (pick) => `I love ${pick(HOBBIES)}, and ${pick(NAMES)} comes along on Sundays.`,
      () => 'The kettle broke this morning, so tea had to wait.',
    ],
    asked: [
      'Where do I live?',
      'Who comes along on Sundays?',
      'What did Mira take up?',
      'Does Olek live in Uppsala?',
      'What did I do in February?',
      'What happened last week?',
      'Tell me about my friends.',
      'Did I ever mention beekeping in Cork?',
      'What broke?',
    ],
  },
  zh: {
    told: [
      (pick) => `我搬到${pick(TOWNS_ZH)}了，最近在学${pick(HOBBIES_ZH)}。`,
      (pick) => `我妹妹住在${pick(TOWNS_ZH)}，她喜欢${pick(HOBBIES_ZH)}。`,
      (pick) => `周末跟同事去${pick(TOWNS_ZH)}玩，还看了${pick(HOBBIES_ZH)}比赛！`,
      () => '今天早上水壶坏了，只好晚点喝茶。',
    ],
    asked: ['我住在哪里？', '我妹妹喜欢什么？', '什么坏了？', '上周发生了什么？', '我和谁去了青岛？'],
  },
}

/** Numbers by Lehmer's generator, the same for the same seed. */
function picker(seed: number): (from: readonly string[]) => string {
  let state = seed
  return (from) => {
    state = (state * 48_271) % 2_147_483_647
    return from[state % from.length] ?? ''
  }
}

function turnsOf({ told }: Talk, seed: number): TurnInput[] {
  const pick = picker(seed)
  return Array.from({ length: 120 }, (_, at): TurnInput => {
    const text = at % 2 === 0 ? (told[(at / 2) % told.length]?.(pick) ?? '') : 'I see. What else is new?'
    return { role: at % 2 === 0 ? 'user' : 'assistant', text, at: START + at * DAY }
  })
}

describe.each(Object.entries(TALKS))('a recall of %s talk', (language, talk) => {
  it('hands out the same, whether the words of all that was found are read or only of what may be told', async () => {
    const memory = await openForTest({ now: () => NOW })
    for (const seed of [11, 12]) {
      const scope = memory.scope({ user: `${language}-${seed}` })
      await scope.remember(turnsOf(talk, seed), { session: 'one' })
      const ask = async (question: string, options: RecallOptions) => {
        const { milliseconds: _, ...recall } = await scope.recall(question, { reinforce: false, ...options })
        return recall
      }
      const each = async (options: RecallOptions) => {
        const all = []
        for (const question of talk.asked) all.push(await ask(question, options))
        return all
      }
      // As of a time everything that was found is read, since it may have said something else then.
      const compare = async (options: RecallOptions): Promise<void> =>
        expect(await each({ ...options, profile: false })).toEqual(await each({ ...options, asOf: NOW }))
      // While it is consolidated, what is found changes from one question to the next.
      await memory.drain()
      await compare({})
      await compare({ limit: 3 })
      await compare({ limit: 40, tokens: 4_000 })
    }
  })

  it('finds the same of a person just read from the file as of one in memory', async () => {
    const memory = await openForTest({ now: () => NOW })
    const scope = memory.scope({ user: language })
    await scope.remember(turnsOf(talk, 21), { session: 'one' })
    await memory.drain()
    const ask = async () => {
      const found = []
      for (const question of talk.asked) {
        const { milliseconds: _, ...recall } = await scope.recall(question, { reinforce: false })
        found.push(recall)
      }
      return found
    }
    const first = await ask()
    expect(await ask()).toEqual(first)
    expect(first.some(({ context }) => context.memories > 0)).toBe(true)
  })
})
