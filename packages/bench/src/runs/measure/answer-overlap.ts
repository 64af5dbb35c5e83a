import { bleu, rougeL, rougeN, tokenF1 } from '../../metrics/text/overlap.ts'
import { splitWords, type SplitOptions } from '../../metrics/text/split-words.ts'
import type { ConversationRun } from './conversation-run.ts'

/** Metrics that compare an answer with its reference without a judge. All except BLEU (a precision of word sequences) are F-measures. */
export const TEXT_METRICS = ['rouge1', 'rouge2', 'rougeL', 'bleu1', 'bleu2', 'token_f1'] as const
type TextMetric = (typeof TEXT_METRICS)[number]

/** Computes every text metric of one answer, each from 0 to 1. Log entries have them in `overlap`. */
export function compareTexts(
  candidate: string,
  reference: string,
  options: SplitOptions,
): Readonly<Record<TextMetric, number>> {
  const candidateWords = splitWords(candidate, options)
  const referenceWords = splitWords(reference, options)
  return {
    rouge1: rougeN(candidateWords, referenceWords, 1).f1,
    rouge2: rougeN(candidateWords, referenceWords, 2).f1,
    rougeL: rougeL(candidateWords, referenceWords).f1,
    bleu1: bleu(candidateWords, referenceWords, 1),
    bleu2: bleu(candidateWords, referenceWords, 2),
    token_f1: tokenF1(candidateWords, referenceWords).f1,
  }
}

/** Compares an answer with its reference by words and by embeddings. BERTScore is added if the run has a model for it. */
export async function answerOverlap(
  { language, matcher, tokens }: ConversationRun,
  answer: string,
  reference: string,
): Promise<Readonly<Record<string, number>>> {
  const texts = await matcher.prepare([answer, reference])
  const overlap = {
    ...compareTexts(answer, reference, { language }),
    greedy_words: texts.match(answer, reference).f1,
    cosine: Math.max(0, texts.cosine(answer, reference)),
  }
  if (tokens === null) return overlap
  const tokenMatcher = await tokens.prepare([answer, reference])
  return { ...overlap, bertscore: tokenMatcher.match(answer, reference).f1 }
}
