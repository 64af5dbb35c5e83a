import { wrongUsage } from '../cli-error.ts'
import { formatCount } from '../output/format-quantity.ts'
import type { Shown } from '../output/print.ts'
import { isObject } from './json-records.ts'
import type { InputFile } from './input-file.ts'

/** What Keepsake's own exports hold, by their rows. @throws CliError naming file and line of what is no row */
export function surveyExports(files: readonly InputFile[]): Shown {
  const surveys = files.map(surveyOne)
  return {
    data: surveys,
    words: () =>
      [
        ...surveys.map(
          ({ file, users, turns, sessions, operations }) =>
            `${file}: Keepsake's own export of ${users.join(', ')}: ${formatCount(turns, 'turn')} of ${formatCount(sessions, 'session')}, ${formatCount(operations, 'operation')}.`,
        ),
        'Nothing was stored.',
      ].join('\n'),
  }
}

function surveyOne(input: InputFile) {
  const counts = new Map<unknown, number>()
  const users = new Set<string>()
  for (const { text, number } of input.lines()) {
    if (text.trim() === '') continue
    const row = parseRow(text, `${input.name}:${number}`)
    counts.set(row['row'], (counts.get(row['row']) ?? 0) + 1)
    if (row['row'] === 'keepsake-export') users.add(String(row['user']))
  }
  const of = (kind: string): number => counts.get(kind) ?? 0
  return {
    file: input.name,
    format: 'keepsake',
    users: [...users],
    turns: of('turn'),
    sessions: of('session'),
    operations: of('operation'),
  }
}

function parseRow(line: string, where: string): Readonly<Record<string, unknown>> {
  try {
    const row: unknown = JSON.parse(line)
    if (isObject(row) && typeof row['row'] === 'string') return row
  } catch {
    // Told below, as what is JSON and no row.
  }
  throw wrongUsage(`${where}: this is no row of a Keepsake export.`)
}
