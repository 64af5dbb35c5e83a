import { useSyncExternalStore } from 'react'
import { readLog, type RunLog } from './log.ts'
import type { GivenFile } from './given-files.ts'
import { readReports, type ReadReports, type Report } from './report.ts'

/** A run that was opened on this page: its report, its log, or both. */
export interface OpenedRun {
  /** The system's name, and more where several have it. Never changes while it is open. */
  readonly label: string
  /** The folder it lay in, or the file. */
  readonly source: string
  readonly report: Report | null
  readonly log: RunLog | null
}

/** A file that could not be opened, and why. */
export interface Refusal {
  readonly file: string
  readonly why: Exclude<ReadReports['kind'], 'reports' | 'manifest'> | 'no-log' | 'too-large' | 'unreadable'
}

/** A report is read whole; none that the harness writes is near it. A log may be of any size. */
const MOST_BYTES = 64_000_000

/** Held by this page's memory alone, so that they are there still on the way back from another page. */
let opened: readonly OpenedRun[] = []
const listeners = new Set<() => void>()

function set(next: readonly OpenedRun[]): void {
  opened = next
  for (const tell of listeners) tell()
}

function subscribe(tell: () => void): () => void {
  listeners.add(tell)
  return () => listeners.delete(tell)
}

/** The runs that are open, in the order in which they were. */
export function useOpenedRuns(): readonly OpenedRun[] {
  return useSyncExternalStore(subscribe, () => opened)
}

export function closeRun(label: string): void {
  set(opened.filter((one) => one.label !== label))
}

type Unnamed = Omit<OpenedRun, 'label'>

/** Opens what was given; a report and a log of one folder become one run. @returns what could not be opened */
export async function openRuns(files: readonly GivenFile[]): Promise<readonly Refusal[]> {
  const refusals: Refusal[] = []
  for (const together of Map.groupBy(files, ({ folder }) => folder).values()) {
    const { runs, refused } = await readTogether(together)
    refusals.push(...refused)
    set(runs.reduce(withRun, opened))
  }
  return refusals
}

async function readTogether(
  files: readonly GivenFile[],
): Promise<{ readonly runs: readonly Unnamed[]; readonly refused: readonly Refusal[] }> {
  const refused: Refusal[] = []
  const runs: Unnamed[] = []
  const logs: Unnamed[] = []
  for (const given of files) {
    const read = await readFile(given)
    if ('why' in read) refused.push(read)
    else (read.log === null ? runs : logs).push(...read.runs)
  }
  const [run, another] = runs
  const [log, further] = logs
  // Only where there is one of each can it be told whose log it is.
  return run !== undefined && another === undefined && log !== undefined && further === undefined
    ? { runs: [{ ...run, log: log.log }], refused }
    : { runs: [...runs, ...logs], refused }
}

async function readFile({
  file,
  folder,
}: GivenFile): Promise<{ readonly runs: readonly Unnamed[]; readonly log: RunLog | null } | Refusal> {
  const source = lastOf(folder) ?? file.name.replace(/\.jsonl?$/, '')
  try {
    if (file.name.endsWith('.jsonl')) {
      const log = await readLog(linesOf(file))
      if (log.unread === log.lines) return { file: file.name, why: 'no-log' }
      return { runs: [{ source, report: null, log }], log }
    }
    if (file.size > MOST_BYTES) return { file: file.name, why: 'too-large' }
    const read = readReports(await file.text())
    if (read.kind === 'manifest') return { runs: [], log: null }
    if (read.kind !== 'reports') return { file: file.name, why: read.kind }
    return { runs: read.reports.map((report) => ({ source, report, log: null })), log: null }
  } catch (error) {
    // Gone or changed since it was chosen, or not to be read: what is the matter with one file keeps no other from opening.
    if (error instanceof DOMException) return { file: file.name, why: 'unreadable' }
    throw error
  }
}

const lastOf = (folder: string): string | undefined => folder.split('/').findLast((part) => part !== '')

async function* linesOf(file: File): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of file.stream().pipeThrough(new TextDecoderStream())) {
    const lines = `${rest}${piece}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  yield rest
}

/** The same run opened again takes its own place. */
function withRun(runs: readonly OpenedRun[], run: Unnamed): readonly OpenedRun[] {
  const same = runs.find((one) => one.source === run.source && isSame(one.report, run.report))
  if (same !== undefined)
    return runs.map((one) => (one === same ? { ...run, log: run.log ?? same.log, label: same.label } : one))
  const system = run.report?.system ?? run.source
  const taken = new Set(runs.map(({ label }) => label))
  const names = [system, `${system} (${run.source})`]
  for (let number = 2; number <= runs.length + 2; number++) names.push(`${system} (${run.source}) ${number}`)
  return [...runs, { ...run, label: names.find((name) => !taken.has(name)) ?? system }]
}

function isSame(one: Report | null, other: Report | null): boolean {
  if (one === null || other === null) return one === other
  return one.system === other.system && one.startedAt === other.startedAt && one.command === other.command
}
