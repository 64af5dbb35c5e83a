import type { JobRow, Keepsake, ScopeRow } from 'keepsake'
import { defineCommand } from '../define-command.ts'
import { shortId } from '../find-memory.ts'
import type { Io } from '../io.ts'
import { openModels } from '../model-options.ts'
import { withExisting } from '../open-database.ts'
import { formatCount, formatMoment } from '../output/format-quantity.ts'
import type { Shown } from '../output/print.ts'
import { progressFor } from '../output/progress.ts'
import { joinMarks, printable, wrap, type Style } from '../output/style.ts'

export const jobsCommand = defineCommand({
  name: 'jobs',
  summary: 'pending and failed jobs',
  description:
    'Lists pending jobs and jobs that were given up after repeated failures, with the reason. --retry runs these again: use the same --preset and --model. Without a model, rules extract the facts.',
  sharedOptions: ['models', 'db', 'preset'],
  declare: (command) =>
    command
      .option('--answers', 'show the model’s exact answers')
      .option('--retry', 'retry the jobs that were given up, and wait for them'),
  json: 'one JSON object per line',
  examples: ['keepsake jobs --answers', 'keepsake jobs --retry --model ollama:qwen3:8b'],
  async run({ io, options }) {
    const { retry = false, json = false, answers = false } = options
    // Only a retry may call a model.
    const models = retry ? await openModels(io, options) : {}
    return withExisting(
      options,
      async (memory) => {
        const retried = retry ? await retryJobs(io, memory, json) : null
        const scopes = new Map((await memory.scopes()).map((row) => [row.scope, row]))
        const jobs = (await memory.jobs()).map((job) => ({ job, scope: scopes.get(job.scope) }))
        return showJobs(jobs, retried, answers)
      },
      models,
    )
  },
})

async function retryJobs(io: Io, memory: Keepsake, isJson: boolean): Promise<number> {
  const progress = progressFor(io, isJson)
  const retried = await memory.retryJobs()
  progress.wait(`Retrying ${formatCount(retried, 'job')}`)
  try {
    await memory.drain()
  } finally {
    progress.stop()
  }
  return retried
}

interface ShownJob {
  readonly job: JobRow
  readonly scope: ScopeRow | undefined
}

function showJobs(jobs: readonly ShownJob[], retried: number | null, withAnswers: boolean): Shown {
  const parked = jobs.filter(({ job }) => job.state === 'parked').length
  const summary =
    jobs.length === 0
      ? 'There are no jobs.'
      : `${jobs.length - parked} pending, ${parked} given up${parked > 0 ? ' (keepsake jobs --retry)' : ''}`
  return {
    data: jobs.map(({ job, scope }) => ({ ...job, user: scope?.user, agent: scope?.agent })),
    formatText: (style) =>
      [
        ...(retried === null ? [] : [`Retried ${formatCount(retried, 'job')}.`, '']),
        ...jobs.map((job) => formatJob(job, withAnswers, style)),
        style.dim(summary),
      ].join('\n'),
  }
}

const KIND_NAMES = {
  consolidate: 'extract facts',
  'end-session': 'end a session',
  'read-segment': 'extract facts from part of a conversation',
} as const satisfies Record<JobRow['kind'], string>

function formatJob({ job, scope }: ShownJob, withAnswer: boolean, style: Style): string {
  const { id, kind, session, at, branch, from, to, state, attempts, nextTryAt, reason, answer } = job
  const agent = scope?.agent === null ? '' : ` with ${scope?.agent}`
  const marks = [
    KIND_NAMES[kind],
    scope === undefined ? '' : printable(`${scope.user}${agent}`),
    session === null ? '' : `session ${printable(session)}`,
    from === null || to === null ? '' : `turns ${from + 1} to ${to}`,
    branch ?? '',
    formatMoment(at),
    attempts === 0 ? '' : `failed ${formatCount(attempts, 'time')}`,
    nextTryAt === null ? '' : `next try ${formatMoment(nextTryAt)}, or with --model`,
  ]
  const shownState =
    state === 'parked' ? style.warn('given up') : style.good(state === 'queued' ? 'pending' : state)
  return [
    wrap(
      `${style.accent(shortId(id))}  ${shownState}  ${style.dim(joinMarks(marks))}`,
      style.width,
      '',
      '  ',
    ),
    ...(reason === null ? [] : [wrap(printable(reason), style.width, '  ')]),
    ...(withAnswer ? [formatAnswer(answer, style)] : []),
  ].join('\n')
}

function formatAnswer(answer: string | null, { dim }: Style): string {
  if (answer === null) return dim('  The model gave no answer.')
  return printable(answer).replaceAll(/^.*$/gm, (line) => dim(`  | ${line}`))
}
