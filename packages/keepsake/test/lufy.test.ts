import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { EmbeddingModel, OpenOptions, ScopedMemory } from 'keepsake'
import type { LanguageRequest, ScriptedModel } from 'keepsake/model'
import { embeddedWordVectors } from '@keepsake/text'
import { calibrateMetrics, embeddedSignalCalibration } from '@keepsake/papers'
import { findPreset, lufy, lufyForgetting } from '@keepsake/papers'
import { openForTest } from './open-for-test.ts'
import { answering, shown } from './script-model.ts'

const START = Date.parse('2024-03-04T18:00:00Z')
const DAY = 86_400_000
const KEEP_ALL = { when: 'session-end', keep: 1 } as const

interface Rated {
  readonly ratings?: readonly number[]
  readonly asked?: LanguageRequest[]
}

/** A model that rates as it is told to, and writes short summaries that can be recognised. */
function scripted({ ratings = [], asked = [] }: Rated = {}): ScriptedModel {
  return answering({
    importance: (request) => {
      asked.push(request)
      const count = shown(request).match(/^\[\d+\]/gm)?.length ?? 0
      const rated = Array.from({ length: count }, (_, at) => ({
        number: at + 1,
        importance: ratings[at] ?? 3,
      }))
      return { ratings: rated }
    },
    persona_snapshot: { memories: [], forget: [] },
    session_summary: { sentences: [{ text: 'SESSION: they talked.', turns: [1] }] },
    key_summary: (_, call) => ({ summary: `KEY SUMMARY ${call + 1}: Ana keeps bees.` }),
    text: (request) => {
      asked.push(request)
      return 'I remember.'
    },
  })
}

async function open(options: OpenOptions = {}): Promise<ScopedMemory> {
  const keepsake = await openForTest({ preset: lufy, retention: KEEP_ALL, ...options })
  return keepsake.scope({ user: 'ana' })
}

/** A session of rounds: the agent says something, the user answers. */
async function talk(
  ana: ScopedMemory,
  day: number,
  rounds: readonly (readonly [agent: string, user: string])[],
): Promise<void> {
  const turns = rounds.flatMap(([agent, user], round) => [
    {
      role: 'assistant',
      text: agent,
      at: START + day * DAY + round * 60_000,
      id: `a${day}.${round}`,
    } as const,
    { role: 'user', text: user, at: START + day * DAY + round * 60_000 + 1, id: `u${day}.${round}` } as const,
  ])
  await ana.remember(turns, { session: `s${day}` })
  await ana.drain()
}

async function finish(ana: ScopedMemory, day: number): Promise<void> {
  await ana.endSession(`s${day}`)
  await ana.drain()
}

const HONEY = [
  ['What do your bees do?', 'My bees made forty jars of honey this summer.'],
  ['And the hive?', 'The hive with the honey bees stands under the old lime tree.'],
  ['Do you swim?', 'I swim in the cold river on Sundays.'],
] as const

