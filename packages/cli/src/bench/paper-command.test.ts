import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { run } from '../testing/run-command.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const folder = temporaryFolder()
const users = fileURLToPath(new URL('../../../bench/data/fixtures/halumem.jsonl', import.meta.url))

const paper = (...options: string[]) => run(['bench', 'paper', ...options, '--runs', join(folder, 'runs')])

describe('keepsake bench paper', () => {
  it('lists a paper’s tables and figures with what each needs', async () => {
    const { code, out, err } = await paper('lufy')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/table 3 +runs without a model +How many memories stand/)
    expect(out).toMatch(/table 7 +needs people/)
    expect(out).toMatch(/figure 2 +measures nothing/)
    expect(out).toContain('keepsake bench paper lufy --table 1')
  })

  it('prints the list as data', async () => {
    const { json } = await paper('mmm', '--json')
    expect(json()).toMatchObject([
      {
        name: 'mmm',
        items: [{ id: 'table 1', state: 'data', needs: [], takes: ['model', 'judge'] }, {}, {}, {}, {}],
      },
    ])
  })

  it('prints the paper’s figures, those obtained beside them, and what is otherwise', async () => {
    const { code, out, err } = await paper('halumem', '--table', '6', '--path', users)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/In the paper\n[\s\S]*HaluMem-Long/)
    expect(out).toMatch(/Measured here[\s\S]*the file beside HaluMem-Medium +Total Memories +14948 +\d+/)
    expect(out).toContain('- Measured: 1 users of the file that was named; the paper measured 20.')
    expect(out).toMatch(/data sha256 [0-9a-f]{64}/)
  })

  it('puts what was computed and what was judged by rule in columns of their own', async () => {
    const file = join(folder, 'table-4.json')
    const { out } = await paper('halumem', '--table', 'figure 5', '--path', users, '--json', file)
    expect(out).toMatch(/paper +computed here +judged by rule +over/)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      item: { id: 'figure 5' },
      measured: { reader: 'extractive' },
      differences: expect.arrayContaining([expect.stringContaining('Verdicts are by rule')]),
    })
  })

  it.each(['moom', 'comedy', 'mmm', 'lufy', 'halumem'])('prints a hint for %s that works', async (name) => {
    const { out } = await paper(name)
    const [, ...hint] = /keepsake bench (paper .+)$/m.exec(out)?.[1]?.split(' ') ?? []
    expect(await paper(...hint)).toMatchObject({ code: 0, out: expect.stringMatching(/In the paper|Here: /) })
  })

  it('shows what cannot be measured, and why', async () => {
    const { code, out } = await paper('lufy', '--table', '7')
    expect(code).toBe(0)
    expect(out).toMatch(/LUFY +3\.94 +4\.13/)
    expect(out).toContain('Here: needs people; no command. Third-party annotators read every session')
  })

  it.each([
    [['mem0'], 'There is no paper “mem0”. There are: moom, comedy, mmm, lufy, halumem.'],
    [['lufy', '--table', '99'], 'The lufy paper has no “99”'],
    [
      ['halumem', '--table', '6', '--limit', '1'],
      'needs HaluMem (--path: its JSON Lines file, Medium or Long)',
    ],
    [['halumem', '--table', '5', '--path', users], 'a language model for the systems (--model)'],
    [['halumem', '--table', '6', '--path', users, '--limit', 'many'], 'whole number'],
  ])('refuses %j, saying what is needed', async (options, message) => {
    const { code, out, err } = await paper(...options)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(message)
  })
})
