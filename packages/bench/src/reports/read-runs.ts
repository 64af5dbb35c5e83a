import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { RunError } from '../benchmark/run-error.ts'
import { LOG, MANIFEST, readLog, SUMMARY } from '../benchmark/run-folder.ts'
import type { EntryOf, LogEntry } from '../log/log-entry.ts'
import { runSummary, describeProblem, type RunSummary } from '../results/run-summary.ts'
import type { ReportRun, RunLog, WrongAnswer } from './report-run.ts'

const HINT = `Give the folder that \`keepsake bench\` made, its ${SUMMARY}, or what --json wrote.`
/** The only field of `run.json` that is needed here. Other fields may differ, so that older runs can be read. */
const manifestSchema = z.object({ command: z.string().min(1) })

/** Maximum numbers of wrong answers and failures that a report shows of each run. */
const MAX_WRONG_ANSWERS = 200
const MAX_FAILURES = 50

/** A run cannot be reported, because its folder is missing, unfinished or damaged. The message names the file and what to do. */
export class ReportError extends Error {
  override readonly name = 'ReportError'
  readonly file: string
  /** `missing`: there is no file. `unfinished`: the run can be resumed. `damaged`: the file is unreadable. */
  readonly problem: 'missing' | 'unfinished' | 'damaged'

  constructor(file: string, problem: ReportError['problem'], message: string, cause?: unknown) {
    super(`${file}: ${message}`, cause === undefined ? undefined : { cause })
    this.file = file
    this.problem = problem
  }
}

export interface ReadRunsOptions {
  /** Maximum number of wrong answers that are read of each run. Default 200. */
  readonly wrongAnswers?: number | undefined
}

/** Reads run folders, `summary.json` files and output of `--json`. @throws ReportError naming what is missing or damaged */
export function readRuns(paths: readonly string[], options: ReadRunsOptions = {}): readonly ReportRun[] {
  const distinct = new Map(paths.map((path) => [resolve(path), path]))
  return nameRuns([...distinct.values()].flatMap((path) => readRun(path, options)))
}

function readRun(path: string, { wrongAnswers }: ReadRunsOptions): ReportRun[] {
  const file = fileOf(path)
  const summaries = parse(file, readJson(file))
  const folder = dirname(file)
  const hasLog = summaries.length === 1 && basename(file) === SUMMARY && existsSync(join(folder, LOG))
  const log = hasLog ? readRunLog(folder, wrongAnswers) : null
  return summaries.map((summary) => ({ label: summary.system, source: path, summary, log }))
}

/** Gives each run a unique label: the system's name. If several runs have it, the folder is added, and if that is not enough, a number. */
export function nameRuns(runs: readonly ReportRun[]): ReportRun[] {
  const bySystem = Map.groupBy(runs, ({ summary }) => summary.system)
  const named = runs.map((run) => {
    const { system } = run.summary
    const isUnique = (bySystem.get(system)?.length ?? 0) < 2
    return { ...run, label: isUnique ? system : `${system} (${folderOf(run.source)})` }
  })
  const byLabel = Map.groupBy(named, ({ label }) => label)
  return named.map((run) => {
    const sameLabel = byLabel.get(run.label) ?? []
    return sameLabel.length < 2 ? run : { ...run, label: `${run.label} ${sameLabel.indexOf(run) + 1}` }
  })
}

function folderOf(source: string): string {
  return basename(source) === SUMMARY ? basename(dirname(source)) || source : basename(source, '.json')
}

/** Finds the file to read for a path: the file itself, or the summary in a folder. */
function fileOf(path: string): string {
  if (!existsSync(path)) throw new ReportError(path, 'missing', `there is no such run. ${HINT}`)
  if (!statSync(path).isDirectory()) return path
  const file = join(path, SUMMARY)
  if (existsSync(file)) return file
  const isRun = existsSync(join(path, MANIFEST)) || existsSync(join(path, LOG))
  throw isRun
    ? new ReportError(path, 'unfinished', `the run is not finished. ${describeProgress(path)}`)
    : new ReportError(path, 'missing', `holds no run (no ${SUMMARY}). ${HINT}`)
}

