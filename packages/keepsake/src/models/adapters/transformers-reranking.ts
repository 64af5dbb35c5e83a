import { ModelError } from '../../errors/model-error.ts'
import type { RerankingModel } from '../reranking-model.ts'
import { importTransformers, useLocalModels, type TransformersEnvironment } from './load-transformers.ts'

/** Pairs in one forward pass: more would only lengthen the padding. */
const BATCH = 16

export interface TransformersRerankingOptions {
  /** Name of a cross-encoder (sequence classification) with ONNX weights, e.g. `Xenova/bge-reranker-base`. */
  model: string
  /**
   * Folder that holds `model` as a subfolder. With it nothing is fetched; without it transformers.js downloads
   * the weights on the first call.
   */
  localModelPath?: string
  /** Precision of the weights: `fp32`, `fp16`, `q8`, … Default: what transformers.js takes. */
  dtype?: string
}

/** What is used of the package: it is an optional peer, so its own types may be absent. */
interface TransformersModule {
  env: TransformersEnvironment
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
interface CrossEncoder {
  readonly tokenize: Tokenizer
  readonly classify: Classifier
}

/**
 * A cross-encoder that runs in the process by transformers.js, an optional peer: `npm install @huggingface/transformers`.
 * The model is loaded on the first call and once. Scores are between 0 and 1.
 *
 * @param load imports the package; given in tests.
 * @throws ModelError from `rerank` when the package is not installed or the model cannot be loaded.
 * @example
 * transformersReranking({ model: 'bge-reranker-base', localModelPath: './models', dtype: 'q8' })
 */
export function transformersReranking(
  options: TransformersRerankingOptions,
  load?: () => Promise<unknown>,
): RerankingModel {
  const id = ['transformers', options.model, options.dtype ?? 'default'].join('/')
  let encoder: Promise<CrossEncoder> | undefined

  return {
    id,
    async rerank(question, texts, { abortSignal } = {}) {
      // A failed load is forgotten, so that the next call tries again.
      encoder ??= loadEncoder(options, load).catch((error: unknown) => {
        encoder = undefined
        throw error
      })
      const loaded = await encoder
      const scores: number[] = []
      for (let from = 0; from < texts.length; from += BATCH) {
        abortSignal?.throwIfAborted()
        scores.push(...(await scorePairs(id, loaded, question, texts.slice(from, from + BATCH))))
      }
      return scores
    },
  }
}

async function loadEncoder(
  { model, localModelPath, dtype }: TransformersRerankingOptions,
  load: (() => Promise<unknown>) | undefined,
): Promise<CrossEncoder> {
  const transformers = await importTransformers(isTransformers, 'AutoModelForSequenceClassification', load)
  if (localModelPath !== undefined) useLocalModels(transformers.env, localModelPath)
  try {
    const [tokenize, classify] = await Promise.all([
      transformers.AutoTokenizer.from_pretrained(model),
      transformers.AutoModelForSequenceClassification.from_pretrained(
        model,
        dtype === undefined ? {} : { dtype },
      ),
    ])
    return { tokenize, classify }
  } catch (cause) {
    const where = localModelPath === undefined ? 'from the model hub' : `from ${localModelPath}`
    throw new ModelError(
      `The cross-encoder "${model}" could not be loaded ${where}. Check its name and that it has ONNX weights.`,
      { cause, details: { model } },
    )
  }
}

async function scorePairs(
  id: string,
  { tokenize, classify }: CrossEncoder,
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

/** One logit is how much the text bears on the question; of two, the second is for "it does", the first against. */
function scoreOf([first = Number.NaN, second, ...more]: number[]): number {
  if (more.length > 0) return Number.NaN
  return 1 / (1 + Math.exp(-(second === undefined ? first : second - first)))
}

function isTransformers(found: object): found is TransformersModule {
  return 'AutoTokenizer' in found && 'AutoModelForSequenceClassification' in found && 'env' in found
}
