import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunSummary } from './figure.ts'
import type { LogEntry } from './log-entry.ts'
import { RunError } from './run-error.ts'
import { fingerprintOf, runManifest, type RunManifest } from './run-manifest.ts'

const MANIFEST = 'run.json'
const LOG = 'log.jsonl'
const SUMMARY = 'summary.json'

/**
 * A run on disk: `run.json` says what is measured, `log.jsonl` holds an entry a line, `summary.json` the figures once
 * it is over. A conversation's entries are written in one piece and flushed, so what a kill leaves is whole
 * conversations and at most one torn tail, which is dropped when the run goes on.
 */
export class RunFolder {
  readonly path: string
  readonly manifest: RunManifest
  /** Conversations that need not be measured again. */
  readonly done: ReadonlySet<string>
  #lastWritten: Promise<void> = Promise.resolve()

  private constructor(path: string, manifest: RunManifest, done: ReadonlySet<string>) {
    this.path = path
    this.manifest = manifest
    this.done = done
  }

  /**
   * Begins a run, or goes on with the one that is there.
   *
   * @throws RunError when the folder holds a run that measures something else, or is damaged.
   */
  static open(path: string, manifest: RunManifest): RunFolder {
    const file = join(path, MANIFEST)
    if (!existsSync(file)) {
      mkdirSync(path, { recursive: true })
      replaceFile(file, `${JSON.stringify(manifest, null, 2)}\n`)
      return new RunFolder(path, manifest, new Set())
    }
    const begun = readManifest(path, file)
    if (fingerprintOf(begun) !== fingerprintOf(manifest)) {
      throw new RunError(
        path,
        `holds another run (${differences(begun, manifest)}). Choose another --out, or remove it.`,
      )
    }
    return new RunFolder(path, begun, dropUnfinished(path))
  }

  /** Writes a conversation's entries, one conversation after another; when it returns they are on disk. */
  append(entries: readonly LogEntry[]): Promise<void> {
    // A large text is written in several pieces: two at a time would be mingled.
    const written = this.#lastWritten.then(() => this.#write(entries))
    this.#lastWritten = written.catch(() => undefined)
    return written
  }

  async #write(entries: readonly LogEntry[]): Promise<void> {
    const log = await open(join(this.path, LOG), 'a')
    try {
      await log.appendFile(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
      await log.sync()
    } finally {
      await log.close()
    }
  }

  /** What was logged, by conversation: which was done first is chance, and figures must not hang on it. */
  entries(): LogEntry[] {
    const { entries } = readLog(this.path)
    return entries.toSorted((a, b) =>
      a.conversation < b.conversation ? -1 : a.conversation > b.conversation ? 1 : 0,
    )
  }

  finish(summary: RunSummary): void {
    replaceFile(join(this.path, SUMMARY), `${JSON.stringify(summary, null, 2)}\n`)
  }
}

function readManifest(path: string, file: string): RunManifest {
  const text = readFileSync(file, 'utf8')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new RunError(path, `${MANIFEST} is not JSON. Remove the folder to begin anew.`, error)
  }
  const parsed = runManifest.safeParse(value)
  if (parsed.success) return parsed.data
  const field = parsed.error.issues[0]?.path.join('.') ?? ''
  throw new RunError(path, `${MANIFEST} lacks a good \`${field}\`. Remove the folder to begin anew.`)
}

/** The fields that differ, by name: what to change or keep. */
function differences(begun: RunManifest, wanted: RunManifest): string {
  const fields = Object.keys(runManifest.shape).filter(
    (field) => field !== 'command' && field !== 'startedAt',
  )
  const valueOf = (manifest: RunManifest, field: string): string =>
    JSON.stringify(Object.entries(manifest).find(([name]) => name === field)?.[1])
  const other = fields.filter((field) => valueOf(begun, field) !== valueOf(wanted, field))
  return `other ${other.join(', ')}`
}

/** Leaves in the log only conversations that are done. */
function dropUnfinished(path: string): Set<string> {
  const { entries, isTorn } = readLog(path)
  const done = new Set(entries.flatMap((one) => (one.entry === 'done' ? [one.conversation] : [])))
  const kept = entries.filter((one) => done.has(one.conversation))
  if (isTorn || kept.length < entries.length) {
    replaceFile(join(path, LOG), kept.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
  }
  return done
}

function readLog(path: string): { entries: LogEntry[]; isTorn: boolean } {
  const file = join(path, LOG)
  if (!existsSync(file)) return { entries: [], isTorn: false }
  const lines = readFileSync(file, 'utf8').split('\n')
  const tail = lines.pop() ?? ''
  const entries = lines.map((line, index) => parseEntry(path, line, index + 1))
  return { entries, isTorn: tail !== '' }
}

function parseEntry(path: string, line: string, number: number): LogEntry {
  try {
    // Written by this harness in this format; the fingerprint's version guards it.
    const entry = JSON.parse(line) as LogEntry
    // JSON has no NaN: a system that gives no confidence comes back as null.
    return entry.entry === 'retrieval' ? { ...entry, confidence: entry.confidence ?? Number.NaN } : entry
  } catch (error) {
    throw new RunError(path, `${LOG}, line ${number} is damaged. Remove the folder to begin anew.`, error)
  }
}

function replaceFile(file: string, text: string): void {
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
}
