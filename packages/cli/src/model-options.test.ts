import { describe, expect, it } from 'vitest'
import { chooseEmbedding } from './model-options.ts'

describe('the embedding of a command', () => {
  const installed = () => true
  const missing = () => false

  it.each([
    ['the encoder where it is installed', {}, installed, 'sentence-encoder:en'],
    ['the built-in vectors where it is not', {}, missing, undefined],
    ['the built-in vectors on request', { embedding: 'built-in' }, installed, undefined],
    ['a named model', { embedding: 'ollama:bge-m3' }, installed, 'ollama:bge-m3'],
    ['the vectors of a published preset', { preset: 'moom' }, installed, undefined],
  ])('is %s', (_, options, isInstalled, spec) => {
    expect(chooseEmbedding(options, isInstalled)).toBe(spec)
  })
})
