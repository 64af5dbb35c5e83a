// Embeds tokens with a transformers.js model in the process.
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
 * Returns contextual token vectors from an encoder in the process. transformers.js is an optional package: `npm install
 * @huggingface/transformers`. Any encoder with ONNX weights fits, such as `Xenova/bert-base-multilingual-cased` for English
 * and Chinese. The vectors are those of the last layer, because ONNX weights provide no other. The authors of BERTScore
 * recommend lower layers, so scores are not comparable with theirs. A text longer than the model's limit is truncated.
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
      // Texts are embedded one at a time, because padding would be embedded as well.
      for (const text of texts) {
        abortSignal?.throwIfAborted()
        all.push(await embedOne(id, text, { tokenizer, encoder }))
      }
      return all
    },
  }
}

/** Embeds the tokens of one text, without special tokens. */
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
