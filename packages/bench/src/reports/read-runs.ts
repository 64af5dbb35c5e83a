import { existsSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { runSummary, tellProblem, type RunSummary } from '../results/run-summary.ts'
import { readLog } from './read-log.ts'
import { ReportError } from './report-error.ts'
import type { ReportRun } from './report-run.ts'

const SUMMARY = 'summary.json'
const LOG = 'log.jsonl'
const MANIFEST = 'run.json'
const GIVE = `Give the folder that \`keepsake bench\` made, its ${SUMMARY}, or what --json wrote.`
/** The needed field of `run.json`: older runs have other fields, and can still be resumed. */
const manifestSchema = z.object({ command: z.string().min(1) })

export interface ReadRunsOptions {
  /** Wrong answers kept of each run. Default 200. */
  readonly wrongAnswers?: number | undefined
}

/**
 * Reads the inputs of a report: run folders, their `summary.json` files, and output of `--json`, in any order. Every system of a run is
 * reported under a unique name.
 *
 * @throws ReportError naming the file and what to do: missing, unfinished or damaged.
 *
 * @example
 * const runs = await readRuns(['bench-runs/locomo-moom-0f3a', 'bench-runs/forgetting-lufy-77c1'])
 */
export async function readRuns(
  paths: readonly string[],
  options: ReadRunsOptions = {},
): Promise<readonly ReportRun[]> {
  const runs: ReportRun[] = []
  const distinct = new Map(paths.map((path) => [resolve(path), path]))
  for (const path of distinct.values()) runs.push(...(await readRun(path, options)))
  return nameRuns(runs)
}

async function readRun(path: string, { wrongAnswers }: ReadRunsOptions): Promise<ReportRun[]> {
  const file = await fileOf(path)
  const summaries = parse(file, await readJson(file))
  const beside = join(dirname(file), LOG)
  const logFile = summaries.length === 1 && basename(file) === SUMMARY && existsSync(beside) ? beside : null
  const log = logFile === null ? null : await readLog(logFile, wrongAnswers)
  return summaries.map((summary) => ({ label: summary.system, source: path, summary, log, logFile }))
}

/** Gives each run a unique name: its system's, with the folder's name where shared, and with a number where that is shared too. */
export function nameRuns(runs: readonly ReportRun[]): ReportRun[] {
  const bySystem = Map.groupBy(runs, ({ summary }) => summary.system)
  const named = runs.map((run) => {
    const { system } = run.summary
    const isAlone = (bySystem.get(system)?.length ?? 0) < 2
    return { ...run, label: isAlone ? system : `${system} (${folderOf(run.source)})` }
  })
  const byLabel = Map.groupBy(named, ({ label }) => label)
  return named.map((run) => {
    const same = byLabel.get(run.label) ?? []
    return same.length < 2 ? run : { ...run, label: `${run.label} ${same.indexOf(run) + 1}` }
  })
}

function folderOf(source: string): string {
  return basename(source) === SUMMARY ? basename(dirname(source)) || source : basename(source, '.json')
}

/** The file that a path names: itself, or a folder's summary. */
async function fileOf(path: string): Promise<string> {
  if (!existsSync(path)) throw new ReportError(path, 'missing', `there is no such run. ${GIVE}`)
  if (!statSync(path).isDirectory()) return path
  const file = join(path, SUMMARY)
  if (existsSync(file)) return file
  const isRun = existsSync(join(path, MANIFEST)) || existsSync(join(path, LOG))
  throw isRun
    ? new ReportError(path, 'unfinished', `the run is not over. ${await tellHowFar(path)}`)
    : new ReportError(path, 'missing', `holds no run (no ${SUMMARY}). ${GIVE}`)
}

/** Describes an unfinished run's progress, and how to resume it. */
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
    throw new ReportError(file, 'damaged', `${problem}. ${GIVE}`, error)
  }
}

/** Older runs called the matching of single words “bertscore”. */
function named(summary: RunSummary): RunSummary {
  if (summary.config['bertscore'] !== undefined) return summary
  const figures = summary.figures.map((one) =>
    one.metric === 'bertscore' ? { ...one, metric: 'greedy_words' } : one,
  )
  return { ...summary, figures }
}

function parse(file: string, value: unknown): RunSummary[] {
  const parsed = Array.isArray(value)
    ? z.array(runSummary).min(1).safeParse(value)
    : z.tuple([runSummary]).safeParse([value])
  if (parsed.success) return parsed.data.map(named)
  const problem = tellProblem(parsed.error).replace(/`\[0\]\.?/, '`')
  throw new ReportError(
    file,
    'damaged',
    `${problem}. If another version of the harness wrote it, run the benchmark again; else: ${GIVE}`,
    parsed.error,
  )
}
