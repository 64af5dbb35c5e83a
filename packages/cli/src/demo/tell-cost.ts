import { formatCount } from '../output/format-quantity.ts'
import { table } from '../output/print.ts'
import { wrap } from '../output/style.ts'
import { countInWords, type CallCount } from '../watch-calls.ts'
import type { Stage, StageModel } from './stage.ts'

/** Says what the language model was asked for, and what could not be read. */
export async function tellCost(
  stage: Stage,
  { name, tally }: StageModel,
): Promise<{
  name: string
  total: CallCount
  byPrompt: Record<string, CallCount>
  unread: readonly (string | null)[]
}> {
  const { say, style, memory } = stage
  const { total, byPrompt } = tally
  const rows = [...byPrompt].map(([prompt, { calls, inputTokens, outputTokens, failed }]) => [
    `   ${prompt}`,
    calls.toLocaleString('en'),
    inputTokens.toLocaleString('en'),
    outputTokens.toLocaleString('en'),
    failed === 0 ? '' : `${failed} without a usable answer`,
  ])
  say('', style.bold('What it cost'), '')
  say(table(['   prompt', 'calls', 'tokens in', 'out', ''].map(style.dim), rows, [1, 2, 3]), '')
  say(wrap(`${name}: ${countInWords(total)}.`, style.width, '   '))
  const jobs = await memory.jobs()
  if (jobs.length > 0)
    say(
      wrap(
        style.warn(
          `${formatCount(jobs.length, 'stretch', 'stretches')} could not be read: keepsake jobs says why.`,
        ),
        style.width,
        '   ',
      ),
    )
  return { name, total, byPrompt: Object.fromEntries(byPrompt), unread: jobs.map((job) => job.reason) }
}
