import { describe, expect, it } from 'vitest'
import { decodeWordTable } from '@keepsake/text'
import { encodeWordTable } from './write-word-table.ts'

describe('encodeWordTable', () => {
  it('is read back as it was, to a 254th of each vector’s greatest value', () => {
    const entries = [
      { word: 'the', probability: 0.0625, vector: Float64Array.from([0.5, -1, 0.25]) },
      { word: 'naïve', probability: 1e-6, vector: Float64Array.from([3, 0.1, -2.5]) },
      { word: 'i', probability: 0.03, vector: new Float64Array(3) },
    ]
    const table = decodeWordTable(encodeWordTable(entries, 3))
    expect([...table.rows.keys()]).toEqual(['the', 'naïve', 'i'])
    for (const [row, { probability, vector }] of entries.entries()) {
      expect((table.probabilities[row] ?? 0) / probability).toBeCloseTo(1, 1)
      const most = Math.max(...vector.map(Math.abs))
      for (const [at, value] of vector.entries()) {
        const read = (table.bytes[row * 3 + at] ?? 0) * (table.scales[row] ?? 0)
        expect(Math.abs(read - value)).toBeLessThanOrEqual(most / 254 + 1e-6)
      }
    }
  })
})