describe('a reply of preset lufy', () => {
  it('is given the key summary, five utterances and one memory', async () => {
    const asked: LanguageRequest[] = []
    const ana = await open({ model: scripted({ asked }) })
    await talk(ana, 0, HONEY)
    await finish(ana, 0)
    const small = Array.from(
      { length: 5 },
      (_, at) => [`And then, ${at}?`, `Small talk number ${at}.`] as const,
    )
    await talk(ana, 1, small)
    const at = START + DAY + 3_600_000
    const reply = await ana.reply(
      { role: 'user', text: 'How much honey did my bees make?', at },
      { session: 's1' },
    )
    await reply.text
    const words = shown(asked.at(-1) ?? expect.fail('nothing was asked'))
    const [, summary = '', memory = '', turns = ''] =
      /<key_summary>\n(.*?)\n<\/key_summary>\n<memory>\n(.*?)\n<\/memory>\s+<turns>\n(.*?)\n<\/turns>/s.exec(
        words,
      ) ?? []
    expect(summary).toContain('KEY SUMMARY 1: Ana keeps bees.')
    expect(memory.split('\n')).toHaveLength(1)
    expect(memory).toContain('forty jars of honey')
    expect(turns.split('\n')).toHaveLength(5)
    expect(turns).toContain('How much honey did my bees make?')
    expect(turns).toContain('And then, 3?')
    expect(words).not.toContain('Small talk number 2.')
    expect(words).not.toContain('lime tree')
  })

  it('counts the second memory and shows it nowhere', async () => {
    const ana = await open({ model: scripted() })
    await talk(ana, 0, HONEY)
    await finish(ana, 0)
    const { memories, context } = await ana.recall('How much honey did the bees make?')
    const shownPairs = memories.filter(({ memory }) => memory.form === 'utterance')
    expect(shownPairs.map(({ memory }) => memory.text)).toEqual([expect.stringContaining('forty jars')])
    expect(context.text).not.toContain('lime tree')
    await ana.drain()
    const counts = Object.fromEntries(
      (await ana.memories({ forms: ['utterance'] })).map(({ text, use }) => [
        /forty|lime|swim/.exec(text)?.[0] ?? '',
        [use.first, use.second],
      ]),
    )
    expect(counts).toEqual({ forty: [1, 0], lime: [0, 1], swim: [0, 0] })
  })

  it('passes over memories that tell what the reply shows anyway, and counts those behind them', async () => {
    const asked: LanguageRequest[] = []
    const ana = await open({ model: scripted({ asked }), retention: KEEP_ALL })
    await talk(ana, 0, HONEY)
    await finish(ana, 0)
    await talk(ana, 1, [['Your bees?', 'Honey, honey, the bees made honey, forty jars of honey!']])
    const question = {
      role: 'user',
      text: 'How much honey did my bees make?',
      at: START + DAY + 9_000,
    } as const
    const reply = await ana.reply(question, { session: 's1' })
    await reply.text
    const used = reply.recall.memories.filter(({ memory }) => memory.form !== 'portrait')
    expect(used.flatMap(({ evidence }) => evidence.map(({ turn }) => turn)).sort()).toEqual(['a0.0', 'u0.0'])
    await ana.drain()
    const counted = (await ana.memories({ forms: ['utterance'] })).filter(({ use }) => use.first === 1)
    expect(counted.map(({ text }) => text)).toEqual([expect.stringContaining('this summer')])
  })

  it('goes on from the key summary after the sessions it was made of are forgotten, and has it rated against', async () => {
    const asked: LanguageRequest[] = []
    const model = scripted({ asked })
    const ana = await open({ model, retention: { when: 'session-end', keep: 0.1 } })
    for (const day of [0, 1, 2]) {
      await talk(ana, day, HONEY)
      await finish(ana, day)
    }
    // The strongest of what its session had, a summary outlasts exchanges; one of three stays.
    expect(await ana.memories({ forms: ['summary'] })).toHaveLength(1)
    const { current, versions } = await ana.portrait()
    expect(versions).toHaveLength(3)
    expect(current?.text).toBe('KEY SUMMARY 3: Ana keeps bees.')
    const written = model.requests.filter(({ schemaName }) => schemaName === 'key_summary').map(shown)
    expect(written[1]).toContain('KEY SUMMARY 1: Ana keeps bees.')
    const rated = asked.filter(({ schemaName }) => schemaName === 'importance').map(shown)
    expect(rated[2]).toContain('KEY SUMMARY 2: Ana keeps bees.')
  })

  it('has the profile come before it by the key summary', async () => {
    const ana = await open()
    await talk(ana, 0, [['Hi!', 'I live in Ghent.'], ...HONEY])
    await finish(ana, 0)
    expect((await ana.portrait()).current?.text).toContain('The user lives in Ghent.')
    expect((await ana.recall('anything at all')).context.text).toContain('The user lives in Ghent.')
  })
})

/** The built-in vectors pressed together: every cosine lies between .8 and 1, as with the paper's embedder. */
function narrowEmbedder(calls: string[][] = []): EmbeddingModel {
  const words = embeddedWordVectors()
  const pressed = (text: string): Float32Array => {
    const vector = words.embedNow(text)
    return Float32Array.from([Math.sqrt(0.8), ...vector.map((value) => value * Math.sqrt(0.2))])
  }
  return {
    id: 'narrow/1',
    dimensions: 193,
    embed: (texts) => {
      calls.push([...texts])
      return Promise.resolve(texts.map(pressed))
    },
  }
}

