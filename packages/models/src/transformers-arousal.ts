// Measures arousal with a transformers.js model in the process.
import { ModelError } from '@keepsake/text'
import type { ArousalModel } from 'keepsake/model'
import {
  lazyTransformers,
  transformersId,
  type ImportTransformers,
  type TransformersOptions,
} from './load-transformers.ts'

/** Options of `transformersArousal()`. */
export interface TransformersArousalOptions extends TransformersOptions {
  /** Index of the arousal output. The default is the output labelled `A` or `arousal`, or the only one. */
  output?: number
  /** The calm and excited ends of the model's arousal scale. Default 1 and 5, EmoBank's. */
  scale?: readonly [calm: number, excited: number]
}

/** Number of texts in one forward pass. More would only lengthen the padding. */
const BATCH = 16
/** The minimum, the maximum and the middle of the scale of EmoBank, a corpus of sentences with rated emotion. */
const CALM = 1
const EXCITED = 5
const MIDDLE = 3
/** Matches the label of the output for arousal. */
const LABEL = /^(?:a|arousal)$/i

interface Transformers {
  AutoTokenizer: { from_pretrained(model: string): Promise<Tokenizer> }
  AutoModelForSequenceClassification: {
    from_pretrained(model: string, options: { dtype?: string }): Promise<Regressor>
  }
}
type Tokenizer = (texts: string[], options: { padding: boolean; truncation: boolean }) => object
interface Regressor {
  (inputs: object): Promise<{ logits: { tolist(): number[][] } }>
  readonly config?: { readonly id2label?: Readonly<Record<string, string>> }
}
type Loaded = readonly [tokenize: Tokenizer, regress: Regressor]

/**
 * Computes arousal (A in the paper LUFY) with a fine-tuned regression model in the process. The paper uses RoBERTa, trained on
 * EmoBank's valence, arousal and dominance from 1 to 5. transformers.js is an optional package: `npm install
 * @huggingface/transformers`. The model is loaded on the first call. Its outputs are read as numbers, so an emotion classifier
 * without an output for arousal is rejected. Texts without words get 3, like plain conversation.
 *
 * @throws ModelError from `arousal` when the package is not installed, or the model cannot be loaded or has no arousal.
 * @example
 * const arousal = transformersArousal({ model: 'emobank-roberta', localModelPath: './models', dtype: 'q8' })
 * const memory = await openMemory({ preset: lufy, path: 'memory.db', arousal })
 */
export function transformersArousal(
  options: TransformersArousalOptions,
  load?: ImportTransformers,
): ArousalModel {
  const { output, scale: [calm, excited] = [CALM, EXCITED] } = options
  const outputSetting = output === undefined ? [] : [`output ${output}`]
  const id = transformersId(options, ...outputSetting, `${calm} to ${excited}`)
  const model = lazyTransformers<Transformers, Loaded>(
    options,
    {
      kind: 'regression model',
      uses: ['AutoTokenizer', 'AutoModelForSequenceClassification'],
      load: (transformers, name, weights) =>
        Promise.all([
          transformers.AutoTokenizer.from_pretrained(name),
          transformers.AutoModelForSequenceClassification.from_pretrained(name, weights),
        ]),
    },
    load,
  )
  const onScale = (value: number): number =>
    Math.min(EXCITED, Math.max(CALM, CALM + ((value - calm) / (excited - calm)) * (EXCITED - CALM)))

  return {
    id,
    async arousal(texts) {
      const loaded = await model()
      const nonEmpty = texts.filter((text) => text.trim() !== '')
      const values: number[] = []
      for (let from = 0; from < nonEmpty.length; from += BATCH)
        values.push(...(await regressTexts({ id, loaded, output }, nonEmpty.slice(from, from + BATCH))))
      const remaining = values.values()
      return texts.map((text) => (text.trim() === '' ? MIDDLE : onScale(remaining.next().value ?? MIDDLE)))
    },
  }
}

interface RegressionInput {
  readonly id: string
  readonly loaded: Loaded
  readonly output: number | undefined
}

async function regressTexts({ id, loaded, output }: RegressionInput, texts: string[]): Promise<number[]> {
  const [tokenize, regress] = loaded
  let rows: number[][]
  try {
    rows = (await regress(tokenize(texts, { padding: true, truncation: true }))).logits.tolist()
  } catch (cause) {
    throw new ModelError(`${id} could not read ${texts.length} texts.`, { cause, details: { model: id } })
  }
  const index = output ?? findArousal(id, regress, rows[0]?.length ?? 0)
  const values = rows.map((row) => row[index] ?? Number.NaN)
  if (values.length !== texts.length || !values.every(Number.isFinite))
    throw new ModelError(`${id} gives a text ${rows[0]?.length ?? 0} numbers, and none at ${index}.`, {
      details: { model: id },
    })
  return values
}

/** Returns the index of the output that is labelled as arousal. */
function findArousal(id: string, { config }: Regressor, outputs: number): number {
  const labels = Object.entries(config?.id2label ?? {})
  const arousal = labels.find(([, label]) => LABEL.test(label.trim()))
  if (arousal !== undefined) return Number(arousal[0])
  if (outputs === 1) return 0
  const known = labels.map(([, label]) => label).join(', ') || 'none'
  throw new ModelError(
    `${id} gives ${outputs} numbers, and none is called arousal (labels: ${known}). Say which one it is by output, or take a model that regresses arousal.`,
    { details: { model: id } },
  )
}
