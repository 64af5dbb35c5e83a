// Measures surprise with a model of token probabilities.
import { ModelError } from '@keepsake/text'
import type { SurpriseModel } from 'keepsake/model'
import type { TokenProbabilityModel } from './token-probabilities.ts'

/** Maximum characters of the agent's turn, from its end. Together with `TEXT_LIMIT` it fits the window of GPT-2, 1,024 tokens. */
const BEFORE_LIMIT = 1_000
/** Maximum characters of the user's words, from their start. Later words hardly change the mean. */
const TEXT_LIMIT = 2_000
/** Tolerance for probabilities that rounding puts above 1, so that ln p is above 0. */
const ROUNDING = 1e-3

/**
 * Computes surprise with any model of token probabilities. It is the perplexity, exp(−mean ln p), of the user's words after
 * the agent's turn: P in the paper LUFY (sections 3.1 and 3.2), which uses GPT2-Large.
 *
 * The paper gives the agent's turn as context and names no template. Here the model reads the turn, a line break and the
 * user's words, without speaker names. Without an agent's turn the line break comes first, so that the first word is measured
 * too. As in the paper, earlier turns are not read. At most the last 1,000 characters of the agent's turn and the first 2,000
 * of the user's are read. An empty text has perplexity 1.
 *
 * Each model has its own scale, so pass its calibration to the policy of LUFY (`calibrateMetrics` of `@keepsake/papers`).
 *
 * @throws ModelError from `surprise` when the model fails, or returns no probabilities or impossible ones.
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
      { code: 'model-answer', details: { model: id } },
    )
  const mean = logProbabilities.reduce((sum, value) => sum + value, 0) / logProbabilities.length
  // Servers write ln 0 as −9999, whose exponential overflows. The cap keeps it finite.
  return Math.min(Number.MAX_VALUE, Math.max(1, Math.exp(-mean)))
}
