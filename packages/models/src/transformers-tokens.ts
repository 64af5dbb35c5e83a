import { ModelError } from '@keepsake/text'
import type { TokenEmbeddingModel } from './token-embedding-model.ts'
import {
  lazyTransformers,
  transformersId,
  type ImportTransformers,
  type TransformersOptions,
} from './load-transformers.ts'

interface Transformers {
  AutoTokenizer: { from_pretrained(model: string): Promise<Tokenizer> }
  AutoModel: { from_pretrained(model: string, options: { dtype?: string }): Promise<Encoder> }
}
/** The encoding of one text: ids of shape [1, tokens]. */
interface TokenisedText {
  readonly input_ids: { tolist(): (number | bigint)[][] }
}
interface Tokenizer {
  (text: string, options: { truncation: boolean }): Promise<TokenisedText> | TokenisedText
  readonly all_special_ids: readonly number[]
}
type Encoder = (inputs: TokenisedText) => Promise<{ readonly last_hidden_state?: { tolist(): number[][][] } }>

/**
 * Returns contextual token vectors from an encoder in the process. transformers.js is an optional peer: `npm install
 * @huggingface/transformers`. Any encoder with ONNX weights will do, such as `Xenova/bert-base-multilingual-cased` for English and Chinese.
 * The vectors come from the last layer, as ONNX weights provide. BERTScore's authors recommend lower layers, so the scores are not
 * comparable with theirs. A text longer than the model's limit is truncated.
 *
 * @throws ModelError from `embedTokens` when the package is not installed, the model cannot be loaded or gives no hidden state.
 * @example
 * const tokens = transformersTokens({ model: 'Xenova/bert-base-multilingual-cased', dtype: 'q8' })
 * const [vectors] = await tokens.embedTokens(['She moved to Lyon'])
 */
export function transformersTokens(
  options: TransformersOptions,
  load?: ImportTransformers,
): TokenEmbeddingModel {
  const id = transformersId(options, 'last-layer')
  const loaded = lazyTransformers<Transformers, readonly [Tokenizer, Encoder]>(
    options,
    {
      kind: 'encoder',
      uses: ['AutoTokenizer', 'AutoModel'],
      load: async ({ AutoTokenizer, AutoModel }, model, weights) => [
        await AutoTokenizer.from_pretrained(model),
        await AutoModel.from_pretrained(model, weights),
      ],
    },
    load,
  )
  return {
    id,
    async embedTokens(texts, { abortSignal } = {}) {
      const [tokenizer, encoder] = await loaded()
      const all: Float32Array[][] = []
      // Embeds one text at a time, since padding would be embedded as well.
      for (const text of texts) {
        abortSignal?.throwIfAborted()
        all.push(await embedOne(id, text, { tokenizer, encoder }))
      }
      return all
    },
  }
}

async function embedOne(
  id: string,
  text: string,
  { tokenizer, encoder }: { readonly tokenizer: Tokenizer; readonly encoder: Encoder },
): Promise<Float32Array[]> {
  const encoded = await tokenizer(text, { truncation: true })
  const [ids = []] = encoded.input_ids.tolist()
  const special = new Set(tokenizer.all_special_ids)
  const output = await encoder(encoded).catch((cause: unknown) => {
    throw new ModelError(`${id} could not embed the tokens of a text.`, { cause, details: { model: id } })
  })
  const [states] = output.last_hidden_state?.tolist() ?? []
  if (states?.length !== ids.length)
    throw new ModelError(
      `${id} gave ${states?.length ?? 'no'} hidden states for ${ids.length} tokens: take an encoder, such as a BERT.`,
      { details: { model: id } },
    )
  return states.flatMap((state, index) => (special.has(Number(ids[index])) ? [] : [normalizeLength(state)]))
}

function normalizeLength(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values)
  return Float32Array.from(values, (value) => (length === 0 ? 0 : value / length))
}
