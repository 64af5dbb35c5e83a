import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { openMemory } from 'keepsake'

const concepts = readFileSync(new URL('../../../docs/concepts.md', import.meta.url), 'utf8')

/** The example below a heading of the concepts, without its imports, as a function that ends with `returned`. */
function exampleOf(heading: string, returned: string): (...args: unknown[]) => Promise<unknown> {
  const section = concepts.split(`### ${heading}\n`)[1] ?? ''
  const [, code = ''] = /```ts\n([\s\S]*?)```/.exec(section) ?? []
  expect(code.split('\n').length).toBeLessThanOrEqual(21)
  const body = `${code.replaceAll(/^import .*$/gm, '')}\nawait keepsake.close()\nreturn ${returned}`
  // oxlint-disable-next-line typescript/no-implied-eval -- the code of the documentation is what is tested
  const make = new Function('openMemory', 'z', 'console', `return async () => {\n${body}\n}`) as (
    ...args: unknown[]
  ) => () => Promise<unknown>
  return async (...args) => make(...args)()
}

it('the example of guidelines prints what it says', async () => {
  const printed: unknown[] = []
  await exampleOf('Guidelines', 'null')(openMemory, z, { log: (line: unknown) => printed.push(line) })
  expect(printed).toEqual([['The user lives in Lyon.'], 'the application never keeps “allergies and health”'])
})

it('the example of own categories and keys answers in their form', async () => {
  const example = exampleOf('Own categories and keys', '[value, memories.length]')
  expect(await example(openMemory, z, console)).toEqual([30, 1])
})
