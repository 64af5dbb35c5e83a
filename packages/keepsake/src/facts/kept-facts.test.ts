import { describe, expect, it } from 'vitest'
import { makeFact } from '../memories/memory-fixture.ts'
import { keyTable } from '@keepsake/text'
import { whyKept } from './kept-facts.ts'

const API = { preset: 'keepsake', step: 'api', promptVersion: null, model: null }

describe('whyKept', () => {
  it.each([
    [{ pinned: true }, 'pinned'],
    [{ origin: API }, 'stated'],
    [{ key: 'name' }, 'name'],
    [{ key: 'name', subject: 'agent' }, 'name'],
    [{ key: 'name', subject: 'Bob' }, null],
    [{ key: 'allergies', subject: 'Mia' }, 'health'],
    [{ key: 'allergies', validUntil: 5 }, 'health'],
    [{ key: 'diet' }, 'health'],
    [{ key: 'diet', validUntil: 5 }, null],
    [{ key: 'residence' }, 'present'],
    [{ key: 'residence', validUntil: 5 }, null],
    [{ key: 'residence', subject: 'Mia' }, null],
    [{ key: 'birthday' }, 'present'],
    [{ key: 'likes' }, null],
    [{ key: 'experiences' }, null],
    [{ key: null }, null],
    [{ key: 'a-key-of-nobody' }, null],
  ] as const)('of %j is %s', (traits, expected) => {
    expect(whyKept(makeFact(traits), keyTable(), 10)).toBe(expected)
  })
})
