import { existsSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { nameRuns } from './name-runs.ts'
import { readLog } from './read-log.ts'
import { ReportError } from './report-error.ts'
import type { ReportRun, RetentionReport } from './report-run.ts'
import { retentionSchema, summarySchema, tellProblem } from './run-schema.ts'

const SUMMARY = 'summary.json'
const LOG = 'log.jsonl'
const MANIFEST = 'run.json'
/** All that is needed of `run.json`: an older run's has other fields, and can be gone on with all the same. */
const manifestSchema = z.object({ command: z.string().min(1) })

export interface ReadReportOptions {
  /** Wrong answers kept of each run. Default 200. */
  readonly wrongAnswers?: number
}

/**
 * Reads what a report is made of: folders of runs, their `summary.json` files, and reports of
 * `keepsake bench forgetting --json`, in any order.
 *
 * @throws ReportError naming the file and what to do: nothing there, a run that is not over, a damaged file.
 * @example
 * const { runs, retention } = await readReportInputs(['bench-runs/locomo-moom-0f3a', 'bench-runs/locomo-lufy-77c1'])
 */
export async function readReportInputs(
  paths: readonly string[],
  options: ReadReportOptions = {},
): Promise<{ readonly runs: readonly ReportRun[]; readonly retention: readonly RetentionReport[] }> {
  const runs: ReportRun[] = []
  const retention: RetentionReport[] = []
  const distinct = new Map(paths.map((path) => [resolve(path), path]))
  for (const path of distinct.values()) {
    const file = await fileOf(path)
    const value = await readJson(file)
    if (isForgetting(value)) retention.push({ source: path, ...parse(file, retentionSchema, value) })
    else runs.push(await readSummary(path, file, value, options))
  }
  return { runs: nameRuns(runs), retention }
}

/**
 * Reads one run: its summary, and of its log what a report shows.
 *
 * @param path the run's folder, or its `summary.json`
 * @throws ReportError naming the file and what to do: nothing there, a run that is not over, a damaged file.
 */
export async function readRun(path: string, options: ReadReportOptions = {}): Promise<ReportRun> {
  const file = await fileOf(path)
  return readSummary(path, file, await readJson(file), options)
}

async function readSummary(
  path: string,
  file: string,
  value: unknown,
  options: ReadReportOptions,
): Promise<ReportRun> {
  const summary = parse(file, summarySchema, value)
  const beside = join(dirname(file), LOG)
  const logFile = existsSync(beside) ? beside : null
  const log = logFile === null ? null : await readLog(logFile, options.wrongAnswers)
  return { label: summary.system, source: path, summary, log, logFile }
}

/** The file that a path names: itself, or a folder's summary. */
async function fileOf(path: string): Promise<string> {
  if (!existsSync(path)) {
    throw new ReportError(
      path,
      'missing',
      'there is no such run. Give the folder that `keepsake bench run` made.',
    )
  }
  if (!statSync(path).isDirectory()) return path
  const file = join(path, SUMMARY)
  if (existsSync(file)) return file
  throw await withoutSummary(path)
}

async function withoutSummary(folder: string): Promise<ReportError> {
  const isRun = existsSync(join(folder, MANIFEST)) || existsSync(join(folder, LOG))
  return isRun
    ? new ReportError(folder, 'unfinished', `the run is not over. ${await tellHowFar(folder)}`)
    : new ReportError(
        folder,
        'missing',
        `holds no run (no ${SUMMARY}). Give the folder that \`keepsake bench run\` made.`,
      )
}

/** How far a run that is not over got, and what goes on with it. */
async function tellHowFar(folder: string): Promise<string> {
  const log = join(folder, LOG)
  const done = existsSync(log) ? (await readLog(log, 0)).done : 0
  const so = `${done} ${done === 1 ? 'conversation is' : 'conversations are'} done.`
  const manifest = join(folder, MANIFEST)
  const parsed = existsSync(manifest) ? manifestSchema.safeParse(await readJson(manifest)) : null
  const again =
    parsed?.success === true
      ? `Go on with it: ${parsed.data.command}`
      : 'Run the command that made it once more: it goes on where it stopped.'
  return `${so} ${again}`
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as unknown
  } catch (error) {
    const problem = error instanceof SyntaxError ? 'is not JSON' : 'cannot be read'
    throw new ReportError(file, 'damaged', `${problem}. Give a run's folder or its ${SUMMARY}.`, error)
  }
}

function isForgetting(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'capacityCurves' in value
}

function parse<T>(file: string, schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const hint =
    basename(file) === SUMMARY
      ? 'If another version of the harness wrote it, run the benchmark again.'
      : `Give a run's folder, its ${SUMMARY}, or a report of \`keepsake bench forgetting --json\`.`
  throw new ReportError(file, 'damaged', `${tellProblem(parsed.error)}. ${hint}`, parsed.error)
}
