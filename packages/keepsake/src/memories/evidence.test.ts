import { expect, it } from 'vitest'
import { freshEvidence } from './evidence.ts'

it('gives the evidence that a memory does not rest on yet, each once, in the order told', () => {
  const known = { evidence: [{ turn: 't1', quote: 'in Lyon' }] }
  const told = [
    { turn: 't2', quote: null },
    { turn: 't1', quote: 'in Lyon' },
    { turn: 't1', quote: null },
    { turn: 't2', quote: 'in Lyon' },
    { turn: 't2', quote: null },
  ]
  expect(freshEvidence(known, told)).toEqual([told[0], told[2], told[3]])
  expect(freshEvidence({ evidence: [] }, [])).toEqual([])
})
