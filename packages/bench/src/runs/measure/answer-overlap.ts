import { compareTexts } from '../../metrics/text/compare-texts.ts'
import type { Measuring } from './measuring.ts'

/**
 * How far an answer's words are those of its reference, and how alike they are in meaning as far as the embedder knows; BERTScore
 * where there is a model of tokens in their context.
 */
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
