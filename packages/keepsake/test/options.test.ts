import { moom, presetNamed } from '@keepsake/papers'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { InvalidInputError, openMemory, type ModelCall, type OpenOptions } from 'keepsake'
import { findPreset, PRESET_NAMES, type PresetName } from '@keepsake/papers'
import { PRESET_OPTIONS, whyUnused, type PresetOption } from 'keepsake/preset'
import { scriptedModel } from 'keepsake/model'
import { openForTest } from './open-for-test.ts'
import { answering } from './script-model.ts'

const GIVEN = {
  embedding: {
    id: 'test/embedder',
    dimensions: 1,
    embed: async (texts) => texts.map(() => Float32Array.of(1)),
  },
  reranking: { id: 'test/reranker', rerank: async (_, texts) => texts.map(() => 0) },
  arousal: { id: 'test/arousal', arousal: async (texts: readonly string[]) => texts.map(() => 3) },
  surprise: { id: 'test/surprise', surprise: async () => 10 },
  importance: { id: 'test/importance', importance: () => 5 },
  rules: [],
  exchangesPerExtraction: 3,
  guidelines: { never: 'salary' },
  categories: { food: 'Food.' },
  keys: { goals: { description: 'Goals.', schema: { type: 'string' } } },
} as const satisfies { readonly [Option in PresetOption]: NonNullable<OpenOptions[Option]> }

/** Whether a preset with a language model takes an option, and what it says when it does not. */
async function opening(preset: PresetName, option: PresetOption): Promise<string> {
  const model = scriptedModel([])
  const given = { [option]: GIVEN[option] } as OpenOptions
  try {
    await (await openMemory({ path: ':memory:', preset: presetNamed(preset), model, ...given })).close()
    return 'opened'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

describe('an option that a preset cannot use', () => {
  it.each(PRESET_NAMES)('is refused in a sentence by %s, and any other is taken', async (preset) => {
    for (const option of PRESET_OPTIONS) {
      const why = whyUnused(findPreset(preset, { model: true }), option)
      expect(await opening(preset, option)).toBe(
        why === null
          ? 'opened'
          : `${option} would have no effect: preset ${preset} cannot use it, since ${why}. Leave it out, or choose another preset.`,
      )
    }
  })

  it('is read from the record of a preset that an application made', async () => {
    const preset = { ...findPreset('moom'), name: 'mine', ranking: { kind: 'whole' } as const }
    await expect(openMemory({ path: ':memory:', preset, reranking: GIVEN.reranking })).rejects.toThrow(
      'reranking would have no effect: preset mine cannot use it, since it does not reorder what was found',
    )
  })

  it('a preset with two branches of one kind is refused', async () => {
    const { branches, ...rest } = findPreset('keepsake')
    const preset = { ...rest, name: 'mine', branches: [...branches, ...branches.slice(-1)] }
    await expect(openMemory({ path: ':memory:', preset })).rejects.toThrow(
      'Preset mine has two branches of kind facts',
    )
  })

  it('is exchangesPerExtraction where there is no model to read', async () => {
    await expect(openMemory({ path: ':memory:', preset: moom, exchangesPerExtraction: 2 })).rejects.toThrow(
      'exchangesPerExtraction would have no effect: preset moom cannot use it, since no language model reads the talk for it.',
    )
  })

  it('stands in the table of the documentation as the presets say', () => {
    const docs = readFileSync(new URL('../../../docs/presets.md', import.meta.url), 'utf8')
    const rows = PRESET_NAMES.map((name) => {
      const preset = findPreset(name, { model: true })
      return [name, ...PRESET_OPTIONS.map((option) => (whyUnused(preset, option) === null ? 'yes' : '–'))]
    })
    const found = docs
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim().replaceAll('`', '')),
      )
    expect(found).toContainEqual(['preset', ...PRESET_OPTIONS])
    for (const row of rows) expect(found).toContainEqual(row)
  })
})

describe('a reranking model with moom', () => {
  it('puts what is recalled in order', async () => {
    const keepsake = await openForTest({
      preset: moom,
      reranking: {
        id: 'test/cats-first',
        rerank: async (_, texts) => texts.map((text) => (text.includes('cat') ? 1 : 0)),
      },
    })
    const ana = keepsake.scope({ user: 'ana' })
    await ana.remember(['I love owls.', 'I love cats.'].map((text) => ({ role: 'user', text }) as const))
    await ana.endSession()
    await ana.drain()
    const { memories } = await ana.recall('Which owls do I love?')
    expect(memories[0]?.memory.text).toContain('cats')
    expect(memories[0]?.parts).toHaveProperty('reranked')
  })
})

