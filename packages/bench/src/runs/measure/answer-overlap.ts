import { compareTexts } from '../../metrics/text/compare-texts.ts'
import type { Measuring } from './measuring.ts'

/** How far an answer's words are those of its reference, and how alike they are in meaning as far as the embedder knows. */
export async function answerOverlap(
  { language, matcher }: Measuring,
  answer: string,
  reference: string,
): Promise<Readonly<Record<string, number>>> {
  const texts = await matcher.prepare([answer, reference])
  return {
    ...compareTexts(answer, reference, { language }),
    bertscore: texts.match(answer, reference).f1,
    cosine: Math.max(0, texts.cosine(answer, reference)),
  }
}
