import { z } from 'zod'
import { oneOf, wholeNumber } from '../benchmark/options.ts'
import { SYSTEM_NAMES } from '../systems/open-system.ts'

const SPEC = '<spec>'

/** What `keepsake bench paper` can be given beside the paper's name. */
export const PAPER_OPTIONS = z.object({
  table: z.string().optional().meta({
    value: '<n>',
    description:
      'the table; "figure 8" or "appendix B" for what is no table. Without it the paper’s are listed',
  }),
  path: z
    .string()
    .optional()
    .meta({ value: '<path>', description: 'the data’s file or folder, in its published form' }),
  system: z.array(oneOf(SYSTEM_NAMES)).optional().meta({
    value: '<names>',
    description: 'what is measured',
    standard: 'what the table is about',
  }),
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
  likeness: z.string().optional().meta({
    value: SPEC,
    description: 'the embedder that texts are compared with',
    standard: 'the one built in',
  }),
  bertscore: z.string().optional().meta({
    value: SPEC,
    description:
      'the encoder that BERTScore is computed with, such as transformers:Xenova/bert-base-multilingual-cased',
    standard: 'none: the column is left out',
  }),
  reader: z
    .string()
    .optional()
    .meta({ value: SPEC, description: 'the model that answers', standard: 'by rule' }),
  judge: z
    .string()
    .optional()
    .meta({ value: SPEC, description: 'the model that judges', standard: 'by rule' }),
  modelTimeout: wholeNumber(1, 86_400).optional().meta({
    value: '<seconds>',
    description: 'how long any model may take for one answer',
    standard: '60',
  }),
  limit: wholeNumber(1, 1_000_000).optional().meta({ description: 'conversations measured at most' }),
})