describe('the threshold of preset lufy', () => {
  it('suits an embedder whose cosines are all high', async () => {
    const ana = await open({ embedding: narrowEmbedder() })
    await talk(ana, 0, HONEY)
    await finish(ana, 0)
    const found = async (question: string): Promise<number> =>
      (await ana.recall(question)).memories.filter(({ memory }) => memory.form === 'utterance').length
    expect(await found('Which tax form does a Norwegian company send?')).toBe(0)
    expect(await found('How many jars of honey did the bees make?')).toBe(1)
  })

  it('is calibrated once and kept with the id of the embedder', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'keepsake-threshold-')), 'memory.db')
    const first = narrowEmbedder()
    const keepsake = await openForTest({ preset: lufy, path, embedding: first })
    const ana = keepsake.scope({ user: 'ana' })
    await talk(ana, 0, HONEY)
    await ana.recall('honey')
    const [kept] = await keepsake.records.listRecords({ collection: 'keepsake:cosine-thresholds' })
    expect(kept?.key).toBe('narrow/1')
    expect(kept?.value['en']).toBeGreaterThan(0.8)
    await keepsake.close()
    const calls: string[][] = []
    const again = await openForTest({ preset: lufy, path, embedding: narrowEmbedder(calls) })
    await again.scope({ user: 'ana' }).recall('honey')
    expect(calls.flat()).toHaveLength(1)
  })
})

/** A's, P's and L's of the pairs in a memory, in the order they were said. */
async function partsOf(ana: ScopedMemory, part: string): Promise<number[]> {
  const pairs = await ana.memories({ forms: ['utterance'] })
  const explained = await Promise.all(pairs.map(({ id }) => ana.explain(id)))
  return explained.map(({ strength }) => strength?.parts[part] ?? Number.NaN)
}

const TEN = Array.from({ length: 10 }, (_, at) => [`Well, ${at}?`, `Something of the day, ${at}.`] as const)

describe('the metrics of preset lufy', () => {
  it('tell ratings 4 to 7 apart without letting them span everything', async () => {
    const ratings = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    const ana = await open({ model: scripted({ ratings }) })
    await talk(ana, 0, TEN)
    const L = await partsOf(ana, 'L')
    expect(L).toEqual(L.toSorted((one, other) => one - other))
    const [, , , four = 0, , , seven = 0, , nine = 0] = L
    expect(four).toBeGreaterThan(0)
    expect(nine).toBeGreaterThan(seven + 0.1)
    expect(seven - four).toBeCloseTo((3 / 27.5) * 2.13, 3)
  })

  it('tell perplexities from 10 to 160 apart', async () => {
    const perplexities = [10, 20, 40, 80, 160, 300, 1_000, 10, 10, 10]
    let said = 0
    const surprise = { id: 'gpt2', surprise: () => perplexities[said++] ?? 0 }
    const ana = await open({ surprise })
    await talk(ana, 0, TEN)
    const P = await partsOf(ana, 'P')
    expect((P[4] ?? 0) - (P[0] ?? 0)).toBeGreaterThan(0.5)
    expect(P[1]).toBeGreaterThan(P[0] ?? 1)
    expect(P[6]).toBe(P[4])
  })

  it('count every retrieval, none as nothing', async () => {
    const ana = await open()
    await talk(ana, 0, HONEY)
    await finish(ana, 0)
    for (let time = 0; time < 12; time += 1) {
      await ana.recall('How much honey did the bees make?')
      await ana.drain()
    }
    const [R1, times] = [await partsOf(ana, 'R1'), await partsOf(ana, 'times first')]
    expect(times).toEqual([12, 0, 0])
    expect(R1).toEqual([expect.closeTo(12 * 0.629, 2), 0, 0])
  })

  it('are mapped by whatever the memories of other models measured', async () => {
    let said = 0
    const surprise = { id: 'odd', surprise: () => 1_000 + 10 * said++ }
    const ana = await open({ surprise })
    await talk(ana, 0, TEN)
    const calibration = calibrateMetrics(await ana.memories({ forms: ['utterance'] }), { source: 'odd' })
    const preset = { ...findPreset('lufy'), policy: lufyForgetting({ calibration }) }
    said = 0
    const fitted = await open({ surprise, preset })
    await talk(fitted, 0, TEN)
    const P = await partsOf(fitted, 'P')
    expect(P.reduce((sum, value) => sum + value, 0) / P.length).toBeCloseTo(0.2835, 3)
    expect(P[9]).toBeGreaterThan(P[0] ?? 1)
    expect(calibration.first).toEqual(embeddedSignalCalibration().first)
  })

  it('weigh what fitted weights say', async () => {
    const weights = { arousal: 0, surprise: 0, importance: 7, first: 0, second: 0 }
    const calibration = {
      ...embeddedSignalCalibration(),
      importance: { cap: null, slope: 0, offset: 0.25 },
    }
    const policy = lufyForgetting({ weights: { source: 'mine', weights, calibration } })
    const ana = await open({ preset: { ...findPreset('lufy'), policy } })
    await talk(ana, 0, HONEY)
    expect(await partsOf(ana, 'S')).toEqual([1.75, 1.75, 1.75])
  })
})
