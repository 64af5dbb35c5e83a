import { afterEach, expect, test, vi } from 'vitest'

const DIMENSIONS = 250
/** Enough for a table of a megabyte. */
const MANY = 5_000
/** Scans after which a large table has moved. */
const A_FEW = 10

interface Memory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}
type Pages = { initial: number; maximum: number }
const real = (globalThis as unknown as { WebAssembly: { Memory: new (pages: Pages) => Memory } }).WebAssembly

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

/** The table as a process makes it that has not compiled the kernel yet, of whose memories each is noted; `make` may refuse one. */
async function freshTable(make: (pages: Pages, made: number) => Memory) {
  const memories: Memory[] = []
  function Memory(pages: Pages): Memory {
    const memory = make(pages, memories.length)
    memories.push(memory)
    return memory
  }
  vi.stubGlobal('WebAssembly', Object.assign(Object.create(real), { Memory }))
  vi.resetModules()
  const { VectorTable } = await import('./vector-table.ts')
  return { VectorTable, memories }
}

const made = (pages: Pages): Memory => new real.Memory(pages)

type Table = InstanceType<Awaited<ReturnType<typeof freshTable>>['VectorTable']>

const vector = (seed: number) =>
  Float32Array.from({ length: DIMENSIONS }, (_, i) => Math.sin((seed + 1) * 7.3 + i * (1 + (seed % 11))))

function fill(table: Table, from: number, to: number): void {
  for (let row = from; row < to; row += 1) table.set(row, vector(row))
}

function scan(table: Table, times = 1): Float32Array {
  const out = new Float32Array(table.length)
  for (let i = 0; i < times; i += 1) table.scan(vector(3), out)
  return out
}

test('a large table moves to where the kernel reads, and is there what it was', async () => {
  const { VectorTable, memories } = await freshTable(made)
  const [table, plain] = [new VectorTable(DIMENSIONS), new VectorTable(DIMENSIONS, 'plain')]
  const same = () => {
    expect(scan(table, A_FEW)).toEqual(scan(plain))
    expect(table.image).toEqual(plain.image)
  }
  for (const one of [table, plain]) fill(one, 0, MANY)
  expect(scan(table)).toEqual(scan(plain))
  // The window that all tables share, and no more: many a person is asked about once.
  expect(memories).toHaveLength(1)
  same()
  expect(memories).toHaveLength(2)
  expect(table.bytes).toBe(memories[1]?.buffer.byteLength)
  for (const one of [table, plain]) {
    fill(one, MANY, 2 * MANY)
    one.remove(7)
    one.set(9, vector(MANY))
  }
  same()
  expect(memories).toHaveLength(2)
  expect(table.bytes).toBe(memories[1]?.buffer.byteLength)
  const two = [3, 5].map((seed) => ({ query: vector(seed), out: new Float32Array(table.length) }))
  table.scanAll(two)
  expect(two[0]?.out).toEqual(scan(plain))
  table.free()
  expect(table.bytes).toBe(0)
  expect(
    new Uint8Array(memories[1]?.buffer ?? new ArrayBuffer(1), 2 * 65_536).every((byte) => byte === 0),
  ).toBe(true)
})

test('a table that an image filled moves as well', async () => {
  const { VectorTable, memories } = await freshTable(made)
  const [table, other] = [new VectorTable(DIMENSIONS), new VectorTable(DIMENSIONS)]
  fill(table, 0, MANY)
  other.restore(table.image.slice())
  expect(scan(other, A_FEW)).toEqual(scan(table))
  expect(memories).toHaveLength(2)
})

test('small tables have no memory of their own', async () => {
  const { VectorTable, memories } = await freshTable(made)
  for (let i = 0; i < 20; i += 1) {
    const table = new VectorTable(DIMENSIONS)
    fill(table, 0, 100)
    scan(table, A_FEW)
  }
  expect(memories).toHaveLength(1)
})

test('where the system gives no memory, rows are copied; it is asked once', async () => {
  let asked = 0
  const { VectorTable } = await freshTable((pages, count) => {
    asked += 1
    if (count > 0) throw new RangeError('WebAssembly.Memory(): could not allocate memory')
    return made(pages)
  })
  const plain = new VectorTable(DIMENSIONS, 'plain')
  fill(plain, 0, MANY)
  for (let i = 0; i < 2; i += 1) {
    const table = new VectorTable(DIMENSIONS)
    fill(table, 0, MANY)
    expect(scan(table, A_FEW)).toEqual(scan(plain))
    expect(table.bytes).toBe(plain.bytes)
  }
  expect(asked).toBe(2)
})

test('where its memory cannot grow, a table goes back to a plain array', async () => {
  const { VectorTable, memories } = await freshTable((pages) =>
    Object.assign(made(pages), {
      grow: () => {
        throw new RangeError('WebAssembly.Memory.grow(): Unable to grow instance memory')
      },
    }),
  )
  const [table, plain] = [new VectorTable(DIMENSIONS), new VectorTable(DIMENSIONS, 'plain')]
  for (const one of [table, plain]) fill(one, 0, MANY)
  scan(table, A_FEW)
  expect(memories).toHaveLength(2)
  for (const one of [table, plain]) fill(one, MANY, 2 * MANY)
  expect(scan(table)).toEqual(scan(plain))
  expect(table.image).toEqual(plain.image)
})
