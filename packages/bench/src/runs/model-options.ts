import { z } from 'zod'
import { wholeNumber } from '../benchmark/options.ts'

/** The placeholder for the name of a model in help texts, such as `openai:gpt-5-mini`. */
const SPEC = '<spec>'

/** Options of the command line that name models. */
export const MODEL_OPTIONS = {
  model: z.string().optional().meta({
    value: SPEC,
    description:
      'the language model that the systems work with; recorded:FILE repeats answers that a run kept',
  }),
  embedding: z.string().optional().meta({
    value: SPEC,
    description: 'the embedder that the systems work with',
    standard: "each system's own",
  }),
  reranking: z.string().optional().meta({
    value: SPEC,
    description:
      'what reads what was found against the question, for keepsake and its presets: a language model, or a cross-encoder (transformers:NAME, cohere:NAME)',
    standard: 'not reranked',
  }),
  likeness: z.string().optional().meta({
    value: SPEC,
    description: 'the embedder that texts are compared with, for every system',
    standard: 'the one built in',
  }),
  bertscore: z.string().optional().meta({
    value: SPEC,
    description:
      'the encoder that BERTScore is computed with, such as transformers:Xenova/bert-base-multilingual-cased',
    standard: 'none: words are matched one by one, which is not BERTScore and is not called so',
  }),
  reader: z.string().optional().meta({
    value: SPEC,
    description: 'the model that answers from what was recalled',
    standard: 'sentences picked by rule',
  }),
  judge: z
    .string()
    .optional()
    .meta({ value: SPEC, description: 'the model that judges', standard: 'judged by rule' }),
  modelTimeout: wholeNumber(1, 86_400).optional().meta({
    value: '<seconds>',
    description: 'how long any model may take for one answer: the systems’, the reader, the judge',
    standard: '60; of peers as they have it',
  }),
}
