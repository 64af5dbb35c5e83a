import type { Keepsake, ModelCall } from 'keepsake'
import { formatCount } from './output/format-quantity.ts'

/** What questions to a language model came to. */
export interface CallCount {
  questions: number
  /** Requests sent, tries and repairs included. */
  calls: number
  inputTokens: number
  outputTokens: number
  /** Questions whose tokens the provider did not count. */
  uncounted: number
  /** Questions without a usable answer. */
  failed: number
}

const nothing = (): CallCount => ({
  questions: 0,
  calls: 0,
  inputTokens: 0,
  outputTokens: 0,
  uncounted: 0,
  failed: 0,
})

/** Keeps count of what a memory asks its language model, from the moment it is made. */
export class CallTally {
  readonly #byPrompt = new Map<string, CallCount>()

  constructor(memory: Keepsake) {
    memory.on('model-called', (call) => this.#note(call))
  }

  /** By prompt, in the order in which they were first asked. */
  get byPrompt(): ReadonlyMap<string, CallCount> {
    return this.#byPrompt
  }

  get total(): CallCount {
    const total = nothing()
    for (const count of this.#byPrompt.values()) {
      total.questions += count.questions
      total.calls += count.calls
      total.inputTokens += count.inputTokens
      total.outputTokens += count.outputTokens
      total.uncounted += count.uncounted
      total.failed += count.failed
    }
    return total
  }

  #note({ prompt, attempts, inputTokens, outputTokens, outcome }: ModelCall): void {
    const count = this.#byPrompt.get(prompt) ?? nothing()
    this.#byPrompt.set(prompt, count)
    count.questions += 1
    count.calls += attempts
    count.inputTokens += inputTokens ?? 0
    count.outputTokens += outputTokens ?? 0
    if (inputTokens === null || outputTokens === null) count.uncounted += 1
    if (outcome !== 'answered' && outcome !== 'repaired') count.failed += 1
  }
}

/** `12 calls, 8,400 tokens in and 900 out`. */
export function countInWords({ calls, inputTokens, outputTokens, uncounted }: CallCount): string {
  const tokens = `${inputTokens.toLocaleString('en')} tokens in and ${outputTokens.toLocaleString('en')} out`
  const told = inputTokens + outputTokens === 0 ? 'tokens not told' : tokens
  return `${formatCount(calls, 'call')}, ${told}${uncounted > 0 && told === tokens ? ' (not all told)' : ''}`
}
