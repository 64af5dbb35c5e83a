// Compares what the engine makes of the shipped talks with the committed results. README.md explains the options.
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { shortenContent, type Line } from './normalise.ts'
import { listTasks, runTask, type Task } from './tasks.ts'

const DATA = join(import.meta.dirname, 'data')
const MAX_SHOWN = 30

interface Finished {
  readonly lines?: readonly Line[]
  readonly seconds: number
  readonly error?: string
}

const fileOf = ({ preset, language, set }: Task): string => `${preset}/${language}.${set}.tsv`
const keyOf = ({ kind, id }: Line): string => `${kind}\t${id}`

function writeShort(lines: readonly Line[]): string {
  const rows = lines.map((line) => `${keyOf(line)}\t${shortenContent(line)}\n`)
  return rows.toSorted().join('')
}

function writeFull(lines: readonly Line[]): string {
  return lines
    .map((line) => `${keyOf(line)}\t${line.content.replaceAll('\n', '\n\t')}\n`)
    .toSorted()
    .join('')
}

/** Runs tasks in as many threads as there are cores, at most four. */
async function runAll(
  tasks: readonly Task[],
  finish: (task: Task, finished: Finished) => void,
): Promise<void> {
  const waiting = [...tasks]
  const runWorker = async (): Promise<void> => {
    const worker = new Worker(import.meta.filename)
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
      const message = once(worker, 'message')
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage(task)
      const [finished]: Finished[] = await message
      if (finished !== undefined) finish(task, finished)
    }
    await worker.terminate()
  }
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism(), tasks.length) }, runWorker))
}

type Outcome = 'same' | 'changed' | 'added' | 'removed'
type Tally = Record<Outcome, number>

interface Difference {
  readonly file: string
  readonly kind: string
  readonly outcome: Outcome
  readonly text: string
}

function readRows(text: string): Map<string, string> {
  const rows = text.split('\n').filter((row) => row !== '')
  return new Map(
    rows.map((row) => [row.slice(0, row.lastIndexOf('\t')), row.slice(row.lastIndexOf('\t') + 1)]),
  )
}

function compareFile(file: string, committed: string, found: string): Difference[] {
  const before = readRows(committed)
  const after = readRows(found)
  return [...new Set([...before.keys(), ...after.keys()])].toSorted().map((key) => {
    const [one, other] = [before.get(key), after.get(key)]
    const outcome = outcomeOf(one, other)
    const text = `${outcome} ${key.replace('\t', ' ')}\n    - ${one ?? ''}\n    + ${other ?? ''}`
    return { file, kind: key.split('\t')[0] ?? '', outcome, text }
  })
}

function outcomeOf(before: string | undefined, after: string | undefined): Outcome {
  if (before === after) return 'same'
  if (before === undefined) return 'added'
  return after === undefined ? 'removed' : 'changed'
}

function tallyBy(differences: readonly Difference[], by: 'file' | 'kind'): Record<string, Tally> {
  const table: Record<string, Tally> = {}
  for (const difference of differences) {
    const tally = (table[difference[by]] ??= { same: 0, changed: 0, added: 0, removed: 0 })
    tally[difference.outcome] += 1
  }
  return table
}

function printComparison(differences: readonly Difference[]): void {
  const different = differences.filter(({ outcome }) => outcome !== 'same')
  const files = new Set(different.map(({ file }) => file))
  console.table(tallyBy(differences, 'kind'))
  if (files.size > 0)
    console.table(
      tallyBy(
        differences.filter(({ file }) => files.has(file)),
        'file',
      ),
    )
  for (const { file, text } of different.slice(0, MAX_SHOWN)) console.log(`${file}: ${text}`)
  if (different.length > MAX_SHOWN) console.log(`and ${different.length - MAX_SHOWN} more lines`)
  console.log(`${differences.length} lines, ${different.length} of them differ from what is committed.`)
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      write: { type: 'boolean', default: false },
      full: { type: 'string' },
      only: { type: 'string', default: '' },
    },
  })
  const wanted = values.only.split(',').filter((word) => word !== '')
  const all = listTasks()
  const tasks = all.filter(({ preset, language, set }) =>
    wanted.every((word) => [preset, language, set].some((name) => name === word)),
  )
  if (tasks.length === 0) throw new Error(`No preset, language and set is called ${values.only}.`)
  const files = new Set(all.map(fileOf))
  const differences: Difference[] = []
  const failures: string[] = []
  const started = performance.now()
  await runAll(tasks, (task, { lines, seconds, error }) => {
    const file = fileOf(task)
    console.error(`${file}  ${seconds.toFixed(1)} s`)
    if (lines === undefined) return void failures.push(`${file}: ${error}`)
    if (values.full !== undefined) writeTo(join(values.full, file), writeFull(lines))
    const path = join(DATA, file)
    const found = writeShort(lines)
    if (values.write) writeTo(path, found)
    else differences.push(...compareFile(file, existsSync(path) ? readFileSync(path, 'utf8') : '', found))
  })
  if (values.write && wanted.length === 0)
    for (const file of globSync('*/*.tsv', { cwd: DATA })) if (!files.has(file)) rmSync(join(DATA, file))
  if (!values.write) printComparison(differences)
  for (const failure of failures) console.error(failure)
  console.log(`${tasks.length} files in ${((performance.now() - started) / 1_000).toFixed(0)} s`)
  return failures.length > 0 || differences.some(({ outcome }) => outcome !== 'same') ? 1 : 0
}

function writeTo(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

async function answerTask(task: Task): Promise<void> {
  const started = performance.now()
  const result = await runTask(task).then(
    (lines) => ({ lines }),
    (error: unknown) => ({ error: error instanceof Error ? String(error.stack) : String(error) }),
  )
  const finished: Finished = { ...result, seconds: (performance.now() - started) / 1_000 }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(finished)
}

if (isMainThread) process.exitCode = await main()
else parentPort?.on('message', (task: Task) => void answerTask(task))
