import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LanguageRequest } from 'keepsake'
import { run } from '../testing/run-command.ts'
import { exportTo, fillWith, talk } from '../testing/train-export.ts'

/** Debian's own Python first: `apt-get install python3-torch` gives PyTorch to it alone. */
const PYTHON = ['/usr/bin/python3', 'python3'].find(
  (python) => spawnSync(python, ['-c', 'import torch']).status === 0,
)
const WHY_NOT =
  'PyTorch is missing (apt-get install python3-torch), so no tiny model was trained on an export'
// A skip that says nothing is taken for a pass.
if (PYTHON === undefined) process.stderr.write(`Skipped: ${WHY_NOT}.\n`)

const folder = mkdtempSync(join(tmpdir(), 'keepsake-smoke-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Trained {
  readonly method: string
  readonly examples: number
  readonly first: number
  readonly last: number
}

/** Trains as the export's own script does, and hands back the last line it prints. */
function train(out: string, ...argv: string[]): Trained {
  const ran = spawnSync(PYTHON ?? '', [join(out, 'recipes', 'smoke.py'), '--steps', '12', ...argv], {
    encoding: 'utf8',
  })
  expect(ran.stderr).toBe('')
  return JSON.parse(ran.stdout.trim().split('\n').at(-1) ?? '') as Trained
}

describe.skipIf(PYTHON === undefined)('a tiny model with LoRA layers learns from an export', () => {
  const generated = join(folder, 'generated')
  const paired = join(folder, 'paired')

  beforeAll(async () => {
    const themes = join(folder, 'themes.jsonl')
    await run(['bench', 'generate', 'mem-dialogue', '--out', themes, '--themes', '4'])
    await exportTo(generated, '--task', 'operations', '--from', themes)

    const teacher = ({ messages }: LanguageRequest): string => {
      const asked = messages[0]?.text ?? ''
      const quote = /user: "(I like \w+\.)"\n<\/turns>/.exec(asked)?.[1]
      const code = {
        type: 'add',
        index: null,
        content: `The user says: ${quote}`,
        why: null,
        turn: asked.includes('[2]') ? 2 : 1,
        quote,
      }
      return JSON.stringify({ operations: quote === undefined ? [] : [code] })
    }
    const db = join(folder, 'paired.db')
    await fillWith(db, 'mmm', teacher, async (personOf) => {
      const liked = ['tea', 'rain', 'jazz', 'chess', 'bread', 'snow']
      await talk(
        personOf('ana'),
        liked.map((what) => [`I like ${what}.`, 'Good.'] as const),
        3,
      )
      for (const { id, text } of await personOf('ana').memories({ forms: ['fact'] }))
        await personOf('ana').edit(id, { text: text.replace('The user says: I like', 'The user likes') })
    })
    await exportTo(paired, '--task', 'operations', '--db', db, '--preset', 'mmm', '--shares', '1:0:0')
  })

  it('from examples to imitate: the loss falls', () => {
    const { method, examples, first, last } = train(generated)
    expect({ method, isMany: examples > 30 }).toEqual({ method: 'sft', isMany: true })
    // Guessing bytes at random costs ln 259 = 5.6.
    expect(first).toBeGreaterThan(4)
    expect(last).toBeLessThan(first - 1)
  })

  it('from preference pairs: the loss falls below that of not knowing', () => {
    const { method, last } = train(paired, '--method', 'dpo')
    expect(method).toBe('dpo')
    expect(last).toBeLessThan(Math.log(2) - 0.05)
  })
})
