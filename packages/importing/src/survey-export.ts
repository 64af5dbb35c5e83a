import { unreadable } from './import-error.ts'
import type { InputFile } from './input-file.ts'
import { isObject, type JsonObject } from './json-records.ts'

/** The contents of one of Keepsake's own exports. */
export interface ExportSurvey {
  readonly file: string
  readonly format: 'keepsake'
  readonly users: readonly string[]
  readonly turns: number
  readonly sessions: number
  readonly operations: number
  /** Names of the categories and keys that the memory was opened with. */
  readonly defines: readonly string[]
}

/** Counts the rows of one of Keepsake's own exports. @throws ImportError naming file and line of an invalid row */
export function surveyExport(input: InputFile): ExportSurvey {
  const counts = new Map<unknown, number>()
  const [users, defines] = [new Set<string>(), new Set<string>()]
  for (const { text, number } of input.lines()) {
    if (text.trim() === '') continue
    const row = parseRow(text, `${input.name}:${number}`)
    counts.set(row['row'], (counts.get(row['row']) ?? 0) + 1)
    if (row['row'] === 'keepsake-export') users.add(String(row['user']))
    for (const named of [row['categories'], row['keys']])
      if (row['row'] === 'keepsake-export' && isObject(named))
        Object.keys(named).forEach((name) => defines.add(name))
  }
  const countOf = (kind: string): number => counts.get(kind) ?? 0
  return {
    file: input.name,
    format: 'keepsake',
    users: [...users],
    turns: countOf('turn'),
    sessions: countOf('session'),
    operations: countOf('operation'),
    defines: [...defines],
  }
}

function parseRow(line: string, where: string): JsonObject {
  try {
    const row: unknown = JSON.parse(line)
    if (isObject(row) && typeof row['row'] === 'string') return row
  } catch {
    // The error below reports the row.
  }
  throw unreadable(`${where}: this is not a row of a Keepsake export.`)
}
