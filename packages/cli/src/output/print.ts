import Table from 'cli-table3'
import type { Io } from '../io.ts'

/** One JSON value on a line of its own. */
export function printJson(io: Io, value: unknown): void {
  io.stdout.write(`${JSON.stringify(value)}\n`)
}

/** Lines for people. */
export function print(io: Io, ...lines: readonly string[]): void {
  io.stdout.write(`${lines.join('\n')}\n`)
}

const BARE = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
}

/** A table without borders: columns two spaces apart. Colours come from the cells alone. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly number[] = [],
): string {
  const columns = Math.max(head.length, ...rows.map((row) => row.length))
  const drawn = new Table({
    ...(head.length === 0 ? {} : { head: [...head] }),
    chars: BARE,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    colAligns: Array.from({ length: columns }, (_, column) => (right.includes(column) ? 'right' : 'left')),
  })
  drawn.push(...rows.map((row) => [...row]))
  return drawn
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
}
