import { existsSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { runSummary, describeProblem, type RunSummary } from '../results/run-summary.ts'
import { readLog } from './read-log.ts'
import { ReportError } from './report-error.ts'
import type { ReportRun } from './report-run.ts'

const SUMMARY = 'summary.json'
const LOG = 'log.jsonl'
const MANIFEST = 'run.json'
const HINT = `Give the folder that \`keepsake bench\` made, its ${SUMMARY}, or what --json wrote.`
/** The only field of `run.json` that is needed here. So older runs, whose other fields differ, can still be resumed. */
const manifestSchema = z.object({ command: z.string().min(1) })

export interface ReadRunsOptions {
  /** Maximum number of wrong answers that are read of each run. Default 200. */
  readonly wrongAnswers?: number | undefined
}

/** Reads run folders, `summary.json` files and output of `--json`. @throws ReportError naming what is missing or damaged */
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
  const possibleLog = join(dirname(file), LOG)
  const hasLog = summaries.length === 1 && basename(file) === SUMMARY && existsSync(possibleLog)
  const logFile = hasLog ? possibleLog : null
  const log = logFile === null ? null : await readLog(logFile, wrongAnswers)
  return summaries.map((summary) => ({ label: summary.system, source: path, summary, log, logFile }))
}

/** Gives each run a unique label: the system's name, then its folder if several runs have that name, then a number if that is needed too. */
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

/** The file to read for a path: the file itself, or the summary in a folder. */
async function fileOf(path: string): Promise<string> {
  if (!existsSync(path)) throw new ReportError(path, 'missing', `there is no such run. ${HINT}`)
  if (!statSync(path).isDirectory()) return path
  const file = join(path, SUMMARY)
  if (existsSync(file)) return file
  const isRun = existsSync(join(path, MANIFEST)) || existsSync(join(path, LOG))
  throw isRun
    ? new ReportError(path, 'unfinished', `the run is not over. ${await describeProgress(path)}`)
    : new ReportError(path, 'missing', `holds no run (no ${SUMMARY}). ${HINT}`)
}

/** Describes the progress of an unfinished run, and how to resume it. */
async function describeProgress(folder: string): Promise<string> {
  const log = join(folder, LOG)
  const done = existsSync(log) ? (await readLog(log, 0)).done : 0
  const progress = `${done} ${done === 1 ? 'conversation is' : 'conversations are'} done.`
  const manifest = join(folder, MANIFEST)
  const parsed = existsSync(manifest) ? manifestSchema.safeParse(await readJson(manifest)) : null
  const advice =
    parsed?.success === true
      ? `Go on with it: ${parsed.data.command}`
      : 'Run the command that made it once more: it goes on where it stopped.'
  return `${progress} ${advice}`
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as unknown
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
