import { describe, expect, it } from 'vitest'
import { run } from '../testing/run-command.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const bench = (...options: string[]) => run(['bench', 'server', '--runs', temporaryFolder(), ...options])

describe('keepsake bench server', () => {
  it('puts the server beside the library', async () => {
    const { code, out, err } = await bench('--users', '2', '--turns', '10', '--seconds', '1')
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/server +library/)
    expect(out).toMatch(/Under load: errors, full +0 +0/)
    expect(out).toMatch(/Under load: errors, steady +0 +0/)
  }, 120_000)
})
