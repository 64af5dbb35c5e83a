import { Command } from 'commander'
import type { JobRow, Keepsake, ScopeRow } from 'keepsake'
import { withDatabase, type CommonOptions } from '../common-options.ts'
import { examples } from '../examples-help.ts'
import { shortId } from '../find-memory.ts'
import type { Io } from '../io.ts'
import { openModels, withModels, type ModelOptions } from '../model-options.ts'
import { withExisting } from '../open-database.ts'
import { formatCount, formatMoment } from '../output/format-quantity.ts'
import { print, printJson } from '../output/print.ts'
import { progressFor } from '../output/progress.ts'
import { printable, styleFor, wrap, type Style } from '../output/style.ts'

interface Options extends CommonOptions, ModelOptions {
  readonly answers?: boolean
  readonly retry?: boolean
}

/** A job, and whose it is. */
interface ShownJob {
  readonly job: JobRow
  readonly whose: ScopeRow | undefined
}

export function jobsCommand(io: Io): Command {
  const command = new Command('jobs')
    .summary('work that waits, or failed and why')
    .description(
      'Work on the memory that waits, and work that failed too often and was parked, with the reason. --retry does what was parked again: name the same --preset and --model as then; without a model, rules read the talk.',
    )
    .option('--answers', 'show what the model answered, word for word')
    .option('--retry', 'try what was parked again, and wait for it')
  return withDatabase(
    withModels(command, io).addHelpText(
      'after',
      examples('keepsake jobs --answers', 'keepsake jobs --retry --model ollama:qwen3:8b'),
    ),
    io,
    'one JSON object a job, a line each',
  ).action((options: Options) => run(io, options))
}

async function run(io: Io, options: Options): Promise<void> {
  const isJson = options.json === true
  // Only a retry may ask a model: looking costs nothing.
  const models = options.retry === true ? await openModels(io, options) : {}
  const { retried, jobs } = await withExisting(
    options,
    async (memory) => ({
      retried: options.retry === true ? await retry(io, memory, isJson) : null,
      jobs: await listJobs(memory),
    }),
    models,
  )
  if (isJson)
    for (const { job, whose } of jobs) printJson(io, { ...job, user: whose?.user, agent: whose?.agent })
  else print(io, ...formatJobs(jobs, retried, options.answers === true, styleFor(io)))
}

async function retry(io: Io, memory: Keepsake, isJson: boolean): Promise<number> {
  const progress = progressFor(io, isJson)
  const retried = await memory.retryJobs()
  progress.wait(`Trying ${formatCount(retried, 'job')} again`)
  try {
    await memory.drain()
  } finally {
    progress.stop()
  }
  return retried
}

async function listJobs(memory: Keepsake): Promise<ShownJob[]> {
  const scopes = new Map((await memory.scopes()).map((row) => [row.scope, row]))
  return (await memory.jobs()).map((job) => ({ job, whose: scopes.get(job.scope) }))
}

function formatJobs(
  jobs: readonly ShownJob[],
  retried: number | null,
  withAnswers: boolean,
  style: Style,
): string[] {
  const parked = jobs.filter(({ job }) => job.state === 'parked').length
  const again = retried === null ? [] : [`Tried ${formatCount(retried, 'job')} again.`, '']
  const end = jobs.length === 0 ? 'No work is left.' : `${jobs.length - parked} waiting, ${parked} parked`
  return [...again, ...jobs.map((one) => formatJob(one, withAnswers, style)), style.dim(end)]
}

const WORK = {
  consolidate: 'read what was said',
  'end-session': 'end a session',
  'read-segment': 'read a stretch of talk',
} as const satisfies Record<JobRow['kind'], string>

function formatJob({ job, whose }: ShownJob, withAnswers: boolean, style: Style): string {
  const { id, kind, session, at, branch, from, to, state, attempts, reason, answer } = job
  const marks = [
    WORK[kind],
    whose === undefined
      ? ''
      : printable(whose.agent === null ? whose.user : `${whose.user} with ${whose.agent}`),
    session === null ? '' : `session ${printable(session)}`,
    from === null || to === null ? '' : `turns ${from + 1} to ${to}`,
    branch ?? '',
    formatMoment(at),
    attempts === 0 ? '' : `failed ${formatCount(attempts, 'time')}`,
  ].filter((mark) => mark !== '')
  const paintState = state === 'parked' ? style.warn : style.good
  const lines = [
    `${style.accent(shortId(id))}  ${paintState(state === 'queued' ? 'waiting' : state)}  ${style.dim(marks.join(' · '))}`,
  ]
  if (reason !== null) lines.push(wrap(printable(reason), style.width, '  '))
  if (withAnswers) lines.push(formatAnswer(answer, style))
  return lines.join('\n')
}

function formatAnswer(answer: string | null, style: Style): string {
  if (answer === null) return style.dim('  The model gave no answer.')
  return printable(answer)
    .split('\n')
    .map((line) => style.dim(`  | ${line}`))
    .join('\n')
}
