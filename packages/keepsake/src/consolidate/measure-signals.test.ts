import { describe, expect, it } from 'vitest'
import { openForTest } from '../../test/open-for-test.ts'
import { answering } from '../../test/script-model.ts'
import { ModelError } from '@keepsake/text'
import { makeMemory } from '../memories/memory-fixture.ts'
import { scriptedModel } from '../models/adapters/scripted-language-model.ts'
import type { LanguageModel } from '../models/language-model.ts'
import type { SurpriseContext } from '../models/model-ports.ts'
import { keepsake } from '../presets/keepsake.ts'
import { makeTurn } from '../turns/turn-fixture.ts'
import type { Turn } from '../turns/turn.ts'
import { listen, openEngine, storeMemories, storeTurns } from '../work/engine-fixture.ts'
import { measureSignals } from './measure-signals.ts'

/** An engine whose signals are plain: arousal and importance are the length of the text, surprise what it is read against. */
async function open(model?: LanguageModel, importance: 'signal' | 'model' = 'model') {
  const read: SurpriseContext[] = []
  const place = await openEngine({
    preset: { ...keepsake(), importance },
    arousal: { id: 'test/length', arousal: (texts) => texts.map((text) => text.length) },
    surprise: { id: 'test/history', surprise: (_, context) => read.push(context) },
    importance: { id: 'test/length', importance: (text) => text.length },
    ...(model === undefined ? {} : { model }),
  })
  const measure = (...units: Turn[][]) => measureSignals(place.engine, place.row, units)
  return { place, measure, read }
}

const user = (text: string, position = 1) => makeTurn({ text, position })
const agent = (text: string, position = 1) => makeTurn({ text, role: 'assistant', position })
/** A model that rates each round by its number. */
const rating = () =>
  answering({
    importance: (request) => {
      const count = [...(request.messages.at(-1)?.text ?? '').matchAll(/^\[\d+\]/gm)].length
      const ratings = Array.from({ length: count }, (_, place) => ({
        number: place + 1,
        importance: place + 1,
      }))
      return { ratings }
    },
  })

describe('what is measured of a round', () => {
  it('is of the user’s words, read against what the agent said before', async () => {
    const { measure, read } = await open()
    const signals = await measure(
      [agent('Where do you live?'), user('In Lyon.')],
      [user('Well,'), user('no.')],
    )
    expect(signals).toEqual([
      { arousal: 8, surprise: 1, importance: 8 },
      { arousal: 9, surprise: 2, importance: 9 },
    ])
    expect(read.map(({ previous }) => previous)).toEqual(['Where do you live?', ''])
  })

  it('is nothing of nothing', async () => {
    expect(await (await open()).measure()).toEqual([])
  })
})

describe('what surprise is read against', () => {
  it('is what the user said earlier, and in the rounds before', async () => {
    const { place, measure, read } = await open()
    await storeTurns(
      place,
      { text: 'one' },
      { text: 'two', role: 'assistant' },
      { text: 'three' },
      { text: 'four' },
    )
    await measure([user('four', 4)], [user('five', 5)])
    expect(read.map(({ history }) => history)).toEqual([
      ['one', 'three'],
      ['one', 'three', 'four'],
    ])
  })

  it('is the latest 48 of the latest 96 turns', async () => {
    const { place, measure, read } = await open()
    await storeTurns(place, ...Array.from({ length: 100 }, (_, at) => ({ text: `said ${at + 1}` })))
    await measure([user('now', 101)], [user('then', 60)])
    expect([read[0]?.history[0], read[0]?.history.length]).toEqual(['said 53', 48])
    expect([read[1]?.history[0], read[1]?.history.at(-1)]).toEqual(['said 54', 'now'])
    const other = await open()
    const talk = Array.from(
      { length: 100 },
      (_, at) => ({ text: `said ${at + 1}`, role: at < 97 ? 'assistant' : 'user' }) as const,
    )
    await storeTurns(other.place, { text: 'too early' }, { text: 'just in time' }, ...talk.slice(7))
    await other.measure([user('now', 98)])
    expect(other.read[0]?.history[0]).toBe('just in time')
  })
})

