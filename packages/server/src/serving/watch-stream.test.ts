import { describe, expect, it } from 'vitest'
import { watchStream, type BodyEnd } from './watch-stream.ts'

const piece = (byte: number) => new Uint8Array([byte])

/** A body of numbered pieces that counts what was asked of it. */
function source(pieces: number, then: 'close' | 'fail' = 'close') {
  let pulled = 0
  let cancelled: unknown
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        if (pulled < pieces) controller.enqueue(piece((pulled += 1)))
        else if (then === 'close') controller.close()
        else controller.error(new Error('secret address'))
      },
      cancel(reason) {
        cancelled = reason
      },
    },
    { highWaterMark: 0 },
  )
  return { body, pulled: () => pulled, cancelled: () => cancelled }
}

function relay(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
  const seen: number[] = []
  const ends: BodyEnd[] = []
  const onBytes = (bytes: Uint8Array) => void seen.push(...bytes)
  const onFailure = () => new Error('The sender broke off.')
  const relayed = watchStream(body, { onBytes, onEnd: (end) => void ends.push(end), onFailure })
  return { reader: relayed.getReader(), seen, ends }
}

describe('watchStream', () => {
  it('takes a piece only when one is asked for, and hands on that very piece', async () => {
    const { body, pulled } = source(3)
    const { reader, seen, ends } = relay(body)
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(pulled()).toBe(0)
    expect((await reader.read()).value).toEqual(piece(1))
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect([pulled(), seen, ends]).toEqual([1, [1], []])
  })

  it('tells the end before the reader sees it', async () => {
    const { reader, ends } = relay(source(0).body)
    expect(await reader.read().then(({ done }) => [done, ...ends])).toEqual([true, 'whole'])
  })

  it('breaks off where the sender does, and says of it what it is told to', async () => {
    const { reader, ends } = relay(source(1, 'fail').body)
    await reader.read()
    await expect(reader.read()).rejects.toThrow(/^The sender broke off\.$/)
    expect(ends).toEqual(['cut'])
  })

  it('stops the sender when nobody reads on, also while a piece is awaited', async () => {
    const { body, cancelled } = source(3)
    const { reader, ends } = relay(body)
    await reader.read()
    await reader.cancel('enough')
    expect([cancelled(), ends]).toEqual(['enough', ['unwanted']])

    const silent = new ReadableStream<Uint8Array<ArrayBuffer>>({})
    const waiting = relay(silent)
    const read = waiting.reader.read()
    await waiting.reader.cancel()
    expect([(await read).done, waiting.ends]).toEqual([true, ['unwanted']])
  })
})
