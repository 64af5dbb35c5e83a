import { compareContent } from '../../text/compare-content.ts'
import { hasWord, readContent, type Content } from '../../text/read-content.ts'
import { showQuantity } from '../../text/compare-quantities.ts'
import type { AnswerInput } from '../judge.ts'
import { PART_SHARE } from './match-statement.ts'

/** The content of a question and its right answer. */
export interface QuestionContext {
  readonly question: Content
  readonly reference: Content
  /** Content of reference and key points together. */
  readonly known: Content
}

export function readQuestionContext({ question, reference, keyPoints }: AnswerInput): QuestionContext {
  return {
    question: readContent(question),
    reference: readContent(reference),
    known: readContent([reference, ...keyPoints].join('\n')),
  }
}

/** Whether a sentence is about the question, so that its other values contradict: it has half the question's words, or no others. */
export function isInFrame(sentence: Content, context: QuestionContext): boolean {
  if (otherWords(sentence, context).length === 0) return true
  const { share } = compareContent({ ...context.question, quantities: [] }, sentence)
  return (share ?? 0) >= PART_SHARE && context.question.words.size > 1
}

/** Words of a sentence that stand neither in the question, nor in the reference or a key point. */
export function otherWords(sentence: Content, { known, question }: QuestionContext): string[] {
  const others = [...sentence.words.values()].filter(
    ({ key }) => !hasWord(known, key) && !hasWord(question, key),
  )
  return others.map(({ surface }) => surface)
}

export function otherValues(sentence: Content, context: QuestionContext): string[] {
  return [...otherWords(sentence, context), ...sentence.quantities.map(showQuantity)]
}
