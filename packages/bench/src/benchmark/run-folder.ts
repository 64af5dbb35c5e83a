import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { LogEntry } from '../log/log-entry.ts'
import {
  fingerprintOf,
  runManifest,
  describeProblem,
  type RunManifest,
  type RunSummary,
} from '../results/run-summary.ts'
import type { Measurement } from './benchmark.ts'
import { RunError } from './run-error.ts'

export const MANIFEST = 'run.json'
export const LOG = 'log.jsonl'
export const SUMMARY = 'summary.json'
/** Holds the id of the process that measures the run. A killed process leaves it behind. */
const LOCK = 'process.lock'

/** The folder of a run. The entries of a step are flushed together. So a kill leaves at most one incomplete step, which resuming drops. */
export class RunFolder {
  readonly path: string
  readonly manifest: RunManifest
  /** Names of the finished steps. In most benchmarks a step is a conversation. */
  readonly done: ReadonlySet<string>
  #lastWritten: Promise<void> = Promise.resolve()

  private constructor(path: string, manifest: RunManifest, done: ReadonlySet<string>) {
    this.path = path
    this.manifest = manifest
    this.done = done
  }

  /** Begins a run, or resumes one if `resumes` allows it. @throws RunError if the folder is damaged, has another run, or is in use */
  static open(path: string, manifest: RunManifest, resumes: Measurement['resumes']): RunFolder {
    const file = join(path, MANIFEST)
    const exists = existsSync(file)
    const isFinished = existsSync(join(path, SUMMARY))
    const mustRestart = resumes === 'never' || (isFinished && resumes === 'until-finished')
    mkdirSync(path, { recursive: true })
    lock(path)
    if (!exists || mustRestart) {
      for (const name of [LOG, SUMMARY]) rmSync(join(path, name), { force: true })
      replaceFile(file, `${JSON.stringify(manifest, null, 2)}\n`)
      return new RunFolder(path, manifest, new Set())
    }
    const existing = readManifest(path, file)
    if (fingerprintOf(existing) !== fingerprintOf(manifest)) {
      throw new RunError(
        path,
        `contains another run (${differences(existing, manifest)}). Choose another --runs, or remove it.`,
      )
    }
    return new RunFolder(path, existing, dropUnfinished(path))
  }

  /** Appends the entries of a step. They are on disk when it returns. */
  append(entries: readonly LogEntry[]): Promise<void> {
    // Steps are written one after another, because a large text is written in several pieces.
    const written = this.#lastWritten.then(() => this.#write(entries))
    this.#lastWritten = written.catch(() => undefined)
    return written
  }

  async #write(entries: readonly LogEntry[]): Promise<void> {
    const log = await open(join(this.path, LOG), 'a')
    try {
      await log.appendFile(toLines(entries))
      await log.sync()
    } finally {
      await log.close()
    }
  }

  /** Reads the entries in the order of finished steps. */
  entries(): LogEntry[] {
    return readLog(this.path).entries
  }

  /** Writes the summary, which marks the run as finished. */
  finish(summaries: readonly RunSummary[]): void {
    const value = summaries.length === 1 ? summaries[0] : summaries
    replaceFile(join(this.path, SUMMARY), `${JSON.stringify(value, null, 2)}\n`)
    rmSync(join(this.path, LOCK), { force: true })
  }
}

/** Marks a folder as in use by this process. Two processes would count each conversation twice. @throws RunError if another process uses it */
function lock(path: string): void {
  const file = join(path, LOCK)
  const holder = existsSync(file) ? Number(readFileSync(file, 'utf8')) : process.pid
  if (holder !== process.pid && isRunning(holder))
    throw new RunError(
      path,
      `is being measured by process ${holder}. Wait until it ends, or choose another --runs.`,
    )
  writeFileSync(file, String(process.pid))
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // A process of another user may not be signalled.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function readManifest(path: string, file: string): RunManifest {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new RunError(path, `${MANIFEST} is not JSON. Remove the folder to begin again.`, error)
  }
  const parsed = runManifest.safeParse(value)
  if (parsed.success) return parsed.data
  throw new RunError(path, `${MANIFEST}: ${describeProblem(parsed.error)}. Remove the folder to begin again.`)
}

/** Names the fields in which two runs differ. */
function differences(existing: RunManifest, requested: RunManifest): string {
  const fieldsOf = ({ config, command: _c, machine: _m, startedAt: _s, ...fields }: RunManifest) =>
    new Map(Object.entries({ ...config, ...fields }))
  const other = fieldsOf(requested)
  const differing = [...fieldsOf(existing)].filter(
    ([field, value]) => !isDeepStrictEqual(value, other.get(field)),
  )
  return `other ${differing.map(([field]) => field).join(', ')}`
}

/** Removes entries of unfinished steps from the log. @returns the names of finished steps */
function dropUnfinished(path: string): Set<string> {
  const { entries, hasIncompleteLine } = readLog(path)
  const stepOf = (entry: LogEntry): string => (entry.entry === 'step' ? entry.step : entry.conversation)
  const lastEntries = entries.filter(({ entry }) => entry === 'done' || entry === 'step')
  const done = new Set(lastEntries.map(stepOf))
  const finished = entries.filter((entry) => done.has(stepOf(entry)))
  if (hasIncompleteLine || finished.length < entries.length) replaceFile(join(path, LOG), toLines(finished))
  return done
}

function toLines(entries: readonly LogEntry[]): string {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
}

/** Reads a run's log in the order of finished steps, without an incomplete last line. @throws RunError if a line is damaged */
export function readLog(path: string): { entries: LogEntry[]; hasIncompleteLine: boolean } {
  const file = join(path, LOG)
  if (!existsSync(file)) return { entries: [], hasIncompleteLine: false }
  const lines = readFileSync(file, 'utf8').split('\n')
  const textAfterLastBreak = lines.pop() ?? ''
  const entries = lines.map((line, index) => parseEntry(path, line, index + 1))
  return { entries, hasIncompleteLine: textAfterLastBreak !== '' }
}

function parseEntry(path: string, line: string, number: number): LogEntry {
  try {
    // This harness wrote the line, in the format that the manifest names.
    const entry = JSON.parse(line) as LogEntry
    // JSON has no NaN, so a log holds `null` for a missing confidence.
    return entry.entry === 'retrieval' ? { ...entry, confidence: entry.confidence ?? Number.NaN } : entry
  } catch (error) {
    throw new RunError(path, `${LOG}, line ${number} is damaged. Remove the folder to begin again.`, error)
  }
}

/** Replaces a file in one step, so that a kill leaves the old or the new one. */
function replaceFile(file: string, text: string): void {
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
}
