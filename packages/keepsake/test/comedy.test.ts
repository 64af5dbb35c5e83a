import { comedy } from '@keepsake/papers'
import { describe, expect, it } from 'vitest'
import type { EventMap, Keepsake, ScopedMemory } from 'keepsake'
import type { LanguageRequest, ScriptedModel } from 'keepsake/model'
import { openForTest } from './open-for-test.ts'
import { answering, shown } from './script-model.ts'

const START = Date.parse('2024-03-04T18:00:00Z')
const DAY = 86_400_000
const NOTHING = { events: [], user: [], agent: [] }

interface Opened {
  readonly keepsake: Keepsake
  readonly ana: ScopedMemory
  readonly leftOut: EventMap['input-left-out'][0][]
}

async function open(model: ScriptedModel, windowTokens?: number): Promise<Opened> {
  const modelOptions = { retries: 0, ...(windowTokens === undefined ? {} : { windowTokens }) }
  const keepsake = await openForTest({ preset: comedy, model, modelOptions })
  const leftOut: EventMap['input-left-out'][0][] = []
  keepsake.on('input-left-out', (told) => leftOut.push(told))
  return { keepsake, ana: keepsake.scope({ user: 'ana' }), leftOut }
}

/** A session of so many rounds, each naming a thing of its own. */
async function talk(ana: ScopedMemory, day: number, rounds: number, words = ''): Promise<void> {
  const at = START + day * DAY
  const turns = Array.from({ length: rounds }, (_, n) => [
    { role: 'assistant', text: `And then? (${n})`, at: at + n * 60_000 } as const,
    { role: 'user', text: `I planted bed ${day}-${n}. ${words}`, at: at + n * 60_000 + 30_000 } as const,
  ]).flat()
  await ana.remember(turns, { session: `s${day}` })
}

async function session(ana: ScopedMemory, day: number, rounds: number, words = ''): Promise<void> {
  await talk(ana, day, rounds, words)
  await ana.endSession(`s${day}`)
  await ana.drain()
}

/** A sentence for each bed that a request's turns name. */
function tellBeds(request: LanguageRequest): object {
  const told = [...shown(request).matchAll(/^\[(\d+)\].*?planted (bed \d+-\d+)/gm)]
  const events = told.map(([, line, bed]) => ({ text: `The user planted ${bed}.`, turns: [Number(line)] }))
  return { outcome: 'memory', events, user: [], agent: [{ text: 'The agent is curious.', turns: [1] }] }
}

const bedsIn = (text: string): string[] => [...new Set(text.match(/bed \d+-\d+/g))]
const beds = (day: number, rounds: number): string[] =>
  Array.from({ length: rounds }, (_, n) => `bed ${day}-${n}`)
/** A portrait of the number of beds and the last of them. */
const portrait = (request: LanguageRequest): object => ({
  outcome: 'portrait',
  user: `Has ${bedsIn(shown(request)).slice(-30).join(', ')}.`,
  relationship: '',
  events: '',
})

describe('a session memory of COMEDY', () => {
  it('omits nothing of the session, however long that takes', async () => {
    const model = answering({ session_memory: tellBeds, compress_portrait: portrait })
    const { ana, leftOut } = await open(model)
    await session(ana, 0, 60)
    const [memory] = await ana.memories({ forms: ['summary'] })
    expect(bedsIn(memory?.text ?? '')).toEqual(beds(0, 60))
    expect(memory?.text).toContain('The agent is curious.')
    expect(leftOut).toEqual([])
  })

  it('is shown long turns whole', async () => {
    const model = answering({ session_memory: tellBeds, compress_portrait: portrait })
    const { ana } = await open(model)
    const pasted = Array.from({ length: 900 }, (_, n) => `word${n}`).join(' ')
    await session(ana, 0, 1, pasted)
    const asked = model.requests
      .filter(({ schemaName }) => schemaName === 'session_memory')
      .map(shown)
      .join('\n')
    expect(asked).toContain('word450')
  })

  it('of a session too long for the window is read in parts, and joined', async () => {
    const model = answering({ session_memory: tellBeds, compress_portrait: portrait })
    const { ana, leftOut } = await open(model, 4_000)
    await session(ana, 0, 80)
    const parts = model.requests.filter(({ schemaName }) => schemaName === 'session_memory')
    expect(parts.length).toBeGreaterThan(1)
    for (const part of parts) expect(part.system.length + shown(part).length).toBeLessThan(4 * 3_000)
    const [memory, ...others] = await ana.memories({ forms: ['summary'] })
    expect(others).toEqual([])
    expect(bedsIn(memory?.text ?? '')).toEqual(beds(0, 80))
    expect(leftOut).toEqual([])
  })

  it('leaves out a part that must not be kept, and says how much', async () => {
    const model = answering({
      session_memory: (request, call) => (call === 0 ? { ...NOTHING, outcome: 'unsafe' } : tellBeds(request)),
      compress_portrait: portrait,
    })
    const { ana, leftOut } = await open(model, 4_000)
    await session(ana, 0, 80)
    const [memory] = await ana.memories({ forms: ['summary'] })
    expect(bedsIn(memory?.text ?? '').length).toBeGreaterThan(10)
    expect(memory?.text).not.toContain('bed 0-0.')
    expect(leftOut).toMatchObject([{ what: 'turns', of: 160, cause: 'unsafe', prompt: 'session-memory/3' }])
  })
})

