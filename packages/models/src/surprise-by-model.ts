import { ModelError } from '@keepsake/text'
import type { SurpriseModel } from 'keepsake'
import type { TokenProbabilityModel } from './token-probabilities.ts'

/**
 * Characters of the agent's turn that are read, the last ones: what is answered stands at the end. Together with
 * `TEXT_LIMIT` some 750 English tokens, so that a window of 1,024 (GPT-2's) holds them.
 */
const BEFORE_LIMIT = 1_000
/** Characters of the user's words that are read, the first ones: a mean over so many changes little after. */
const TEXT_LIMIT = 2_000
/** What rounding may leave above ln 1. */
const ROUNDING = 1e-3

/**
 * LUFY's P by any model that gives token probabilities: perplexity, exp(−mean ln p), of the user's words given the
 * agent's turn (LUFY, 3.1 and 3.2; GPT2-Large there).
 *
 * The paper hands over the agent's turn as context and names no template; here the model reads the turn, a line
 * break and the user's words, without names of speakers. Where no agent spoke, the line break alone comes before, so
 * that the first word is measured too. Earlier history is not read, as in the paper. At most the last 1,000
 * characters of the agent's turn and the first 2,000 of the user's are read. An empty text has perplexity 1.
 *
 * Each model has its own scale: give its calibration to the `lufy` policy (calibrate-surprise.ts).
 *
 * @throws ModelError from `surprise` when the model fails, or answers no or impossible probabilities.
 * @example
 * const local = completionProbabilities({ url: 'http://localhost:8000/v1', model: 'gpt2-large' })
 * const memory = await openMemory({ preset: lufy, surprise: surpriseWith(local) })
 */
export function surpriseWith(model: TokenProbabilityModel): SurpriseModel {
  return {
    id: `perplexity/${model.id}`,
    async surprise(text, { previous }) {
      const words = Array.from(text.trim()).slice(0, TEXT_LIMIT).join('')
      if (words === '') return 1
      const before = `${Array.from(previous.trim()).slice(-BEFORE_LIMIT).join('')}\n`
      return perplexityOf(model.id, await model.logProbabilities(words, { before }))
    },
  }
}

function perplexityOf(id: string, logProbabilities: readonly number[]): number {
  if (logProbabilities.length === 0)
    throw new ModelError(`${id} gave no token probabilities for a text that is not empty.`, {
      code: 'model-answer',
      details: { model: id },
    })
  if (!logProbabilities.every((value) => Number.isFinite(value) && value <= ROUNDING))
    throw new ModelError(
      `${id} gave values that are no logarithms of probabilities: they must be finite, 0 or less.`,
      {
        code: 'model-answer',
        details: { model: id },
      },
    )
  const mean = logProbabilities.reduce((sum, value) => sum + value, 0) / logProbabilities.length
  // Servers write ln 0 as −9999: greater than any number as it is, but a value that the cap brings down.
  return Math.min(Number.MAX_VALUE, Math.max(1, Math.exp(-mean)))
}
