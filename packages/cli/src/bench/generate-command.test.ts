import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { run } from '../testing/run-command.ts'
import { scriptedEndpoint } from '../testing/scripted-endpoint.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

let out = ''
beforeEach(() => {
  out = join(temporaryFolder(), 'set.jsonl')
})

const generate = (...options: string[]) => run(['bench', 'generate', ...options, '--out', out])

describe('keepsake bench generate', () => {
  it('makes the same file for the same seed, and tells its hash and what is in it', async () => {
    const first = await generate('mem-dialogue', '--seed', '5', '--split', 'test', '--json')
    const text = readFileSync(out, 'utf8')
    expect([first.code, first.err]).toEqual([0, ''])
    expect(first.json()).toMatchObject([
      {
        file: out,
        sha256: createHash('sha256').update(text).digest('hex'),
        counts: { themes: 30, 'themes.test': 30, memories: 300, rounds: 420, 'operations.add': 300 },
        failures: [],
      },
    ])
    await generate('mem-dialogue', '--seed', '5', '--split', 'test')
    expect(readFileSync(out, 'utf8')).toBe(text)
    await generate('mem-dialogue', '--seed', '6', '--split', 'test')
    expect(readFileSync(out, 'utf8')).not.toBe(text)
  })

  it('makes a HaluMem set in the published form, the long one with talk put in', async () => {
    const { code, out: told } = await generate('halumem', '--users', '2', '--sessions', '6', '--long')
    expect(code).toBe(0)
    expect(told).toMatch(/users\s+2\n/)
    expect(told).toMatch(/insertedSessions\s+[1-9]/)
    expect(readFileSync(out, 'utf8').trim().split('\n')).toHaveLength(2)
  })

  it('writes the probe table', async () => {
    const { json } = await generate('probe-table', '--language', 'zh', '--json')
    expect(json()).toMatchObject([{ counts: { probes: 30 } }])
  })

  it('lets a model write, and says what it could not make', async () => {
    const endpoint = await scriptedEndpoint(() => ({ text: '{"memories": []}' }))
    const model = ['--model', endpoint.spec]
    const { code, err } = await generate('mem-dialogue', '--themes', '1', ...model)
    await endpoint.close()
    expect(code).toBe(1)
    expect(err).toMatch(/Nothing was generated.*generate-theme-memories\/\d+.*There are 0 memories/)
  })

  it.each([
    [['halumem', '--split', 'all'], /train, test/],
    [['mem-dialogue', '--themes', '101'], /1 to 100/],
    [['halumem', '--sessions', '80'], /5 to 70/],
  ])('refuses %j', async (options, message) => {
    const { code, err } = await generate(...options)
    expect(code).not.toBe(0)
    expect(err).toMatch(message)
  })
})
