import { bleu, rougeL, rougeN, tokenF1 } from '../../metrics/text/overlap.ts'
import { splitWords, type SplitOptions } from '../../metrics/text/split-words.ts'
import type { Measuring } from './measuring.ts'

/** Computed metrics of an answer against its reference: F-measures, except BLEU. */
export const TEXT_METRICS = ['rouge1', 'rouge2', 'rougeL', 'bleu1', 'bleu2', 'token_f1'] as const
type TextMetric = (typeof TEXT_METRICS)[number]

/**
 * Every text metric of one answer, 0 to 1 each: the `overlap` of an answer's log line.
 *
 * @example
 * compareTexts('a red lamp', 'the red lamp', { language: 'en' }).token_f1 // 1
 */
export function compareTexts(
  candidate: string,
  reference: string,
  options: SplitOptions,
): Readonly<Record<TextMetric, number>> {
  const ours = splitWords(candidate, options)
  const theirs = splitWords(reference, options)
  return {
    rouge1: rougeN(ours, theirs, 1).f1,
    rouge2: rougeN(ours, theirs, 2).f1,
    rougeL: rougeL(ours, theirs).f1,
    bleu1: bleu(ours, theirs, 1),
    bleu2: bleu(ours, theirs, 2),
    token_f1: tokenF1(ours, theirs).f1,
  }
}

/** Overlap of an answer's words with its reference, and their similarity by the embedder; BERTScore where there is a model of tokens. */
export async function answerOverlap(
  { language, matcher, tokens }: Measuring,
  answer: string,
  reference: string,
): Promise<Readonly<Record<string, number>>> {
  const texts = await matcher.prepare([answer, reference])
  return {
    ...compareTexts(answer, reference, { language }),
    greedy_words: texts.match(answer, reference).f1,
    cosine: Math.max(0, texts.cosine(answer, reference)),
    ...(tokens === null
      ? {}
      : { bertscore: (await tokens.prepare([answer, reference])).match(answer, reference).f1 }),
  }
}
