import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run } from '../testing/run-command.ts'

const bench = (...options: string[]) =>
  run(['bench', 'server', '--runs', mkdtempSync(join(tmpdir(), 'keepsake-bench-server-')), ...options])

describe('keepsake bench server', () => {
  it('puts the server beside the library', async () => {
    const { code, out, err } = await bench('--scopes', '2', '--memories', '10', '--seconds', '1')
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/server +library/)
    expect(out).toMatch(/Under load: errors, default full +0 +0/)
    expect(out).toMatch(/Under load: errors, default steady +0 +0/)
  }, 120_000)

  it('kills the server instead', async () => {
    const { code, json } = await bench('--kills', '2', '--json')
    expect(code).toBe(0)
    const [{ benchmark, figures }] = json() as [{ benchmark: string; figures: { metric: string }[] }]
    expect(benchmark).toBe('server')
    expect(figures.filter(({ metric }) => /^(kills|lost|doubled)$/.test(metric))).toMatchObject([
      { task: 'server-kills', value: 2 },
      { value: 0 },
      { value: 0 },
    ])
  }, 120_000)
})