describe('models that differ by task', () => {
  const snapshot = {
    persona_snapshot: {
      people: [{ person: 'user', entries: [{ key: 'likes', value: 'owls', turns: [1] }] }],
    },
  }
  const story = { story_summary: { sentences: [{ text: 'They watched owls.', turns: [1] }] } }
  const talk = Array.from({ length: 30 }, (_, at) => ({ role: 'user', text: `Owl ${at}.` }) as const)

  it('are each asked for their own, told with each call, and named in what they made', async () => {
    const large = Object.assign(answering({ ...story, text: 'Owls.' }), { id: 'large' })
    const tuned = Object.assign(answering(snapshot), { id: 'tuned' })
    const keepsake = await openForTest({ preset: moom, model: large, models: { extraction: tuned } })
    const calls: ModelCall[] = []
    keepsake.on('model-called', (call) => calls.push(call))
    const ana = keepsake.scope({ user: 'ana' })
    await ana.remember(talk)
    await ana.drain()
    await (
      await ana.reply({ role: 'user', text: 'What did we see?' })
    ).text
    await ana.drain()
    const told = new Set(
      calls.map(({ task, model, prompt }) => [task, model, prompt.split('/')[0]].join(' ')),
    )
    expect([...told].sort()).toEqual([
      'extraction tuned persona-snapshot',
      'reply large reply',
      'story large story-summary',
    ])
    const made = await ana.memories({ forms: ['fact', 'story'] })
    const byModel = made.filter(({ origin }) => origin.model !== null)
    expect(new Set(byModel.map(({ form, origin }) => `${form} ${origin.model ?? ''}`))).toEqual(
      new Set(['fact tuned', 'story large']),
    )
  })

  it('may be one for replies alone, over what rules read', async () => {
    const keepsake = await openForTest({ preset: moom, models: { reply: answering({ text: 'Owls.' }) } })
    const ana = keepsake.scope({ user: 'ana' })
    await ana.remember({ role: 'user', text: 'I love owls.' })
    await ana.endSession()
    await ana.drain()
    expect((await ana.memories({ forms: ['fact'] })).map(({ value }) => value)).toEqual(['owls'])
    expect(await (await ana.reply({ role: 'user', text: 'What do I love?' })).text).toBe('Owls.')
  })

  it('share one budget', async () => {
    const keepsake = await openForTest({
      preset: moom,
      model: answering(story),
      models: { extraction: answering(snapshot) },
      modelOptions: { retries: 0, budget: { calls: 3 } },
    })
    const outcomes: string[] = []
    keepsake.on('model-called', ({ task, outcome }) => outcomes.push(`${task ?? ''} ${outcome}`))
    const ana = keepsake.scope({ user: 'ana' })
    await ana.remember(talk)
    await ana.drain()
    expect(outcomes.slice(0, 4)).toEqual([
      ...Array.from({ length: 3 }, () => 'extraction answered'),
      'story over-budget',
    ])
  })

  it.each([
    [
      { portrait: scriptedModel([]) },
      'models.portrait would never be asked: preset moom asks a language model for extraction, story, reply. Leave it out.',
    ],
    [
      { extraction: scriptedModel([]) },
      'models names no model for story: preset moom asks a language model for extraction, story, reply. Give models.story, or model for all that models leaves open.',
    ],
  ])('are refused in a sentence where they cannot work', async (models, why) => {
    await expect(openMemory({ path: ':memory:', preset: moom, models })).rejects.toThrow(why)
  })
})

describe('what openMemory is given', () => {
  it('is refused by name where there is no such option, with the one that was likely meant', async () => {
    const wrong = { path: ':memory:', retentoin: null } as unknown as OpenOptions
    await expect(openMemory(wrong)).rejects.toThrow(
      'openMemory() has no option "retentoin". Did you mean "retention"?',
    )
    const foreign = { path: ':memory:', topK: 3 } as unknown as OpenOptions
    await expect(openMemory(foreign)).rejects.toThrow(/no option "topK"\. There are: path, store, preset/)
  })

  it.each([
    [{ path: 5 }, '`path` must be a string, but it is the number 5.'],
    [
      { path: ':memory:', store: 'here' },
      '`store` must be an object with "listScopes()", but it is a string',
    ],
    [
      { path: ':memory:', embedding: 'small' },
      '`embedding` must be an embedding model, an object with "id" and',
    ],
    [{ path: ':memory:', reranking: {} }, '`reranking` must be an object with "rerank()", but it is a value'],
    [{ path: ':memory:', rules: 'all' }, '`rules` must be a list, but it is a string of 3 characters.'],
    [{ path: ':memory:', now: 5 }, '`now` must be a function, but it is the number 5.'],
    [{ path: ':memory:', preset: 5 }, '`preset` must be a string, an object or a function'],
    [{ path: ':memory:', maskSecrets: null }, '`maskSecrets` must be a boolean, but it is null.'],
  ])('is refused in a sentence where it is of another kind: %j', async (wrong, why) => {
    const opening = openMemory(wrong as unknown as OpenOptions)
    await expect(opening).rejects.toThrow(InvalidInputError)
    await expect(opening).rejects.toThrow(why)
  })

  it('is accepted under a former name of an option, and checked as the new one', async () => {
    const former = { path: ':memory:', readEvery: 0 } as unknown as OpenOptions
    await expect(openMemory(former)).rejects.toThrow('`exchangesPerExtraction` must be a whole number')
  })

  it('may be undefined, which is as good as absent', async () => {
    const keepsake = await openMemory({
      path: ':memory:',
      model: undefined,
      preset: undefined,
      embedding: undefined,
    })
    expect(keepsake.preset.name).toBe('keepsake')
    await keepsake.close()
  })

  it("may hold the AI SDK's models as they are", async () => {
    const asked: unknown[] = []
    const model = {
      specificationVersion: 'v4',
      provider: 'test',
      modelId: 'echo',
      supportedUrls: {},
      doGenerate: async (call: unknown) => {
        asked.push(call)
        return {
          content: [{ type: 'text', text: 'In Lyon.' }],
          finishReason: 'stop',
          usage: {},
          warnings: [],
        }
      },
      doStream: async () => {
        throw new Error('not asked')
      },
    }
    const given = {
      path: ':memory:',
      exchangesPerExtraction: 1,
      model,
      models: { reply: model },
    } as unknown as OpenOptions
    const keepsake = await openMemory(given)
    const ana = keepsake.scope({ user: 'ana' })
    await ana.remember({ role: 'user', text: 'I moved to Lyon last week.' }, { session: '1' })
    await ana.remember({ role: 'user', text: 'Hello again.' }, { session: '2' })
    await ana.drain()
    expect(asked.length).toBeGreaterThan(0)
    await keepsake.close()
  })
})
