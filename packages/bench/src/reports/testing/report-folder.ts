import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LogEntry } from '../../log/log-entry.ts'
import type { RunSummary } from '../../results/run-summary.ts'

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'keepsake-report-'))
}

export interface WrittenRun {
  readonly summary?: RunSummary
  readonly log?: readonly LogEntry[]
  /** The beginning of a line that a killed run was writing. */
  readonly tail?: string
  /** The command in `run.json`. */
  readonly command?: string
}

/** Writes a run's folder in the runner's form. @returns its path */
export function writeRun(
  parent: string,
  name: string,
  { summary, log, tail = '', command }: WrittenRun,
): string {
  const folder = join(parent, name)
  mkdirSync(folder, { recursive: true })
  if (summary !== undefined) writeFileSync(join(folder, 'summary.json'), JSON.stringify(summary))
  if (log !== undefined) {
    writeFileSync(join(folder, 'log.jsonl'), log.map((entry) => `${JSON.stringify(entry)}\n`).join('') + tail)
  }
  if (command !== undefined)
    writeFileSync(join(folder, 'run.json'), JSON.stringify({ format: 2, systems: ['alpha'], command }))
  return folder
}
