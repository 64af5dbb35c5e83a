import { describe, expect, it } from 'vitest'
import { findPreset, type PresetName } from './find-preset.ts'
import { keepsake } from './keepsake.ts'

describe('findPreset', () => {
  it('makes a preset by its function in the form that is wanted', () => {
    expect(findPreset(keepsake, { model: true }).grounding).toBe('model')
    expect(findPreset(keepsake, { model: false }).grounding).toBe('rules')
  })

  it('says which package has the preset of a paper', () => {
    expect(() => findPreset('memory-bank' as PresetName)).toThrow(
      "npm install @keepsake/papers, then import { memoryBank } from '@keepsake/papers'",
    )
  })

  it('refuses an updater that the preset does not use', () => {
    const updater = { id: 'mine', update: async () => [] }
    expect(() => findPreset('keepsake', { model: false, updater })).toThrow('cannot use an updater')
  })
})
