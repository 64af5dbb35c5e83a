import { describe, expect, it } from 'vitest'
import { makeMemory } from '../memories/memory-fixture.ts'
import { MemoryTable } from './memory-table.ts'

const NO_TURNS = { rowOf: () => undefined, idOf: () => '' }
const words = 'She moved to Lyon in spring. '.repeat(10)

describe('MemoryTable', () => {
  it('gives whoever asks the memory as it was last set, packed or not, and takes no more room for one that changes again and again', () => {
    const table = new MemoryTable(NO_TURNS)
    const change = (round: number): void => {
      for (const id of ['a', 'b', 'c'])
        table.set({ memory: makeMemory({ id, text: `${words}${id}`, round }), sequence: round })
      table.pack(Number.POSITIVE_INFINITY)
    }
    change(1)
    const { bytes } = table
    for (let round = 2; round <= 200; round += 1) change(round)
    expect(table.bytes).toBeLessThan(3 * bytes)
    expect(['a', 'b', 'c'].map((id) => table.known(id))).toEqual(
      ['a', 'b', 'c'].map((id) => ({
        memory: makeMemory({ id, text: `${words}${id}`, round: 200 }),
        sequence: 200,
      })),
    )
  })

  it('holds few objects of memories that changed: the rest is packed, a few at a time', () => {
    const table = new MemoryTable(NO_TURNS)
    for (let at = 0; at < 1_000; at += 1)
      table.set({ memory: makeMemory({ id: `m${at}`, form: 'utterance' }), sequence: at })
    const { bytes } = table
    table.packSome()
    const once = table.bytes
    for (let times = 0; times < 20; times += 1) table.packSome()
    expect(bytes - once).toBeGreaterThan(50_000)
    expect(bytes - table.bytes).toBeGreaterThan(500_000)
  })

  it('keeps what it made for one who is asked about alone, and lets go of it for the next; what changed is told as it is', () => {
    const [one, other] = [new MemoryTable(NO_TURNS), new MemoryTable(NO_TURNS)]
    const memory = makeMemory({ id: 'a', form: 'utterance' })
    for (const table of [one, other]) {
      table.set({ memory, sequence: 1 })
      table.pack(Number.POSITIVE_INFINITY)
    }
    const first = one.at(0)
    expect(one.at(0)).toBe(first)
    other.at(0)
    expect(one.at(0)).not.toBe(first)
    one.set({ memory: { ...memory, round: 9 }, sequence: 2 })
    one.pack(Number.POSITIVE_INFINITY)
    expect(one.at(0)).toEqual({ ...memory, round: 9 })
  })

  it('tells the units of a story without making memories of them', () => {
    const table = new MemoryTable(NO_TURNS)
    const unit = (id: string, level: number) => makeMemory({ id, form: 'story', level, scope: 1 })
    table.set({ memory: unit('one', 1), sequence: 1 })
    table.set({ memory: unit('above', 2), sequence: 2 })
    table.pack(Number.POSITIVE_INFINITY)
    expect([...table.storyUnits(1, 0)]).toEqual([
      { ref: 'one', level: 1 },
      { ref: 'above', level: 2 },
    ])
    expect([...table.storyUnits(1, 1)]).toEqual([{ ref: 'above', level: 2 }])
    expect(table.made(1, 'story').map(({ level }) => level)).toEqual([1, 2])
  })
})
