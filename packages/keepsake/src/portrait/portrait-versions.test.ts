import { expect, it } from 'vitest'
import { makeMemory, type MemoryTraits } from '../memories/memory-fixture.ts'
import { portraitVersions } from './compressor.ts'

const version = (id: string, validFrom: number, traits: MemoryTraits = {}) =>
  makeMemory({ id, form: 'portrait', validFrom, ...traits })

it('gives the live versions of the portrait, oldest first, of equals the one made first', () => {
  const memories = [
    version('d', 20),
    version('c', 20),
    version('e', 30),
    version('a', 10),
    version('gone', 5, { status: 'deleted' }),
    version('summary', 5, { form: 'summary' }),
  ]
  expect(portraitVersions(memories).map(({ id }) => id)).toEqual(['a', 'c', 'd', 'e'])
  expect(portraitVersions([])).toEqual([])
})
