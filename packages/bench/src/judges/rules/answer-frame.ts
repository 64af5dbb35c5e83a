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

/** Reads the content words and quantities of a question and its right answer. */
export function readQuestionContext({ question, reference, keyPoints }: AnswerInput): QuestionContext {
  return {
    question: readContent(question),
    reference: readContent(reference),
    known: readContent([reference, ...keyPoints].join('\n')),
  }
}

/**
 * Checks whether a sentence of an answer is about the question. Only then do other values in it contradict the reference. A sentence is
 * about the question if it contains no unknown words, or at least half of the question's words.
 */
export function isAboutQuestion(sentence: Content, context: QuestionContext): boolean {
  if (otherWords(sentence, context).length === 0) return true
  // Only words are compared: a number of the question (“for 3 years”) need not be repeated.
  const questionWords = { ...context.question, quantities: [] }
  const { share } = compareContent(questionWords, sentence)
  return (share ?? 0) >= PART_SHARE && context.question.words.size > 1
}

/** Lists the words of a sentence that are in neither the question, the reference nor a key point. */
export function otherWords(sentence: Content, { known, question }: QuestionContext): string[] {
  const others = [...sentence.words.values()].filter(
    ({ key }) => !hasWord(known, key) && !hasWord(question, key),
  )
  return others.map(({ surface }) => surface)
}

/** Lists the words of {@link otherWords} and all quantities of the sentence, for reports. */
export function otherValues(sentence: Content, context: QuestionContext): string[] {
  return [...otherWords(sentence, context), ...sentence.quantities.map(showQuantity)]
}
