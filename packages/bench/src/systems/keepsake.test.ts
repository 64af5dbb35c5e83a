import { findPreset, PRESET_NAMES } from '@keepsake/papers'
import { ModelError } from 'keepsake'
import { expect, it } from 'vitest'
import { keepsakeSystem } from './keepsake.ts'

it('claims no ranking of turns where a preset searches for nothing', async () => {
  const compressive = PRESET_NAMES.filter((name) => findPreset(name).ranking.kind === 'whole')
  expect(compressive).toEqual(expect.arrayContaining(['comedy', 'resum']))
  for (const preset of compressive) {
    const memory = await keepsakeSystem(preset).open({ user: 'ana', model: null, embedding: null })
    const found = await memory.retrieve('Where does she live?', { limit: 5, at: 0, tokens: 500 })
    expect(found).toMatchObject({ turns: null, sessions: null, confidence: null })
    await memory.close()
  }
})

it('can do without parts of its ranking, where it has them', async () => {
  const nobody = { user: 'ana', model: null, embedding: null }
  const told = { session: 's1', endsSession: true } as const
  const turn = {
    id: 't1',
    role: 'user',
    speaker: 'Ana',
    text: 'I live in Lyon.',
    at: 1,
    zone: 'UTC',
  } as const
  const found = async (without: Parameters<typeof keepsakeSystem>[1]) => {
    const memory = await keepsakeSystem('keepsake', without).open(nobody)
    await memory.addDialogue({ ...told, turns: [turn] })
    const { turns } = await memory.retrieve('Lyon', { limit: 5, at: 2, tokens: 100 })
    await memory.close()
    return turns?.[0]?.score ?? 0
  }
  expect(await found({ without: ['lexical', 'semantic'] })).toBeLessThan(await found({}))
  await expect(async () => keepsakeSystem('comedy', { without: ['lexical'] }).open(nobody)).rejects.toThrow(
    /comedy has no parts to switch off/,
  )
})

it.each(['storing', 'a question'] as const)('measures nothing without vectors: %s fails', async (step) => {
  let isAway = step === 'storing'
  const embedding = {
    id: 'test/fading',
    dimensions: 2,
    embed: async (texts: readonly string[]) => {
      if (isAway) throw new ModelError('the embedder is away')
      return texts.map(() => Float32Array.of(1, 0))
    },
  }
  const memory = await keepsakeSystem('keepsake').open({ user: 'ana', model: null, embedding })
  const turn = { id: 't1', role: 'user', speaker: 'Ana', text: 'I keep bees.', at: 1, zone: 'UTC' } as const
  const stored = memory.addDialogue({ session: 's1', endsSession: true, turns: [turn] })
  if (step === 'storing') await expect(stored).rejects.toThrow('the embedder is away')
  else {
    await stored
    isAway = true
    const asked = memory.retrieve('What does she keep?', { limit: 5, at: 2, tokens: 100 })
    await expect(asked).rejects.toThrow('the embedder is away')
  }
  await memory.close()
})
