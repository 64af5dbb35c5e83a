import Table from 'cli-table3'
import type { Io, Output } from '../io.ts'
import { styleFor, wrapLines, type Style } from './style.ts'

/** The result of a command, as data for programs and as text for the terminal. */
export interface Shown {
  /** A list is printed as one object per line. */
  readonly data: unknown
  readonly formatText: (style: Style) => string
  /** A note printed to stderr, so that a script that captures stdout gets only the result. */
  readonly note?: string
}

export function show(io: Io, { data, formatText, note }: Shown, isJson = false): void {
  if (!isJson) {
    print(io, fitToWidth(io.stdout, formatText(styleFor(io))))
    if (note !== undefined) print({ stdout: io.stderr }, styleFor({ ...io, stdout: io.stderr }).dim(note))
  } else for (const item of Array.isArray(data) ? data : [data]) printJson(io, item)
}

/** Breaks long lines between words. A terminal would break them inside words. */
export function fitToWidth({ isTTY, columns }: Output, text: string): string {
  return isTTY === true && columns !== undefined ? wrapLines(text, columns) : text
}

export function printJson(io: Io, value: unknown): void {
  io.stdout.write(`${JSON.stringify(value)}\n`)
}

export function print(io: Pick<Io, 'stdout'>, ...lines: readonly string[]): void {
  io.stdout.write(`${lines.join('\n')}\n`)
}

/** Names of all characters that the table library draws as borders: `top`, `top-mid` and so on. */
const BORDERS = ['top', 'bottom', 'left', 'right', 'mid'].flatMap((side) =>
  ['', '-mid', '-left', '-right'].map((end) => side + end),
)
const WITHOUT_BORDERS = { ...Object.fromEntries(BORDERS.map((side) => [side, ''])), middle: '  ' }

/** Formats a table without borders, with two spaces between columns. Only the cells have colours. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  rightAligned: readonly number[] = [],
): string {
  const columns = Math.max(head.length, ...rows.map((row) => row.length))
  const drawn = new Table({
    ...(head.length === 0 ? {} : { head: [...head] }),
    chars: WITHOUT_BORDERS,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    colAligns: Array.from({ length: columns }, (_, column) =>
      rightAligned.includes(column) ? 'right' : 'left',
    ),
  })
  drawn.push(...rows.map((row) => [...row]))
  return drawn.toString().replaceAll(/ +$/gm, '')
}

/** Shows rows under a head, or `emptyText` if there are no rows. */
export function showTable(
  data: unknown,
  head: readonly string[],
  rows: readonly (readonly string[])[],
  emptyText: string,
): Shown {
  return { data, formatText: ({ dim }) => (rows.length === 0 ? dim(emptyText) : table(head.map(dim), rows)) }
}

/** Returns the command that runs this program again: `npx keepsake` in a project, `npx @keepsake/cli` from npm's cache, or `keepsake`. */
export function commandName({ env }: Pick<Io, 'env'>): string {
  if (env['npm_command'] === undefined) return 'keepsake'
  return /[\\/]_npx[\\/]/.test(env['PATH'] ?? env['Path'] ?? '') ? 'npx @keepsake/cli' : 'npx keepsake'
}
