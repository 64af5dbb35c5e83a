import type { LanguageModel, ModelCall } from 'keepsake'
import type { LanguageAnswer, LanguageRequest } from 'keepsake/model'
import { countTokens, promptOf, requestText } from './recording.ts'
import { observeAnswers } from './stream-answer.ts'

/** Numbers of requests, tokens and failures. */
export interface CallCost {
  /** Answered requests. A repair counts as a request. */
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** Requests whose tokens Keepsake estimated, because the provider did not report them. */
  readonly estimated: number
  readonly inputCharacters: number
  readonly outputCharacters: number
  /** Questions whose answers were repaired. */
  readonly repaired: number
  /** Questions without a usable answer. Refusals count too. */
  readonly unusable: number
  /** Questions without an answer, because the model could not be reached, timed out or was over its budget. */
  readonly failed: number
}

export const NO_COST: CallCost = {
  calls: 0,
  inputTokens: 0,
  outputTokens: 0,
  estimated: 0,
  inputCharacters: 0,
  outputCharacters: 0,
  repaired: 0,
  unusable: 0,
  failed: 0,
}

export type CostByPrompt = Readonly<Record<string, CallCost>>

export function sumCosts(costs: Iterable<CallCost>): CallCost {
  let sum = NO_COST
  for (const cost of costs) sum = addCosts(sum, cost)
  return sum
}

function addCosts(one: CallCost, other: Partial<CallCost>): CallCost {
  const sum: Record<string, number> = { ...one }
  for (const [name, value] of Object.entries(other)) sum[name] = (sum[name] ?? 0) + value
  return { ...one, ...sum }
}

/** Counts a model's requests and answers, by prompt. */
export class Meter {
  readonly #costs = new Map<string, CallCost>()

  /** Wraps a model whose requests are counted. */
  model(model: LanguageModel): LanguageModel {
    return observeAnswers(model, (request, answer) => this.#count(request, answer))
  }

  /** Records how a question ended, from the event `model-called`. */
  ended({ prompt, outcome }: ModelCall): void {
    if (outcome === 'repaired') this.#add(prompt, { repaired: 1 })
    else if (outcome === 'unusable' || outcome === 'refused') this.#add(prompt, { unusable: 1 })
    else if (outcome !== 'answered') this.#add(prompt, { failed: 1 })
  }

  /** Returns the counts since the last call, by the name of the prompt. */
  take(): CostByPrompt {
    const costs = Object.fromEntries(
      [...this.#costs].toSorted(([one], [other]) => one.localeCompare(other, 'en')),
    )
    this.#costs.clear()
    return costs
  }

  #count(request: LanguageRequest, answer: LanguageAnswer): void {
    const { input, output, estimated } = countTokens(request, answer)
    this.#add(promptOf(request), {
      calls: 1,
      inputTokens: input,
      outputTokens: output,
      estimated: estimated ? 1 : 0,
      inputCharacters: requestText(request).length,
      outputCharacters: answer.text.length,
    })
  }

  #add(prompt: string, cost: Partial<CallCost>): void {
    this.#costs.set(prompt, addCosts(this.#costs.get(prompt) ?? NO_COST, cost))
  }
}
