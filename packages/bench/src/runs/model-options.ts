import { z } from 'zod'
import { wholeNumber } from '../benchmark/options.ts'

/** The placeholder for the name of a model in help texts, such as `openai:gpt-5-mini`. */
const SPEC = '<spec>'

/** Options of the command line that name models. */
export const MODEL_OPTIONS = {
  model: z.string().optional().meta({
    value: SPEC,
    description: 'the language model of the systems; recorded:FILE replays the recorded answers of a run',
  }),
  embedding: z.string().optional().meta({
    value: SPEC,
    description: 'the embedding model of the systems',
    standard: "each system's own",
  }),
  reranking: z.string().optional().meta({
    value: SPEC,
    description:
      'the model that reranks the results of keepsake and its presets: a language model, or a cross-encoder (transformers:NAME, cohere:NAME)',
    standard: 'not reranked',
  }),
  likeness: z.string().optional().meta({
    value: SPEC,
    description: 'the embedding model by which texts are compared, for every system',
    standard: 'the built-in one',
  }),
  bertscore: z.string().optional().meta({
    value: SPEC,
    description: 'the encoder for BERTScore, such as transformers:Xenova/bert-base-multilingual-cased',
    standard: 'none: words are matched one by one, which is reported under another name',
  }),
  reader: z.string().optional().meta({
    value: SPEC,
    description: 'the model that answers from the recalled memories',
    standard: 'rules choose sentences',
  }),
  judge: z
    .string()
    .optional()
    .meta({ value: SPEC, description: 'the model that judges', standard: 'judged by rule' }),
  modelTimeout: wholeNumber(1, 86_400).optional().meta({
    value: '<seconds>',
    description: 'seconds for one answer of any model: of the systems, the reader and the judge',
    standard: '60; peers have their own',
  }),
}
