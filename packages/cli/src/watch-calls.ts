import type { Keepsake, ModelCall } from 'keepsake'
import { formatCount } from './output/format-quantity.ts'

/** Counts of a model's calls. */
export interface CallCount {
  questions: number
  /** All calls, with retries. */
  calls: number
  inputTokens: number
  outputTokens: number
  /** Questions whose tokens the provider did not count. */
  uncounted: number
  /** Questions without a usable answer. */
  failed: number
}

const NO_CALLS: CallCount = {
  questions: 0,
  calls: 0,
  inputTokens: 0,
  outputTokens: 0,
  uncounted: 0,
  failed: 0,
}

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

/** Describes counts: `12 calls, 8,400 tokens in and 900 out`. */
export function describeCalls({ calls, inputTokens, outputTokens, uncounted }: CallCount): string {
  const tokens = `${inputTokens.toLocaleString('en')} tokens in and ${outputTokens.toLocaleString('en')} out`
  if (inputTokens + outputTokens === 0) return `${formatCount(calls, 'call')}, tokens not counted`
  return `${formatCount(calls, 'call')}, ${tokens}${uncounted > 0 ? ' (not all counted)' : ''}`
}
