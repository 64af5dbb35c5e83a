// Reranks texts with a language model.
import { promptLanguage, weighTextsPrompt } from 'keepsake/preset'
import type { LanguageModel, RerankingModel } from 'keepsake'
import { promptRunner, type PromptRunnerOptions } from 'keepsake/model'

/** Options of `languageReranking()`. */
export interface LanguageRerankingOptions extends Pick<
  PromptRunnerOptions,
  'timeoutMs' | 'retries' | 'concurrency' | 'onCall'
> {
  /** Maximum texts read per question. Default 16, because texts of lower rank seldom answer, and each costs tokens. */
  readonly most?: number
}

/** The scope of all calls, because a reranker does not know the user of the texts. */
const RERANKING_SCOPE = { tenant: 'reranking', user: 'reranking', agent: null, app: null }

/**
 * Reranks with a language model that reads the question and all texts in one call. From its scores, `confidence` and `known`
 * of a recall report whether any text answers. A call takes about a thousand tokens, and a small, fast model is enough.
 * `onCall` receives the cost, which does not count towards a user's budget.
 *
 * @param options the number of texts, and limits as in `modelOptions` of `openMemory`
 * @throws ModelError from `rerank` when the model gives no usable answer. A recall then keeps its order.
 * @example
 * const model = languageModel(openai('gpt-5-mini'))
 * const keepsake = await openMemory({ path: 'memory.db', reranking: languageReranking(model) })
 */
export function languageReranking(
  model: LanguageModel,
  { most: maxTexts = 16, ...options }: LanguageRerankingOptions = {},
): RerankingModel {
  const runner = promptRunner({ ...options, model }).for('reranking', RERANKING_SCOPE)
  return {
    id: model.id,
    isProbability: true,
    most: maxTexts,
    async rerank(question, texts, { abortSignal, saidAt, now = null } = {}) {
      if (texts.length === 0) return []
      const datedTexts = texts.map((text, index) => ({ text, at: saidAt?.[index] ?? null }))
      const language = promptLanguage([question, ...texts])
      const { answering } = await runner.ask(
        weighTextsPrompt,
        { question, texts: datedTexts, now },
        { language, abortSignal },
      )
      // The model names only texts that answer, by their number from 1, with a percentage.
      const scores = new Map(answering.map(({ text: number, sure }) => [number, sure / 100]))
      return texts.map((_, index) => scores.get(index + 1) ?? 0)
    },
  }
}
