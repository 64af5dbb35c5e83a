import type { LogEntry } from '../log/log-entry.ts'
import { comparePaired } from '../runs/figures/compare-paired.ts'
import { compareSettings } from './compare-settings.ts'
import { readLogLines } from './read-log.ts'
import { nameRuns } from './read-runs.ts'
import type { PairedDifference, ReportRun } from './report-run.ts'

/** Compares every run with the first, item by item. Runs without a log or under other conditions are skipped. */
export async function compareRuns(runs: readonly ReportRun[]): Promise<PairedDifference[]> {
  const [first, ...others] = nameRuns(runs)
  if (first === undefined || first.logFile === null) return []
  const { groupOf } = compareSettings([first, ...others])
  const baseLog = await readItems(first.logFile)
  const differences: PairedDifference[] = []
  for (const run of others) {
    if (groupOf.get(run) !== groupOf.get(first) || run.logFile === null) continue
    for (const figure of comparePaired(await readItems(run.logFile), baseLog)) {
      differences.push({ ...figure, a: run.label, b: first.label })
    }
  }
  return differences
}

/** Reads a log without its contexts, which are long, because two logs are in memory at a time. */
async function readItems(file: string): Promise<LogEntry[]> {
  const entries: LogEntry[] = []
  for await (const value of readLogLines(file)) {
    // This harness wrote the log, and `readLogLines` checked the entries that reports show.
    const entry = value as LogEntry
    entries.push('context' in entry ? { ...entry, context: '' } : entry)
  }
  return entries
}
