import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readEvents, readLines } from './read-stream.ts'

function streamOf(
  bytes: Uint8Array,
  cuts: readonly number[],
  onCancel?: () => void,
): ReadableStream<Uint8Array> {
  const places = [
    0,
    ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((one, other) => one - other),
    bytes.length,
  ]
  const pieces = places.slice(1).map((end, index) => bytes.slice(places[index], end))
  return new ReadableStream({
    pull(controller) {
      const piece = pieces.shift()
      if (piece === undefined) controller.close()
      else controller.enqueue(piece)
    },
    cancel: onCancel ?? (() => undefined),
  })
}

const bytesOf = (text: string) => new TextEncoder().encode(text)
const all = async <Item>(items: AsyncIterable<Item>) => {
  const list: Item[] = []
  for await (const item of items) list.push(item)
  return list
}

describe('readEvents', () => {
  it('reads the same however the bytes are cut', async () => {
    const text =
      ': open\n\nevent: text\r\ndata: {"text":"你好 🐝"}\r\n\r\nid: 7\nretry: 5\ndata:two\ndata: lines\n\n\n: beat\n\nevent: none\n\rdata: cr\r\revent: cut off\ndata: x'
    const expected = [
      { event: 'text', data: '{"text":"你好 🐝"}' },
      { event: 'message', data: 'two\nlines' },
      { event: 'message', data: 'cr' },
    ]
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { maxLength: 20 }), async (cuts) => {
        expect(await all(readEvents(streamOf(bytesOf(text), cuts)))).toEqual(expected)
      }),
    )
  })
})

describe('readLines', () => {
  it('gives the lines back, with the last one whether or not it ends', async () => {
    const line = fc
      .string({ unit: 'grapheme' })
      .filter((text) => !text.includes('\n') && text !== '' && !text.includes('\uFEFF'))
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 1 }),
        fc.array(fc.nat()),
        fc.boolean(),
        async (lines, cuts, ends) => {
          const text = lines.map((one) => one.toWellFormed()).join('\n') + (ends ? '\n' : '')
          expect(await all(readLines(streamOf(bytesOf(text), cuts), /\n/))).toEqual(
            lines.map((one) => one.toWellFormed()),
          )
        },
      ),
    )
  })

  it('cancels the stream when the caller stops early', async () => {
    let cancelled = 0
    const stream = streamOf(bytesOf('a\nb\nc\n'), [2, 4], () => {
      cancelled += 1
    })
    for await (const line of readLines(stream, /\n/)) if (line === 'a') break
    expect(cancelled).toBe(1)
  })
})
