import { z } from 'zod'
import { oneOf, wholeNumber } from '../benchmark/options.ts'
import { MODEL_OPTIONS } from '../runs/model-options.ts'
import { SYSTEM_NAMES } from '../systems/open-system.ts'

/** Options of `keepsake bench paper` besides the paper's name. */
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
  ...MODEL_OPTIONS,
  arousal: z.string().optional().meta({
    value: '<spec>',
    description: 'what measures arousal, as transformers:NAME of a regression on EmoBank',
    standard: 'the regression built in',
  }),
  surprise: z.string().optional().meta({
    value: '<spec>',
    description: 'the causal language model whose perplexity is surprise, as transformers:Xenova/gpt2',
    standard: 'bigrams of the talk',
  }),
  limit: wholeNumber(1, 1_000_000).optional().meta({ description: 'conversations measured at most' }),
})
