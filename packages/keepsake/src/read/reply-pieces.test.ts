import { describe, expect, it } from 'vitest'
import { ReplyPieces } from './reply.ts'

async function read(pieces: ReplyPieces, into: string[] = []): Promise<string[]> {
  for await (const piece of pieces.stream) into.push(piece)
  return into
}

describe('the pieces of an answer', () => {
  it('wait until they are read', async () => {
    const pieces = new ReplyPieces()
    pieces.add('one ')
    pieces.add('two')
    pieces.end()
    expect(await read(pieces)).toEqual(['one ', 'two'])
  })

  it('are handed on as they come', async () => {
    const pieces = new ReplyPieces()
    const seen: string[] = []
    const reading = read(pieces, seen)
    const turn = () => new Promise((resolve) => setImmediate(resolve))
    pieces.add('one ')
    await turn()
    expect(seen).toEqual(['one '])
    pieces.add('two')
    await turn()
    expect(seen).toEqual(['one ', 'two'])
    pieces.end()
    expect(await reading).toEqual(['one ', 'two'])
  })

  it('are all read before the reader is told of a failure', async () => {
    const pieces = new ReplyPieces()
    pieces.add('one ')
    pieces.fail(new Error('the line went dead'))
    const seen: string[] = []
    await expect(read(pieces, seen)).rejects.toThrow('the line went dead')
    expect(seen).toEqual(['one '])
  })

  it('end for a reader that waits, whole or broken off', async () => {
    const [whole, broken] = [new ReplyPieces(), new ReplyPieces()]
    const reading = [read(whole), read(broken)]
    await new Promise((resolve) => setImmediate(resolve))
    whole.end()
    broken.fail(new Error('the line went dead'))
    expect(await Promise.allSettled(reading)).toMatchObject([
      { value: [] },
      { reason: new Error('the line went dead') },
    ])
  })
})
