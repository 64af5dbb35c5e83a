// Computes probabilities of tokens with a transformers.js model in the process.
import { ModelError } from '@keepsake/text'
import { findTextTokens } from './find-text-tokens.ts'
import type { TokenProbabilityModel } from './token-probabilities.ts'
import {
  lazyTransformers,
  transformersId,
  type ImportTransformers,
  type TransformersOptions,
} from './load-transformers.ts'

/** Tokens in the window of GPT-2, the model of the paper LUFY. */
const DEFAULT_WINDOW = 1024

/** Options of `transformersProbabilities()`. */
export interface TransformersProbabilitiesOptions extends TransformersOptions {
  /**
   * Maximum tokens of text and context, at least 2. Default 1,024, or the tokenizer's limit. A call needs 4 bytes × window ×
   * vocabulary of memory.
   */
  window?: number
}

type NewTensor = new (type: 'int64', data: BigInt64Array, dims: number[]) => object
interface Transformers {
  Tensor: NewTensor
  AutoTokenizer: { from_pretrained(model: string): Promise<Tokenizer> }
  AutoModelForCausalLM: {
    from_pretrained(model: string, options: { dtype?: string }): Promise<Causal>
  }
}
interface Tokenizer {
  (text: string, options: { return_tensor: false }): { input_ids: number[] }
  decode(
    ids: number[],
    options: { skip_special_tokens: boolean; clean_up_tokenization_spaces: boolean },
  ): string
  readonly model_max_length?: number
}
interface Logits {
  /** The dimensions: one row, its tokens, the vocabulary. */
  readonly dims: readonly number[]
  readonly data: Float32Array
}
type Causal = (inputs: object) => Promise<{ logits: { readonly type: string; to(type: 'float32'): Logits } }>
interface Loaded {
  readonly tokenizer: Tokenizer
  readonly run: Causal
  readonly Tensor: NewTensor
}

/**
 * Computes token probabilities with a causal language model in the process, such as `Xenova/gpt2-large` (GPT2-Large in the paper).
 * transformers.js is an optional package: `npm install @huggingface/transformers`. The model is loaded on the first call.
 *
 * `before` and the text are read together. A token across their border belongs to the text if at least half of its characters
 * do (find-text-tokens.ts). Only the end of a text longer than the window is measured.
 *
 * @throws ModelError from `logProbabilities` when the package is not installed or the model cannot be loaded or run.
 * @example
 * transformersProbabilities({ model: 'gpt2-large', localModelPath: './models', dtype: 'q8' })
 */
export function transformersProbabilities(
  options: TransformersProbabilitiesOptions,
  load?: ImportTransformers,
): TokenProbabilityModel {
  const id = transformersId(options)
  const model = lazyTransformers<Transformers, Loaded>(
    options,
    { kind: 'causal model', uses: ['AutoTokenizer', 'AutoModelForCausalLM', 'Tensor'], load: loadCausal },
    load,
  )

  return {
    id,
    async logProbabilities(text, { before, abortSignal }) {
      if (text === '') return []
      const loaded = await model()
      abortSignal?.throwIfAborted()
      const { ids, indices } = findIds(id, loaded.tokenizer, before, text)
      const modelWindow = loaded.tokenizer.model_max_length ?? DEFAULT_WINDOW
      const window = Math.max(2, Math.min(options.window ?? DEFAULT_WINDOW, modelWindow))
      const firstIndex = Math.max(0, ids.length - window)
      const logits = await runModel(id, loaded, ids.slice(firstIndex))
      // Skips the first token, which has no context and so no probability.
      return indices
        .filter((index) => index > firstIndex)
        .map((index) => logProbability(logits, index - firstIndex, ids[index] ?? 0))
    },
  }
}

async function loadCausal(
  { AutoTokenizer, AutoModelForCausalLM, Tensor }: Transformers,
  model: string,
  weights: { dtype?: string },
): Promise<Loaded> {
  const [tokenizer, run] = await Promise.all([
    AutoTokenizer.from_pretrained(model),
    AutoModelForCausalLM.from_pretrained(model, weights),
  ])
  return { tokenizer, run, Tensor }
}

/** Returns the prompt's token ids and the indexes of the text's tokens. */
function findIds(
  id: string,
  tokenizer: Tokenizer,
  before: string,
  text: string,
): { ids: number[]; indices: number[] } {
  const ids = tokenizer(before + text, { return_tensor: false }).input_ids
  const tokens = ids.map((token) =>
    tokenizer.decode([token], { skip_special_tokens: false, clean_up_tokenization_spaces: false }),
  )
  const indices = findTextTokens({ before, text, tokens })
  if (indices === null)
    throw new ModelError(`${id} has a tokenizer whose tokens do not spell the text.`, {
      details: { model: id },
    })
  return { ids, indices }
}

/** Runs the model on tokens, and returns the logits: the scores of every next token. */
async function runModel(id: string, { run, Tensor }: Loaded, ids: readonly number[]): Promise<Logits> {
  const tensor = (values: readonly number[]) =>
    new Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length])
  let logits: Logits
  try {
    const output = await run({ input_ids: tensor(ids), attention_mask: tensor(ids.map(() => 1)) })
    // Rejects half floats before Node 24, where they arrive as raw bits.
    if (output.logits.type === 'float16' && !('Float16Array' in globalThis))
      throw new TypeError('Logits of half precision need Node 24. Take weights of another dtype.')
    logits = output.logits.to('float32')
  } catch (cause) {
    throw new ModelError(`${id} could not read a text of ${ids.length} tokens.`, {
      cause,
      details: { model: id },
    })
  }
  const [rows, length, vocabulary = 0] = logits.dims
  if (rows !== 1 || length !== ids.length || logits.data.length !== length * vocabulary)
    throw new ModelError(
      `${id} is no causal language model: it must give each token logits over its vocabulary.`,
      { details: { model: id } },
    )
  return logits
}

/** Returns ln p of a token from the preceding logits: its logit minus the log-sum-exp. */
function logProbability({ dims, data }: Logits, position: number, token: number): number {
  const vocabulary = dims[2] ?? 0
  const row = data.subarray((position - 1) * vocabulary, position * vocabulary)
  let highest = Number.NEGATIVE_INFINITY
  for (const logit of row) highest = Math.max(highest, logit)
  // The highest logit is subtracted first, because exp of a large logit would overflow.
  let sum = 0
  for (const logit of row) sum += Math.exp(logit - highest)
  return (row[token] ?? Number.NaN) - highest - Math.log(sum)
}