/** Describes the progress of an unfinished run, and how to resume it. */
function describeProgress(folder: string): string {
  const { done } = readRunLog(folder)
  const progress = `${done} ${done === 1 ? 'conversation is' : 'conversations are'} done.`
  const manifest = join(folder, MANIFEST)
  const parsed = existsSync(manifest) ? manifestSchema.safeParse(readJson(manifest)) : null
  const advice =
    parsed?.success === true ? `Continue it: ${parsed.data.command}` : 'Run its command again to continue.'
  return `${progress} ${advice}`
}

/** Reads what a report shows of a log. If there are too many wrong answers, those of smallest hash are shown. The choice is unbiased, and the same for all systems. */
function readRunLog(folder: string, maxWrongAnswers: number = MAX_WRONG_ANSWERS): RunLog {
  const { entries, hasIncompleteLine } = readEntries(folder)
  const answers = entries.filter(({ entry }) => entry === 'answer' || entry === 'probe')
  const wrong = answers.flatMap(wrongAnswerOf)
  const failures = entries.filter((entry) => entry.entry === 'failure')
  const remarks = []
  if (hasIncompleteLine) remarks.push('The last line of the log is incomplete and was left out.')
  if (failures.length > MAX_FAILURES)
    remarks.push(`${failures.length - MAX_FAILURES} more failures are in the log.`)
  return {
    folder,
    questionCount: answers.length,
    wrong: wrong.length,
    wrongAnswers: wrong
      .map((answer) => ({ answer, hash: hashOf(answer) }))
      .toSorted((a, b) => (a.hash < b.hash ? -1 : 1))
      .slice(0, maxWrongAnswers)
      .map(({ answer }) => answer),
    failures: failures.slice(0, MAX_FAILURES),
    done: entries.filter(({ entry }) => entry === 'done' || entry === 'step').length,
    remarks,
  }
}

function readEntries(folder: string): ReturnType<typeof readLog> {
  try {
    return readLog(folder)
  } catch (error) {
    if (!(error instanceof RunError)) throw error
    throw new ReportError(folder, 'damaged', error.message, error)
  }
}

function hashOf({ conversation, question }: WrongAnswer): string {
  return createHash('sha256').update(`${conversation}\n${question}`).digest('hex')
}

/** Returns the wrong answer of an entry. Empty: the answer is right, or the entry is of another kind. */
function wrongAnswerOf(entry: LogEntry): WrongAnswer[] {
  if (entry.entry === 'probe') return entry.chosen === entry.correct ? [] : [wrongChoice(entry)]
  if (entry.entry !== 'answer' || entry.outcome === 'correct') return []
  return [{ ...entry, verdict: entry.outcome }]
}

function wrongChoice(entry: EntryOf<'probe'>): WrongAnswer {
  const { choices, correct, chosen } = entry
  return {
    ...entry,
    reference: choices[correct] ?? '',
    answer: chosen === null ? '' : (choices[chosen] ?? ''),
    verdict: chosen === null ? 'no choice' : 'wrong choice',
    reason: '',
    lost: null,
  }
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as unknown
  } catch (error) {
    const problem = error instanceof SyntaxError ? 'is not JSON' : 'cannot be read'
    throw new ReportError(file, 'damaged', `${problem}. ${HINT}`, error)
  }
}

/** Renames a metric of older runs, which called the matching of single words “bertscore”. */
function renameOldMetric(summary: RunSummary): RunSummary {
  if (summary.config['bertscore'] !== undefined) return summary
  const figures = summary.figures.map((figure) =>
    figure.metric === 'bertscore' ? { ...figure, metric: 'greedy_words' } : figure,
  )
  return { ...summary, figures }
}

function parse(file: string, value: unknown): RunSummary[] {
  const parsed = Array.isArray(value)
    ? z.array(runSummary).min(1).safeParse(value)
    : z.tuple([runSummary]).safeParse([value])
  if (parsed.success) return parsed.data.map(renameOldMetric)
  const problem = describeProblem(parsed.error).replace(/`\[0\]\.?/, '`')
  throw new ReportError(
    file,
    'damaged',
    `${problem}. If another version of the harness wrote it, run the benchmark again; else: ${HINT}`,
    parsed.error,
  )
}
