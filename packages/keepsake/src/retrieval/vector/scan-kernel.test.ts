import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test, vi } from 'vitest'
import { SCAN_KERNEL_BASE64, SCAN_KERNEL_SHA256 } from './scan-kernel-bytes.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

async function freshArena() {
  vi.resetModules()
  return (await import('./vector-arena.ts')).VectorArena
}

function scoresOf(arena: InstanceType<Awaited<ReturnType<typeof freshArena>>>): Float32Array {
  const table = arena.createTable(33)
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

test('the committed bytes are what the source assembles to', () => {
  const script = fileURLToPath(new URL('../../../scripts/build-vector-kernel.mjs', import.meta.url))
  execFileSync(process.execPath, [script, '--check'])
})

test('the committed bytes have the committed checksum', () => {
  const bytes = Buffer.from(SCAN_KERNEL_BASE64, 'base64')
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(SCAN_KERNEL_SHA256)
})

test('importing compiles nothing', async () => {
  const { Module, validate, Memory } =
    (globalThis as { WebAssembly?: Record<string, unknown> }).WebAssembly ?? {}
  const touched = vi.fn<() => never>()
  vi.stubGlobal('WebAssembly', { Module: touched, validate: touched, Memory: touched, Instance: touched })
  await freshArena()
  expect(touched).not.toHaveBeenCalled()
  expect([Module, validate, Memory].every((member) => typeof member === 'function')).toBe(true)
})

test('without SIMD, and without WebAssembly, it falls back and gives the same scores', async () => {
  const wanted = scoresOf(new (await freshArena())({ kernel: 'simd' }))

  const real = (globalThis as { WebAssembly?: object }).WebAssembly
  vi.stubGlobal('WebAssembly', Object.assign(Object.create(real ?? null), { validate: () => false }))
  const withoutSimd = new (await freshArena())({ kernel: 'simd' })
  expect(withoutSimd.kernel).toBe('plain')
  expect(scoresOf(withoutSimd)).toEqual(wanted)
  expect(withoutSimd.measurePass('words')).toBeUndefined()

  vi.stubGlobal('WebAssembly', undefined)
  const withoutWebAssembly = new (await freshArena())()
  expect(withoutWebAssembly.kernel).toBe('plain')
  expect(scoresOf(withoutWebAssembly)).toEqual(wanted)
})

test('the passes to measure against read every byte', async () => {
  const arena = new (await freshArena())()
  const before = arena.measurePass('bytes') ?? NaN
  const table = arena.createTable(16)
  table.set(
    0,
    Float32Array.from({ length: 16 }, () => 1),
  )
  // Sixteen components at 127 + 128, and the four bytes of a scale of 0.25 / 127.
  const scale = new Uint8Array(Float32Array.of(0.25 / 127).buffer).reduce((sum, byte) => sum + byte, 0)
  expect((arena.measurePass('bytes') ?? NaN) - before).toBe(16 * 255 + scale)
})
