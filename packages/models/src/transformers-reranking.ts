// Reranks texts with a transformers.js cross-encoder in the process.
import { ModelError } from '@keepsake/text'
import type { RerankingModel } from 'keepsake'
import {
  lazyTransformers,
  transformersId,
  type ImportTransformers,
  type TransformersOptions,
} from './load-transformers.ts'

/** Options of `transformersReranking()`. */
export type TransformersRerankingOptions = TransformersOptions

/** Number of pairs in one forward pass. More would only lengthen the padding. */
const BATCH = 16

interface Transformers {
  AutoTokenizer: { from_pretrained(model: string): Promise<Tokenizer> }
  AutoModelForSequenceClassification: {
    from_pretrained(model: string, options: { dtype?: string }): Promise<Classifier>
  }
}
type Tokenizer = (
  texts: string[],
  options: { text_pair: string[]; padding: boolean; truncation: boolean },
) => object
type Classifier = (inputs: object) => Promise<{ logits: { tolist(): number[][] } }>
type CrossEncoder = readonly [tokenize: Tokenizer, classify: Classifier]

/**
 * Reranks with a cross-encoder in the process, such as `Xenova/bge-reranker-base`, which reads a question with each text.
 * transformers.js is an optional package: `npm install @huggingface/transformers`. The model is loaded on the first call.
 * Scores are between 0 and 1.
 *
 * @throws ModelError from `rerank` when the package is not installed or the model cannot be loaded.
 * @example
 * transformersReranking({ model: 'bge-reranker-base', localModelPath: './models', dtype: 'q8' })
 */
export function transformersReranking(
  options: TransformersRerankingOptions,
  load?: ImportTransformers,
): RerankingModel {
  const id = transformersId(options)
  const encoder = lazyTransformers<Transformers, CrossEncoder>(
    options,
    {
      kind: 'cross-encoder',
      uses: ['AutoTokenizer', 'AutoModelForSequenceClassification'],
      load: (transformers, model, weights) =>
        Promise.all([
          transformers.AutoTokenizer.from_pretrained(model),
          transformers.AutoModelForSequenceClassification.from_pretrained(model, weights),
        ]),
    },
    load,
  )

  return {
    id,
    isProbability: true,
    async rerank(question, texts, { abortSignal } = {}) {
      const loaded = await encoder()
      const scores: number[] = []
      for (let from = 0; from < texts.length; from += BATCH) {
        abortSignal?.throwIfAborted()
        scores.push(...(await scorePairs(id, loaded, question, texts.slice(from, from + BATCH))))
      }
      return scores
    },
  }
}

async function scorePairs(
  id: string,
  [tokenize, classify]: CrossEncoder,
  question: string,
  texts: string[],
): Promise<number[]> {
  let rows: number[][]
  try {
    const questions = texts.map(() => question)
    const inputs = tokenize(questions, { text_pair: texts, padding: true, truncation: true })
    rows = (await classify(inputs)).logits.tolist()
  } catch (cause) {
    throw new ModelError(`${id} could not rank ${texts.length} texts.`, { cause, details: { model: id } })
  }
  const scores = rows.map(scoreOf)
  if (scores.length !== texts.length || !scores.every(Number.isFinite))
    throw new ModelError(`${id} is no cross-encoder: it must give each pair one or two numbers.`, {
      details: { model: id },
    })
  return scores
}

/** Converts logits to a score, 0 to 1. A single logit is the relevance. Of two logits, the first is “not relevant”, the second “relevant”. */
function scoreOf([first = Number.NaN, second, ...more]: number[]): number {
  if (more.length > 0) return Number.NaN
  return 1 / (1 + Math.exp(-(second === undefined ? first : second - first)))
}
