import { z } from 'zod'
import { oneOf, wholeNumber } from '../benchmark/options.ts'
import { MODEL_OPTIONS } from '../runs/model-options.ts'
import { SYSTEM_NAMES } from '../systems/open-system.ts'

/** Options of `keepsake bench paper` besides the paper's name. */
export const PAPER_OPTIONS = z.object({
  table: z.string().optional().meta({
    value: '<n>',
    description: 'the table, or another item such as "figure 8" or "appendix B". Without it, all are listed',
  }),
  path: z
    .string()
    .optional()
    .meta({ value: '<path>', description: 'the file or folder of the data, in its published form' }),
  system: z.array(oneOf(SYSTEM_NAMES)).optional().meta({
    value: '<names>',
    description: 'the systems to measure',
    standard: 'the systems of the table',
  }),
  ...MODEL_OPTIONS,
  arousal: z.string().optional().meta({
    value: '<spec>',
    description: 'the model that measures arousal: transformers:NAME of a regression on EmoBank',
    standard: 'the built-in regression',
  }),
  surprise: z.string().optional().meta({
    value: '<spec>',
    description:
      'the causal language model whose perplexity measures surprise, such as transformers:Xenova/gpt2',
    standard: 'bigrams of the conversation',
  }),
  limit: wholeNumber(1, 1_000_000).optional().meta({ description: 'maximum number of conversations' }),
})
