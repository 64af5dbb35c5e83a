import { LOAD_SETTING_NAMES } from '@keepsake/bench'
import { describe, expect, it } from 'vitest'
import { run } from '../testing/run-command.ts'

describe('keepsake bench server', () => {
  it('puts the server beside the library', async () => {
    const { code, out, err } = await run([
      'bench',
      'server',
      '--scopes',
      '2',
      '--memories',
      '10',
      '--seconds',
      '1',
    ])
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('## default')
    expect(out).toMatch(/\| errors \| 0 \| 0 \| 0 \| 0 \|/)
  }, 120_000)

  it('kills the server instead', async () => {
    const { code, json } = await run(['bench', 'server', '--kills', '2', '--json'])
    expect(code).toBe(0)
    expect(json()).toMatchObject([{ benchmark: 'server-kills', metrics: { kills: 2, lost: 0, doubled: 0 } }])
  }, 120_000)

  it.each([
    [['--kills', '1', '--recall-share', '0.5'], '--recall-share is of the load run'],
    [['--settings', 'fast'], `It must be of ${LOAD_SETTING_NAMES.join(', ')}`],
    [['--rate', '0'], 'above 0'],
    [['--scopes', '0'], 'whole number'],
  ])('refuses %j', async (argv, message) => {
    const refused = await run(['bench', 'server', ...argv])
    expect([refused.code, refused.out]).toEqual([2, ''])
    expect(refused.err).toContain(message)
  })
})