describe('importance by the language model', () => {
  it('is asked ten rounds a call, with what was summarised before', async () => {
    const model = rating()
    const { place, measure } = await open(model)
    await storeMemories(
      place,
      makeMemory({ id: 'old', form: 'summary', text: `${'o'.repeat(1_990)} They met.` }),
      makeMemory({ id: 'gone', form: 'summary', text: 'They quarrelled.', status: 'deleted' }),
      makeMemory({ id: 'new', form: 'summary', text: 'They parted.' }),
      makeMemory({ id: 'said', text: 'Never mind.' }),
    )
    const signals = await measure(...Array.from({ length: 12 }, (_, at) => [user(`said ${at}`)]))
    expect(signals.map(({ importance }) => importance)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1, 2])
    const shown = model.requests.map(({ messages }) => messages.at(-1)?.text ?? '')
    expect(shown).toHaveLength(2)
    const summary = /<summary>\n"(.*)"\n<\/summary>/.exec(shown[0] ?? '')?.[1]
    expect(summary).toBe(`${'o'.repeat(2_000 - ' They met. They parted.'.length)} They met. They parted.`)
  })

  it('is of rounds in which the user spoke; of the others the engine’s own', async () => {
    const model = rating()
    const { measure } = await open(model)
    const signals = await measure(
      [agent('Hello there.')],
      [user('Hi.')],
      [agent('How are you?')],
      [user('Well.')],
    )
    expect(signals.map(({ importance }) => importance)).toEqual([12, 1, 12, 2])
  })

  it('is asked in the language of the talk', async () => {
    const model = rating()
    const { measure } = await open(model)
    await measure([user('我搬到了里昂。')])
    expect(model.requests[0]?.system).toContain('给用户说的每句话打分')
  })

  it('is not asked where the preset does not want it, or nobody is the user', async () => {
    const quiet = await open(scriptedModel([]), 'signal')
    expect(await quiet.measure([user('Hi.')])).toMatchObject([{ importance: 3 }])
    const alone = await open(scriptedModel([]))
    expect(await alone.measure([agent('Hello.')])).toMatchObject([{ importance: 6 }])
    expect(await (await open()).measure([user('Hi.')])).toMatchObject([{ importance: 3 }])
  })

  it('gives way to the engine’s own for a batch that the model cannot be made to rate, and says so', async () => {
    let calls = 0
    const model = scriptedModel(() => {
      calls += 1
      const ratings = [{ number: 1, importance: 9 }]
      return calls <= 2 ? 'no idea' : JSON.stringify({ ratings })
    })
    const { place, measure } = await open(model)
    const told = listen(place, 'background-failed')
    const signals = await measure(...Array.from({ length: 11 }, () => [user('Hi.')]))
    expect(signals.map(({ importance }) => importance)).toEqual([3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 9])
    expect(told).toMatchObject([{ error: { code: 'model-answer' } }])
  })

  it('is waited for when the model is away', async () => {
    const { measure } = await open(scriptedModel([new ModelError('away')]))
    await expect(measure([user('Hi.')])).rejects.toThrow('away')
  })
})

it('measures long rounds a few at a time, so that nobody waits for all of them', async () => {
  const asked: number[] = []
  const keepsake = await openForTest({
    arousal: {
      id: 'counting',
      arousal: (texts: readonly string[]) => {
        asked.push(texts.reduce((sum, text) => sum + text.length, 0))
        return texts.map(() => 3)
      },
    },
  })
  const ana = keepsake.scope({ user: 'ana' })
  const text = 'and so on '.repeat(200)
  await ana.remember(Array.from({ length: 24 }, () => ({ role: 'user' as const, text })))
  await ana.endSession()
  await keepsake.drain()
  expect(asked.reduce((sum, length) => sum + length, 0)).toBeGreaterThanOrEqual(12 * 2_000)
  expect(Math.max(...asked)).toBeLessThanOrEqual(4_100)
})
