import { writeFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { temporaryFile } from '../../keepsake/test/temporary-file.ts'
import { InputFile } from './input-file.ts'
import { readItems, readJson } from './json-records.ts'
import { JsonScanner } from './scan-json.ts'

const opened = (content: string): InputFile => InputFile.hold('-', Buffer.from(content))

const anyJson = fc.jsonValue({ maxDepth: 4 })
/** JSON on one line, or on many. */
const written = (value: unknown, indent: number): string =>
  JSON.stringify(value, null, indent) + '\n'.repeat(indent)
const indents = fc.integer({ min: 0, max: 2 })

describe('scanning JSON', () => {
  it('gives the items of any list as JSON.parse does', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyJson), indents, async (list, indent) => {
        const items = [...readItems(opened(written(list, indent)))]
        expect(items.map(({ value }) => value)).toEqual(JSON.parse(JSON.stringify(list)))
      }),
    )
  })

  it('gives values that follow each other, whatever stands between them', async () => {
    const objects = fc.array(fc.dictionary(fc.string(), anyJson), { minLength: 1 })
    await fc.assert(
      fc.asyncProperty(objects, indents, async (values, indent) => {
        const text = values.map((value) => written(value, indent)).join(indent === 0 ? '\r\n' : ' ')
        const items = [...readItems(opened(text))]
        expect(items.map(({ value }) => value)).toEqual(JSON.parse(JSON.stringify(values)))
      }),
    )
  })

  it('enters what it is told to, and says where each value stands', async () => {
    const input = opened('\uFEFF{"a": 1,\n "list": [\n{"b": ["}"]},\n "two"],\n "skipped": {"list": [3]}}')
    const found = [
      ...readJson(input, (path) =>
        path[0] === 'list' && path.length === 2
          ? 'take'
          : path[0] === 'list' || path.length === 0
            ? 'enter'
            : 'skip',
      ),
    ]
    expect(found.map(({ value, where }) => [value, where])).toEqual([
      [{ b: ['}'] }, '-:3 $.list[0]'],
      ['two', '-:4 $.list[1]'],
    ])
  })

  it('is the same however the file is cut into pieces', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyJson), fc.integer({ min: 1, max: 7 }), async (list, size) => {
        const text = written({ '键 "k"\\': list }, 1)
        const input = opened(text)
        const scanner = new JsonScanner(input, (path) => (path.length < 2 ? 'enter' : 'take'))
        const bytes = Buffer.from(text)
        const spans = []
        for (let at = 0; at < bytes.length; at += size)
          spans.push(...scanner.read(bytes.subarray(at, at + size)))
        spans.push(...scanner.end())
        const values = spans.map(({ start, end }) => JSON.parse(input.text(start, end)) as unknown)
        expect(values).toEqual(JSON.parse(JSON.stringify(list)))
      }),
    )
  })

  it.each([
    ['[1, 2', /-:1: this is not JSON: it ends in the middle/],
    ['{"a": "b', /-:1: .* it ends in the middle/],
    ['[1 2]', /a comma is missing/],
    ['[1,\n,2]', /-:2: .* a value is missing/],
    ['{a: 1}', /a key is missing/],
    ['{"a" 1}', /a colon is missing/],
    ['[1]]', /a value is missing/],
    ['[tru]', /-:1 \$\[0\]: this is not JSON/],
  ])('refuses %j by its line', async (text, problem) => {
    const input = opened(text)
    expect(() => [...readJson(input, (path) => (path.length === 0 ? 'enter' : 'take'))]).toThrow(problem)
  })
})

describe('lines of a file', () => {
  it('are those of the text, without what ends them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.stringMatching(/^[a-z€猫]{0,5}$/u), { minLength: 1 }), async (lines) => {
        fc.pre(lines.join('') !== '')
        const path = temporaryFile('lines.txt')
        writeFileSync(path, `\uFEFF${lines.join('\r\n')}\n`)
        const input = InputFile.open(path)
        expect([...input.lines()]).toEqual(lines.map((text, index) => ({ text, number: index + 1 })))
        input.close()
      }),
      { numRuns: 30 },
    )
  })
})
