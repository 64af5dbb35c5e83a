import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { comparePaired } from '../runs/figures/compare-paired.ts'
import type { LogEntry } from '../runs/log-entry.ts'
import { compareSettings } from './compare-settings.ts'
import { nameRuns } from './name-runs.ts'
import type { PairedDifference, ReportRun } from './report-run.ts'

/**
 * Every run against the first, item by item. Runs that were made under other conditions than the first, or have no log,
 * are not compared.
 *
 * @returns the differences of each run less the first
 */
export async function compareRuns(runs: readonly ReportRun[]): Promise<PairedDifference[]> {
  const [first, ...others] = nameRuns(runs)
  if (first === undefined) return []
  const { groupOf } = compareSettings([first, ...others])
  const comparable = others.filter((run) => groupOf.get(run) === groupOf.get(first) && run.logFile !== null)
  if (first.logFile === null || comparable.length === 0) return []
  const base = await readItems(first.logFile)
  const differences: PairedDifference[] = []
  for (const run of comparable) {
    const items = await readItems(run.logFile ?? '')
    for (const one of comparePaired(items, base)) {
      differences.push({ ...one, a: run.label, b: first.label })
    }
  }
  return differences
}

/**
 * A log's entries without the long texts, which no comparison looks at: two logs are held at a time. They were checked
 * when the run was read; a torn last line is left out again.
 */
async function readItems(file: string): Promise<LogEntry[]> {
  const entries: LogEntry[] = []
  const lines = createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity })
  for await (const line of lines) {
    const entry = line.trim() === '' ? null : parse(line)
    if (entry !== null) entries.push('context' in entry ? { ...entry, context: '' } : entry)
  }
  return entries
}

function parse(line: string): LogEntry | null {
  try {
    return JSON.parse(line) as LogEntry
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
