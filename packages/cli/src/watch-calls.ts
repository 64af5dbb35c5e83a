import type { Keepsake, ModelCall } from 'keepsake'
import { formatCount } from './output/format-quantity.ts'

const NO_CALLS = { questions: 0, calls: 0, inputTokens: 0, outputTokens: 0, uncounted: 0, failed: 0 }

/** Counts of a model's calls: all with retries (`calls`), questions without token counts (`uncounted`) or usable answer (`failed`). */
export type CallCount = typeof NO_CALLS

/** Counts a memory's calls of its language model. */
export class CallTally {
  readonly total: CallCount = { ...NO_CALLS }
  /** Counts by prompt, in the order of first use. */
  readonly byPrompt = new Map<string, CallCount>()

  constructor(memory: Keepsake) {
    memory.on('model-called', (call) => {
      const promptCount = this.byPrompt.get(call.prompt) ?? { ...NO_CALLS }
      this.byPrompt.set(call.prompt, promptCount)
      for (const count of [this.total, promptCount]) add(count, call)
    })
  }
}

function add(count: CallCount, { attempts, inputTokens, outputTokens, outcome }: ModelCall): void {
  count.questions += 1
  count.calls += attempts
  count.inputTokens += inputTokens ?? 0
  count.outputTokens += outputTokens ?? 0
  if (inputTokens === null || outputTokens === null) count.uncounted += 1
  if (outcome !== 'answered' && outcome !== 'repaired') count.failed += 1
}

/** `12 calls, 8,400 tokens in and 900 out`. */
export function describeCalls({ calls, inputTokens, outputTokens, uncounted }: CallCount): string {
  const tokens = `${inputTokens.toLocaleString('en')} tokens in and ${outputTokens.toLocaleString('en')} out`
  const counted = inputTokens + outputTokens === 0 ? 'tokens not counted' : tokens
  return `${formatCount(calls, 'call')}, ${counted}${uncounted > 0 && counted === tokens ? ' (not all counted)' : ''}`
}
