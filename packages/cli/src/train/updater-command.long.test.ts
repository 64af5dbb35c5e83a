import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { run } from '../testing/run-command.ts'

const SHIPPED = fileURLToPath(new URL('../../../text/data/updater-weights.json', import.meta.url))

it('makes the weights that ship, to the digit, and judges them on what they never saw', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-updater-'))
  const out = join(folder, 'weights.json')
  const ran = await run(['train', 'updater', '--out', out, '--json'])
  expect(readFileSync(out, 'utf8')).toBe(readFileSync(SHIPPED, 'utf8'))
  rmSync(folder, { recursive: true })
  const sets = ran.json() as { set: string; sound: number }[]
  expect(sets.map(({ set }) => set)).toHaveLength(8)
  // Nearly nine of ten changes that it makes are changes, and of that statement.
  for (const { set, sound } of sets.filter((one) => one.set.startsWith('test')))
    expect(sound, set).toBeGreaterThan(0.85)
}, 300_000)
