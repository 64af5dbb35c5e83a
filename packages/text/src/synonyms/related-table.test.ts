import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { ModelError } from '../errors/model-error.ts'
import { decodeRelatedTable, rowOf } from './related-table.ts'

/** “boss” with “chief” at 1 and “head” at 0.2, written out by hand after the layout in `RelatedTable`. */
function smallFile(): Buffer {
  const file = Buffer.alloc(24 + 16 + 16 + 4 + 2)
  for (const [at, value] of [0x5452534b, 1, 3, 2, 15].entries()) file.writeUInt32LE(value, at * 4)
  file.write('boss\nchief\nhead', 24, 'latin1')
  for (const [at, start] of [0, 2, 2, 2].entries()) file.writeUInt32LE(start, 40 + at * 4)
  file.writeUInt16LE(1, 56)
  file.writeUInt16LE(2, 58)
  file.set([255, 51], 60)
  return sealed(file)
}

function sealed(file: Buffer): Buffer {
  file.writeUInt32LE(crc32(file.subarray(24)), 20)
  return file
}

const decode = (file: Buffer) => decodeRelatedTable('some.bin', file)

describe('decodeRelatedTable', () => {
  it('reads words and their pairs, also where the file starts anywhere in a buffer', () => {
    for (const file of [smallFile(), Buffer.concat([Buffer.alloc(3), smallFile()]).subarray(3)]) {
      const table = decode(file)
      expect(table.words).toEqual(['boss', 'chief', 'head'])
      expect([...table.starts]).toEqual([0, 2, 2, 2])
      expect([...table.others]).toEqual([1, 2])
      expect([...table.weights]).toEqual([255, 51])
    }
  })

  it('finds the row of a word, and of none that is not there', () => {
    const table = decode(smallFile())
    expect(['boss', 'chief', 'head', 'a', 'cook', 'zoo', ''].map((word) => rowOf(table, word))).toEqual([
      0, 1, 2, -1, -1, -1, -1,
    ])
  })

  it.each<[string, (file: Buffer) => Buffer]>([
    ['an empty file', () => Buffer.alloc(0)],
    ['another magic', (file) => (file.writeUInt8(0, 0), file)],
    ['another version', (file) => (file.writeUInt32LE(2, 4), file)],
    ['a changed byte', (file) => (file.writeUInt8(9, 60), file)],
    ['a cut file', (file) => file.subarray(0, -1)],
    ['more pairs than there are', (file) => (file.writeUInt32LE(9, 12), file)],
  ])('refuses %s, naming the file', (_, change) => {
    expect(() => decode(change(smallFile()))).toThrow(ModelError)
    expect(() => decode(change(smallFile()))).toThrow(/some\.bin/)
  })
})
