import { describe, expect, it } from 'vitest'
import type { EventMap, Keepsake, ScopedMemory } from 'keepsake'
import type { PresetName } from '@keepsake/papers'
import type { ScriptedModel } from 'keepsake/model'
import { openForTest } from './open-for-test.ts'
import { answering, shown } from './script-model.ts'

const START = Date.parse('2024-03-04T18:00:00Z')

async function open(
  preset: PresetName,
  model: ScriptedModel,
): Promise<{ keepsake: Keepsake; ana: ScopedMemory }> {
  const keepsake = await openForTest({ preset, model, modelOptions: { retries: 0 } })
  return { keepsake, ana: keepsake.scope({ user: 'ana' }) }
}

async function session(ana: ScopedMemory, day: number, text: string): Promise<void> {
  const at = START + day * 86_400_000
  await ana.remember({ id: `t${day}`, role: 'user', text, at }, { session: `s${day}` })
  await ana.endSession(`s${day}`)
  await ana.drain()
}

function memoryOf(text: string): object {
  return { outcome: 'memory', events: [{ text, turns: [1] }], user: [], agent: [] }
}

/** A COMEDY whose session memories repeat what was said and whose portrait lists all it was shown. */
function comedy(): ScriptedModel {
  return answering({
    session_memory: (request) => {
      const words = shown(request)
      if (words.includes('weather')) return { outcome: 'nothing', events: [], user: [], agent: [] }
      if (words.includes('awful')) return { outcome: 'unsafe', events: [], user: [], agent: [] }
      return memoryOf(`The user said: ${/planted \w+/.exec(words)?.[0] ?? ''}.`)
    },
    compress_portrait: (request) => ({
      user: `Has ${[...shown(request).matchAll(/planted \w+/g)].map((match) => match[0]).join(', ')}.`,
      relationship: 'Friends.',
      events: '',
    }),
    text: 'You planted quinces.',
  })
}

describe('COMEDY', () => {
  it('compresses session memories into versions of a portrait, each naming what it rests on', async () => {
    const { ana } = await open('comedy', comedy())
    await session(ana, 0, 'I planted quinces.')
    await session(ana, 1, 'I planted leeks.')
    const { current, versions } = await ana.portrait()
    expect(versions).toHaveLength(2)
    expect(versions[0]?.sources).toHaveLength(1)
    expect(versions[0]?.validUntil).toBe(versions[1]?.validFrom)
    expect(current?.sources).toHaveLength(2)
    expect(current?.text).toContain('planted quinces, planted leeks')
    const memories = await ana.memories({ forms: ['summary'] })
    expect(memories.map((memory) => memory.id).sort()).toEqual([...(current?.sources ?? [])].sort())
  })

  it('takes "nothing" and "unsafe" as outcomes, tells them, and makes no portrait of them', async () => {
    const { keepsake, ana } = await open('comedy', comedy())
    const outcomes: EventMap['session-not-summarised'][0]['outcome'][] = []
    keepsake.on('session-not-summarised', ({ outcome }) => outcomes.push(outcome))
    await session(ana, 0, 'Nice weather.')
    await session(ana, 1, 'Something awful.')
    expect(outcomes).toEqual(['nothing', 'unsafe'])
    expect((await ana.portrait()).current).toBeNull()
    expect(await ana.memories()).toEqual([])
  })

  it('recalls the portrait and the running talk, and replies from these alone', async () => {
    const model = comedy()
    const { ana } = await open('comedy', model)
    await session(ana, 0, 'I planted quinces.')
    await ana.remember({ role: 'user', text: 'It rains.', at: START + 3 * 86_400_000 }, { session: 'now' })
    const recall = await ana.recall('anything')
    expect(recall.memories.map(({ memory }) => memory.form)).toEqual(['portrait', 'utterance'])
    const reply = await ana.reply(
      { role: 'user', text: 'What did I plant?', at: START + 3 * 86_400_000 + 60_000 },
      { session: 'now' },
    )
    expect(await reply.text).toBe('You planted quinces.')
    const asked = model.requests.at(-1)
    expect(asked === undefined ? '' : shown(asked)).toMatch(/quinces[\s\S]*It rains/)
  })

  it('hears a plain request to forget: neither memory, portrait nor any version of it tells the thing again', async () => {
    const model = answering({
      session_memory: (request) =>
        shown(request).includes('Please forget')
          ? { outcome: 'nothing', events: [], user: [], agent: [] }
          : {
              outcome: 'memory',
              events: ['Ruben left.', 'It rained.'].map((text) => ({ text, turns: [1] })),
              user: [],
              agent: [],
            },
      compress_portrait: (request) => ({
        user: 'Likes rain.',
        relationship: '',
        events: shown(request).includes('Ruben') ? 'Ruben left in May. It rained.' : 'It rained.',
      }),
    })
    const { ana } = await open('comedy', model)
    await session(ana, 0, 'Ruben left me in May. It rained.')
    expect((await ana.portrait()).current?.text).toContain('Ruben')
    await session(ana, 1, 'Please forget about Ruben.')
    const told = [...(await ana.memories()), ...(await ana.portrait()).versions].map((memory) => memory.text)
    expect(told.join('\n')).not.toContain('Ruben')
    expect((await ana.portrait()).current?.text).toContain('It rained')
  })

  it('drops a portrait when what it rests on is erased, and makes it anew without it', async () => {
    const { ana } = await open('comedy', comedy())
    await session(ana, 0, 'I planted quinces.')
    await session(ana, 1, 'I planted leeks.')
    await ana.erase({ sessions: ['s0'] })
    expect((await ana.portrait()).current).toBeNull()
    await session(ana, 2, 'I planted beans.')
    const { current } = await ana.portrait()
    expect(current?.text).toContain('planted leeks, planted beans')
    expect(current?.text).not.toContain('quinces')
  })
})

describe('Resum', () => {
  it('writes its memory anew from itself and the session', async () => {
    const model = answering({
      recursive_summary: (request) => ({
        memory: `${/"([^"]*knows[^"]*)"/.exec(shown(request))?.[1] ?? 'It knows'} ${[...shown(request).matchAll(/planted \w+/g)].at(-1)?.[0] ?? ''}`,
      }),
    })
    const { ana } = await open('resum', model)
    await session(ana, 0, 'I planted quinces.')
    await session(ana, 1, 'I planted leeks.')
    const { versions } = await ana.portrait()
    expect(versions.map((version) => version.text)).toEqual([
      'It knows planted quinces',
      'It knows planted quinces planted leeks',
    ])
  })
})
