import { formatCount } from '../output/format-quantity.ts'
import { table } from '../output/print.ts'
import { countInWords } from '../watch-calls.ts'
import type { Stage, StageModel } from './stage.ts'

/** Says what the language model was asked for, and what could not be read; returns the same for `--json`. */
export async function tellCost(stage: Stage, { name, tally }: StageModel): Promise<object> {
  const { say, paragraph, style, memory } = stage
  const { total, byPrompt } = tally
  const rows = [...byPrompt].map(([prompt, { calls, inputTokens, outputTokens, failed }]) => [
    `   ${prompt}`,
    ...[calls, inputTokens, outputTokens].map((count) => count.toLocaleString('en')),
    failed === 0 ? '' : `${failed} without a usable answer`,
  ])
  const head = ['   prompt', 'calls', 'tokens in', 'out', ''].map(style.dim)
  say('', style.bold('Model usage'), '', table(head, rows, [1, 2, 3]), '')
  paragraph(`${name}: ${countInWords(total)}.`)
  const jobs = await memory.jobs()
  if (jobs.length > 0)
    paragraph(
      style.warn(
        `${formatCount(jobs.length, 'part')} of the conversations could not be processed: see "keepsake jobs".`,
      ),
    )
  return { name, total, byPrompt: Object.fromEntries(byPrompt), unread: jobs.map((job) => job.reason) }
}