describe('the compression of COMEDY', () => {
  it('has an outcome for what must not be kept: no text of it, and the last portrait stays', async () => {
    const model = answering({
      session_memory: tellBeds,
      compress_portrait: (request, call) =>
        call === 1
          ? { outcome: 'unsafe', user: 'Sorry, I cannot.', relationship: '', events: '' }
          : portrait(request),
    })
    const { keepsake, ana } = await open(model)
    const told: EventMap['portrait-not-made'][0][] = []
    keepsake.on('portrait-not-made', (one) => told.push(one))
    await session(ana, 0, 1)
    await session(ana, 1, 1)
    const { current, versions } = await ana.portrait()
    expect(told).toMatchObject([{ session: 's1', outcome: 'unsafe' }])
    expect(versions).toHaveLength(1)
    expect(current).toMatchObject({ text: 'User: Has bed 0-0.', validUntil: null })
    await session(ana, 2, 1)
    expect((await ana.portrait()).current?.text).toContain('bed 1-0')
  })

  it('reads more sessions than the window holds in parts, each with the portrait of those before it', async () => {
    const model = answering({ session_memory: tellBeds, compress_portrait: portrait })
    const { ana, leftOut } = await open(model, 4_000)
    for (let day = 0; day < 12; day += 1) await session(ana, day, 30)
    const asked = model.requests.filter(({ schemaName }) => schemaName === 'compress_portrait').map(shown)
    const last = asked.slice(asked.findLastIndex((one) => !one.includes('<portrait>')))
    expect(last.length).toBeGreaterThan(1)
    expect(bedsIn(last.join('\n'))).toHaveLength(12 * 30)
    expect(leftOut).toEqual([])
  })

  it('is held to the five hundred characters of the paper in Chinese, and five hundred words in English', async () => {
    const sentence = '小雨喜欢在河边慢跑。'
    const model = answering({
      session_memory: {
        outcome: 'memory',
        events: [{ text: '小雨去跑步。', turns: [1] }],
        user: [],
        agent: [],
      },
      compress_portrait: { outcome: 'portrait', user: sentence.repeat(70), relationship: '', events: '' },
    })
    const { ana, leftOut } = await open(model)
    await ana.remember({ role: 'user', text: '我去河边跑步了。', at: START }, { session: 's' })
    await ana.endSession('s')
    await ana.drain()
    const characters = (await ana.portrait()).current?.text.match(/\p{Script=Han}/gu)?.length
    expect(characters).toBeGreaterThan(450)
    expect(characters).toBeLessThanOrEqual(502)
    const asked = model.requests.filter(({ schemaName }) => schemaName === 'compress_portrait')
    expect(asked[0]?.system).toContain('450个字')
    expect(asked).toHaveLength(2)
    expect(leftOut).toMatchObject([{ what: 'sentences', count: 15, of: 70, cause: 'length' }])
  })
})

describe('a reply of COMEDY', () => {
  const script = { session_memory: tellBeds, compress_portrait: portrait, text: 'Well done.' }

  it('is shown the whole running session', async () => {
    const model = answering(script)
    const { ana, leftOut } = await open(model)
    await talk(ana, 0, 50)
    const reply = await ana.reply({ role: 'user', text: 'What did I plant?' }, { session: 's0' })
    await reply.text
    const asked = model.requests.at(-1)
    expect(bedsIn(asked === undefined ? '' : shown(asked))).toEqual(beds(0, 50))
    expect(reply.leftOut).toEqual([])
    expect(leftOut).toEqual([])
  })

  it('tells how many turns there was no room for, and shows the latest without a gap', async () => {
    const model = answering(script)
    const { ana, leftOut } = await open(model, 4_000)
    await talk(ana, 0, 150)
    const reply = await ana.reply({ role: 'user', text: 'What did I plant?' }, { session: 's0' })
    await reply.text
    const asked = model.requests.at(-1)
    const seen = bedsIn(asked === undefined ? '' : shown(asked))
    expect(seen.length).toBeGreaterThan(20)
    expect(seen).toEqual(beds(0, 150).slice(-seen.length))
    const [left] = reply.leftOut
    expect(left).toMatchObject({ what: 'turns', of: 300, cause: 'window' })
    expect(300 - (left?.count ?? 0)).toBeGreaterThanOrEqual(2 * seen.length)
    expect(leftOut).toMatchObject([{ ...left, prompt: 'portrait-reply/1' }])
  })
})

it('a window that holds nothing is refused in a sentence', async () => {
  const model = answering({})
  await expect(openForTest({ preset: comedy, model, modelOptions: { windowTokens: 100 } })).rejects.toThrow(
    '"windowTokens" is 100: it must be a whole number from 2000.',
  )
})
