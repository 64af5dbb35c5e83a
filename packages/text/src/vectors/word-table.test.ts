import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { ModelError } from '../errors/model-error.ts'
import { decodeCharacterTable } from './character-table.ts'
import { decodeWordTable } from './word-table.ts'

/** Two words of two dimensions, written out by hand after the layout in `WordTable`. */
function smallFile(): Buffer {
  const file = Buffer.alloc(24 + 8 + 4 + 8 + 4)
  file.write('KSWV', 0, 'latin1')
  for (const [at, value] of [1, 2, 2, 6].entries()) file.writeUInt32LE(value, 4 + at * 4)
  file.write('the\ncat'.slice(0, 6), 24, 'latin1') // "the", "ca"
  file.set([8, 16], 32)
  file.writeFloatLE(0.5, 36)
  file.writeFloatLE(0.25, 40)
  file.set([2, 254, 127, 0], 44)
  return sealed(file)
}
function sealed(file: Buffer): Buffer {
  file.writeUInt32LE(crc32(file.subarray(24)), 20)
  return file
}

describe('decodeWordTable', () => {
  it('reads words, probabilities, scales and vectors', () => {
    const table = decodeWordTable(smallFile())
    expect([...table.rows]).toEqual([
      ['the', 0],
      ['ca', 1],
    ])
    expect([...table.probabilities]).toEqual([0.5, 0.25])
    expect([...table.scales]).toEqual([0.5, 0.25])
    expect([...table.bytes]).toEqual([2, -2, 127, 0])
    expect(table.dimensions).toBe(2)
  })

  it('reads a file that starts anywhere in a buffer', () => {
    const shifted = Buffer.concat([Buffer.alloc(3), smallFile()]).subarray(3)
    expect([...decodeWordTable(shifted).scales]).toEqual([0.5, 0.25])
  })

  it.each<[string, (file: Buffer) => Buffer]>([
    ['an empty file', () => Buffer.alloc(0)],
    ['another magic', (file) => (file.writeUInt8(0, 0), file)],
    ['another version', (file) => (file.writeUInt32LE(2, 4), file)],
    ['a changed byte', (file) => (file.writeUInt8(9, 45), file)],
    ['a cut file', (file) => file.subarray(0, -1)],
    [
      'a repeated word',
      (file) => (file.write('a\na   ', 24, 'latin1'), file.writeUInt32LE(3, 16), sealed(file)),
    ],
  ])('refuses %s', (_, change) => {
    expect(() => decodeWordTable(change(smallFile()))).toThrow(ModelError)
  })
})

describe('decodeCharacterTable', () => {
  it('reads probabilities', () => {
    const text = JSON.stringify({
      source: 's',
      characters: '一是',
      frequencies: Buffer.from([8, 24]).toString('base64'),
    })
    expect([...decodeCharacterTable(text)]).toEqual([
      ['一', 0.5],
      ['是', 0.125],
    ])
  })

  it.each(['', '{}', '{"source":"s","characters":"一","frequencies":""}'])('refuses %j', (text) => {
    expect(() => decodeCharacterTable(text)).toThrow(ModelError)
  })
})
