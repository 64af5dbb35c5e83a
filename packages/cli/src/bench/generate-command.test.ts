import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { run } from '../testing/run-command.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

let out = ''
beforeEach(() => {
  out = join(temporaryFolder(), 'set.jsonl')
})

const generate = (...options: string[]) => run(['bench', 'generate', ...options, '--out', out])

describe('keepsake bench generate', () => {
  it('makes the same file for the same seed, and says its hash and how much is in it', async () => {
    const first = await generate('mem-dialogue', '--seed', '5', '--split', 'test', '--json')
    const text = readFileSync(out, 'utf8')
    expect([first.code, first.err]).toEqual([0, ''])
    expect(first.json()).toMatchObject([
      {
        file: out,
        sha256: createHash('sha256').update(text).digest('hex'),
        themes: 30,
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
    expect(told).toContain(': 2 users')
    expect(readFileSync(out, 'utf8').trim().split('\n')).toHaveLength(2)
    expect(readFileSync(out, 'utf8')).toContain('"is_generated_qa_session":true')
  })

  it('writes the probe table', async () => {
    const { json } = await generate('probe-table', '--language', 'zh', '--json')
    expect(json()).toMatchObject([{ probes: 30 }])
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
