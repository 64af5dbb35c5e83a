import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { SlabAllocator, SMALLEST_BLOCK_BYTES } from './slab-allocator.ts'

const CHUNK = SMALLEST_BLOCK_BYTES * 16

function allocatorFrom(start: number) {
  let chunks = 0
  const slabs = new SlabAllocator(CHUNK, () => start + CHUNK * chunks++)
  return { slabs, chunks: () => chunks }
}

test('blocks never overlap, lie on multiples of their size, and all come back', () => {
  const action = fc.oneof(
    fc.record({ bytes: fc.integer({ min: 1, max: CHUNK }) }),
    fc.record({ release: fc.nat(100) }),
  )
  // The upper start makes addresses pass 2^31.
  fc.assert(
    fc.property(
      fc.array(action, { maxLength: 80 }),
      fc.constantFrom(0, 2 ** 31 - CHUNK * 2),
      (actions, start) => {
        const { slabs, chunks } = allocatorFrom(start)
        const held: { address: number; bytes: number }[] = []
        for (const step of actions) {
          if ('bytes' in step) {
            const address = slabs.allocate(step.bytes)
            const size = slabs.blockSize(step.bytes)
            expect(address % size).toBe(0)
            for (const other of held) {
              const isApart =
                address + size <= other.address || address >= other.address + slabs.blockSize(other.bytes)
              expect(isApart).toBe(true)
            }
            held.push({ address, bytes: step.bytes })
          } else {
            const [block] = held.splice(step.release % Math.max(held.length, 1), 1)
            if (block) slabs.release(block.address, block.bytes)
          }
        }
        for (const { address, bytes } of held) slabs.release(address, bytes)
        expect(slabs.usedBytes).toBe(0)
        const before = chunks()
        for (let i = 0; i < before; i += 1) slabs.allocate(CHUNK)
        expect(chunks()).toBe(before)
      },
    ),
  )
})

test('a failed growth changes nothing', () => {
  const slabs = new SlabAllocator(CHUNK, () => {
    throw new Error('no more')
  })
  expect(() => slabs.allocate(1)).toThrow('no more')
  expect(slabs.usedBytes).toBe(0)
  expect(() => slabs.allocate(CHUNK + 1)).toThrow(RangeError)
})
