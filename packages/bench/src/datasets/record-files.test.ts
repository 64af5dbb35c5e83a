import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createWriteStream, mkdtempSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { writeScratch } from './testing/edit-fixture.ts'
import { hashFiles } from './read-input.ts'
import { openJsonArray, openJsonLines } from './record-file.ts'

const ENTRY_BYTES = 200_000
const LARGE = 64

/** Writes a file of `LARGE` entries of `ENTRY_BYTES` each. */
async function writeLarge(name: string, open: string, between: string, close: string): Promise<string> {
  const file = join(mkdtempSync(join(tmpdir(), 'keepsake-')), name)
  const out = createWriteStream(file)
  const entry = JSON.stringify({
    text: `"q" \\ é ${'é, and so on '.repeat(ENTRY_BYTES / 14)}`,
    list: [1, [2], {}],
  })
  out.write(open)
  for (let n = 0; n < LARGE; n++) {
    if (!out.write(`${n === 0 ? '' : between}${entry}`)) await once(out, 'drain')
  }
  out.end(close)
  await once(out, 'finish')
  return file
}

const PROGRAM = fileURLToPath(new URL('testing/measure-reading.ts', import.meta.url))

/** Measures the highest use of memory while all entries are read, in bytes above the use before. Runs in a process of its own. */
async function peakOf(form: 'lines' | 'array', file: string): Promise<{ size: number; peak: number }> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', PROGRAM, form, file])
  return JSON.parse(stdout) as { size: number; peak: number }
}

const entries = fc.array(fc.object({ withUnicodeString: true }), { minLength: 1, maxLength: 8 })

describe('openJsonLines', () => {
  it('reads back every line, blank ones skipped, and counts them', async () => {
    await fc.assert(
      fc.asyncProperty(
        entries,
        fc.constantFrom('\n', '\r\n', '\n \n\n'),
        fc.boolean(),
        async (values, end, last) => {
          const texts = values.map((value) => JSON.stringify(value))
          const source = await openJsonLines(writeScratch('x.jsonl', texts.join(end) + (last ? end : '')))
          const read = await Array.fromAsync(source.records())
          expect(source.size).toBe(values.length)
          expect(read.map(({ value }) => JSON.stringify(value))).toEqual(texts)
        },
      ),
      { numRuns: 40 },
    )
  })

  it('names the line as an editor counts it', async () => {
    const opening = openJsonLines(writeScratch('x.jsonl', '{}\n\n{"a": 1,}\n'))
    await expect(opening).rejects.toThrow(/x\.jsonl: line 3 is not JSON$/)
  })

  it('refuses bytes that are not UTF-8', async () => {
    const opening = openJsonLines(writeScratch('x.jsonl', Buffer.from([0x7b, 0x7d, 0x0a, 0x22, 0xff, 0x22])))
    await expect(opening).rejects.toThrow(/is not UTF-8 after byte 0$/)
  })

  it('refuses a file that is absent, empty or a folder', async () => {
    await expect(openJsonLines('/nowhere/x.jsonl')).rejects.toThrow('/nowhere/x.jsonl: there is no such file')
    await expect(openJsonLines(writeScratch('x.jsonl', ' \n'))).rejects.toThrow(/is empty: it should hold/)
    const folder = dirname(writeScratch('x.jsonl', ''))
    await expect(openJsonLines(folder)).rejects.toThrow(/is a folder: name the file in it/)
  })

  it('holds no more than a few lines of a large file', async () => {
    const { size, peak } = await peakOf('lines', await writeLarge('large.jsonl', '', '\n', '\n'))
    expect(size).toBe(LARGE)
    expect(peak).toBeLessThan((LARGE / 4) * ENTRY_BYTES)
  })
})

describe('openJsonArray', () => {
  it('reads back every item and counts them, however they are spaced', async () => {
    await fc.assert(
      fc.asyncProperty(entries, fc.constantFrom(0, 1, '\t'), async (values, indent) => {
        const source = await openJsonArray(
          writeScratch('x.json', `\uFEFF${JSON.stringify(values, null, indent)}\n`),
        )
        const read = await Array.fromAsync(source.records())
        expect(source.size).toBe(values.length)
        expect(read.map(({ value }) => JSON.stringify(value))).toEqual(
          values.map((value) => JSON.stringify(value)),
        )
      }),
      { numRuns: 40 },
    )
  })

  it.each([
    ['[{}, {"a": tru}]', /x\.json: should be one JSON list, and item 1 of it cannot be read$/],
    [Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]), /is not UTF-8 after byte 0$/],
    ['', /should be one JSON list/],
    ['{"a": []}', /should be one JSON list/],
    ['[]', /is empty: its list has no items/],
    ['[{"a": "]"', /item 0 of it cannot be read/],
    ['[{"a": 1}, ', /item 1 of it cannot be read/],
  ])('refuses “%s” when it is opened', async (text, message) => {
    await expect(openJsonArray(writeScratch('x.json', text))).rejects.toThrow(message)
  })

  it('holds no more than a few items of a large file', async () => {
    const { size, peak } = await peakOf('array', await writeLarge('large.json', '[', ',\n', ']'))
    expect(size).toBe(LARGE)
    expect(peak).toBeLessThan((LARGE / 4) * ENTRY_BYTES)
  })

  it('lets go of a file that is not read to its end', async () => {
    const item = JSON.stringify('and so on '.repeat(20_000))
    const source = await openJsonArray(writeScratch('x.json', `[${item}, ${item}, ${item}]`))
    for await (const { where } of source.records()) {
      expect(where).toBe('item 0')
      break
    }
  })
})

describe('hashFiles', () => {
  it('hashes names and contents, whatever their order', async () => {
    const paths = [writeScratch('b.txt', 'two'), writeScratch('a.txt', 'x'.repeat(600_000))]
    const files = paths.map((path) => ({ name: basename(path), path }))
    const of = (content: string) => createHash('sha256').update(content).digest('hex')
    const whole = of(`${of('x'.repeat(600_000))}  a.txt\n${of('two')}  b.txt\n`)
    expect(await hashFiles(files)).toBe(whole)
    expect(await hashFiles(files.toReversed())).toBe(whole)
  })
})
