import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

/** The table as a process makes it that has not compiled the kernel yet. */
async function freshTable() {
  vi.resetModules()
  return (await import('./vector-table.ts')).VectorTable
}

async function scoresInAFreshProcess(): Promise<Float32Array> {
  const table = new (await freshTable())(33)
  for (let row = 0; row < 3000; row += 1) {
    table.set(
      row,
      Float32Array.from({ length: 33 }, (_, i) => Math.sin(row * 33 + i)),
    )
  }
  const out = new Float32Array(3000)
  table.scan(
    Float32Array.from({ length: 33 }, (_, i) => Math.cos(i)),
    out,
  )
  return out
}

const realWebAssembly = (globalThis as { WebAssembly?: object }).WebAssembly ?? {}

test('the committed bytes are what the source assembles to', () => {
  const script = fileURLToPath(new URL('../../../scripts/build-vector-kernel.mjs', import.meta.url))
  execFileSync(process.execPath, [script, '--check'])
})

test('importing compiles nothing; the first table does, once', async () => {
  const validate = vi.fn<() => boolean>(() => false)
  vi.stubGlobal('WebAssembly', Object.assign(Object.create(realWebAssembly), { validate }))
  const Table = await freshTable()
  expect(validate).not.toHaveBeenCalled()
  expect(new Table(8).dimensions).toBe(8)
  expect(new Table(8).dimensions).toBe(8)
  expect(validate).toHaveBeenCalledTimes(1)
})

test('without SIMD, and without WebAssembly, it falls back and gives the same scores', async () => {
  const wanted = await scoresInAFreshProcess()

  const validate = vi.fn<() => boolean>(() => false)
  vi.stubGlobal('WebAssembly', Object.assign(Object.create(realWebAssembly), { validate }))
  expect(await scoresInAFreshProcess()).toEqual(wanted)
  expect(validate).toHaveBeenCalledTimes(1)

  vi.stubGlobal('WebAssembly', undefined)
  expect(await scoresInAFreshProcess()).toEqual(wanted)
})
