import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A small file for tests in the form of a published data set. This package ships it. */
export function fixtureFile(name: string): string {
  return fileURLToPath(new URL(`../../../data/fixtures/${name}`, import.meta.url))
}

/** Reads a fixture's JSON. For JSON Lines, reads the first line. */
export function readFixture(name: string): unknown {
  const text = readFileSync(fixtureFile(name), 'utf8')
  return JSON.parse(name.endsWith('.jsonl') ? (text.split('\n')[0] ?? '') : text)
}

/** Returns a copy with another value at `path` (`sessions.0.turns`); `undefined` removes the field. For tests of invalid files. */
export function withField(value: unknown, path: string, field: unknown): unknown {
  if (path === '') return field
  const [key = '', ...rest] = path.split('.')
  const inner: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
  const replaced = withField(inner, rest.join('.'), field)
  if (Array.isArray(value)) return value.with(Number(key), replaced)
  return { ...(typeof value === 'object' ? value : {}), [key]: replaced }
}

/** Writes a file into a new folder. @returns its path */
export function writeScratch(name: string, content: string | Uint8Array): string {
  const file = join(mkdtempSync(join(tmpdir(), 'keepsake-')), name)
  writeFileSync(file, content)
  return file
}
