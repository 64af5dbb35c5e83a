import { type EmbeddingModel, ModelError } from '@keepsake/text'
import { checkEmbeddings } from './adapters/ai-sdk.ts'
import { untilAborted } from './model-requests.ts'

/** How long a model outside the process may take for a request, and for each text of it. */
const PATIENCE_MS = 10_000
const PATIENCE_A_TEXT_MS = 1000

/**
 * An application's embedding model of which nothing can do harm: whatever it throws is a ModelError, it answers one finite vector of one
 * length for each text, and within a time. Models in the process are taken as they are.
 *
 * @param life aborted when the memory is closed
 */
export function guardEmbedding(model: EmbeddingModel, life: AbortSignal): EmbeddingModel {
  if (model.embedNow !== undefined) return model
  let learned: number | undefined
  const dimensionsOf = (): number | undefined => model.dimensions ?? learned
  return {
    id: model.id,
    ...(model.semanticWeight === undefined ? {} : { semanticWeight: model.semanticWeight }),
    get dimensions() {
      return dimensionsOf()
    },
    async embed(texts, { abortSignal } = {}) {
      const patience = PATIENCE_MS + texts.length * PATIENCE_A_TEXT_MS
      const signals = [
        life,
        AbortSignal.timeout(patience),
        ...(abortSignal === undefined ? [] : [abortSignal]),
      ]
      const signal = AbortSignal.any(signals)
      try {
        const vectors: unknown = await untilAborted(model.embed(texts, { abortSignal: signal }), signal)
        if (!Array.isArray(vectors)) throw new ModelError(`${model.id} answered no list of vectors.`)
        const checked = checkEmbeddings(model.id, vectors, {
          count: texts.length,
          dimensions: dimensionsOf(),
        })
        learned = checked[0]?.length ?? learned
        return checked
      } catch (cause) {
        abortSignal?.throwIfAborted()
        if (cause instanceof ModelError) throw cause
        const reason = signal.aborted ? `did not answer within ${patience} ms` : `failed: ${String(cause)}`
        throw new ModelError(`${model.id} ${reason}.`, { cause })
      }
    },
  }
}
