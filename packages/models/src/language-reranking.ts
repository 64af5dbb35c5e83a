import { promptLanguage } from 'keepsake/parts'
import { weighTextsPrompt } from 'keepsake/parts'
import type { LanguageModel } from 'keepsake'
import { promptRunner, type PromptRunnerOptions } from 'keepsake/parts'
import type { RerankingModel } from 'keepsake'

export interface LanguageRerankingOptions extends Pick<
  PromptRunnerOptions,
  'timeoutMs' | 'retries' | 'concurrency' | 'onCall'
> {
  /** Texts it reads for a question at most. Default 16: what is further down seldom answers, and each is paid for. */
  readonly most?: number
}

/** Whose a call is said to be: a reranker is told texts, and not of whom they are. */
const NOBODY = { tenant: 'reranking', user: 'reranking', agent: null, app: null }

/**
 * Lets a language model read the question and what was found for it together: what tells the answer comes first, and
 * `confidence` and `known` say whether anything does. One call a recall, of some thousand tokens; a small, quick model will do.
 * What the calls cost is told to `onCall`, and is no part of a person's budget.
 *
 * @param options how many texts, and limits as for `modelOptions` of `openMemory`.
 * @throws ModelError from `rerank` when the model gives no usable answer; a recall then keeps the order that it had.
 * @example
 * const model = languageModel(openai('gpt-5-mini'))
 * const keepsake = await openMemory({ path: 'memory.db', reranking: languageReranking(model) })
 */
export function languageReranking(
  model: LanguageModel,
  { most = 16, ...options }: LanguageRerankingOptions = {},
): RerankingModel {
  const asked = promptRunner({ ...options, model }).for('reranking', NOBODY)
  return {
    id: model.id,
    isProbability: true,
    most,
    async rerank(question, texts, { abortSignal, saidAt, now = null } = {}) {
      if (texts.length === 0) return []
      const found = texts.map((text, index) => ({ text, at: saidAt?.[index] ?? null }))
      const language = promptLanguage([question, ...texts])
      const { answering } = await asked.ask(
        weighTextsPrompt,
        { question, texts: found, now },
        { language, abortSignal },
      )
      const sure = new Map(answering.map((one) => [one.text, one.sure / 100]))
      return texts.map((_, index) => sure.get(index + 1) ?? 0)
    },
  }
}
