import { describe, expect, it } from 'vitest'
import { InvalidInputError } from '@keepsake/text'
import { undo } from '../change/change-memories.ts'
import { makeFact } from '../memories/memory-fixture.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import { openEngine, storedMemories, storeMemories } from '../work/engine-fixture.ts'
import { judgingFacts } from './policy-fixture.ts'
import { runForgetting, type ForgettingOptions } from './run-forgetting.ts'

/** Two scopes of ana's: three facts in one, one in the other. */
async function open() {
  const { engine, row } = await openEngine({ preset: judgingFacts({ when: 'session-end', keep: 0.34 }) })
  const other = await engine.store.ensureScope({ tenant: 'default', user: 'ana', agent: 'bot', app: null })
  const fact = (id: string, text: string) => makeFact({ id, text })
  await storeMemories({ engine, row }, fact('long', 'aaa'), fact('middle', 'aa'), fact('short', 'a'))
  await storeMemories({ engine, row: other }, fact('only', 'b'))
  const settled: ScopeRow[] = []
  const run = (options: ForgettingOptions) =>
    runForgetting(engine, [row, other], options, async (one) => void settled.push(one))
  const status = async () =>
    Object.fromEntries((await storedMemories({ engine, row })).map((memory) => [memory.id, memory.status]))
  const rows = [row, other]
  const takeBack = (id: string) =>
    undo(engine, { owner: row.owner, rows, scopes: rows.map(({ scope }) => scope) }, id)
  return { run, settled, status, takeBack, rows }
}

describe('runForgetting', () => {
  it('brings each scope up to date, runs the preset’s policy in each by itself, and adds up', async () => {
    const { run, settled, status, rows } = await open()
    const result = await run({})
    expect(result).toMatchObject({ policy: 'wordiest', considered: 4, kept: 2, dryRun: false })
    expect(result.forgotten.map(({ memory }) => memory)).toEqual(['middle', 'short'])
    expect(settled).toEqual(rows)
    expect(await status()).toEqual({ long: 'live', middle: 'forgotten', short: 'forgotten' })
  })

  it('is undone as a whole, scope by scope', async () => {
    const { run, status, takeBack } = await open()
    const { operations } = await run({ capacity: { memories: 0 } })
    expect(operations).toHaveLength(2)
    expect(await status()).toEqual({ long: 'forgotten', middle: 'forgotten', short: 'forgotten' })
    for (const operation of operations) await takeBack(operation)
    expect(await status()).toEqual({ long: 'live', middle: 'live', short: 'live' })
  })

  it.each<[ForgettingOptions, readonly string[]]>([
    [{ keep: 0 }, ['middle', 'short']],
    [{ keep: 0.67 }, ['short']],
    [{ keep: 1 }, []],
    [{ capacity: { memories: 2 } }, ['short']],
    [{ capacity: { memories: 0 } }, ['long', 'middle', 'short', 'only']],
    [{ capacity: { characters: 3 } }, ['middle', 'short']],
    [{ capacity: {} }, []],
    [{ keep: 0.67, capacity: { memories: 0 } }, ['short']],
  ])('keeps as much as %j says', async (options, expected) => {
    const { run } = await open()
    expect((await run(options)).forgotten.map(({ memory }) => memory)).toEqual(expected)
  })

  it('takes a limit that is not told for none, also from plain JavaScript', async () => {
    const { run } = await open()
    const options: unknown = { capacity: { memories: undefined, characters: 3 } }
    const { forgotten } = await run(options as ForgettingOptions)
    expect(forgotten.map(({ memory }) => memory)).toEqual(['middle', 'short'])
  })

  it.each<[ForgettingOptions, string]>([
    [{ keep: -0.01 }, 'keep must be a share from 0 to 1, but it is -0.01.'],
    [{ keep: 1.01 }, 'keep must be a share from 0 to 1, but it is 1.01.'],
    [{ keep: Number.NaN }, 'keep must be a share from 0 to 1, but it is NaN.'],
    [{ capacity: { memories: -1 } }, 'capacity.memories must be 0 or more, but it is -1.'],
    [{ capacity: { characters: Number.NaN } }, 'capacity.characters must be 0 or more, but it is NaN.'],
  ])('refuses %j', async (options, message) => {
    const { run, status } = await open()
    await expect(run(options)).rejects.toThrow(new InvalidInputError(message))
    expect(await status()).toEqual({ long: 'live', middle: 'live', short: 'live' })
  })
})
