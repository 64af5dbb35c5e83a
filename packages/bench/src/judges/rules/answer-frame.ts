import { compareContent } from '../../text/compare-content.ts'
import { hasWord, readContent, type Content } from '../../text/read-content.ts'
import { showQuantity } from '../../text/compare-quantities.ts'
import type { AnswerInput } from '../judge.ts'
import { PART } from './hold-statement.ts'

/** The question's contents for reading an answer. */
export interface AskedAbout {
  readonly question: Content
  readonly reference: Content
  /** Reference and key points. */
  readonly known: Content
}

export function readAsked({ question, reference, keyPoints }: AnswerInput): AskedAbout {
  return {
    question: readContent(question),
    reference: readContent(reference),
    known: readContent([reference, ...keyPoints].join('\n')),
  }
}

/**
 * Whether a sentence is about the question, so that a different number, date or sense in it contradicts: it has at least half of the
 * question's words, or only words of question and reference (“Four looms.”, “Not Ghent.”).
 */
export function isInFrame(said: Content, asked: AskedAbout): boolean {
  if (otherWords(said, asked).length === 0) return true
  const { share } = compareContent({ ...asked.question, quantities: [] }, said)
  return (share ?? 0) >= PART && asked.question.words.size > 1
}

/** Words of a sentence that neither the question, the reference nor a key point has. */
export function otherWords(said: Content, { known, question }: AskedAbout): string[] {
  const others = [...said.words.values()].filter(({ key }) => !hasWord(known, key) && !hasWord(question, key))
  return others.map(({ surface }) => surface)
}

export function otherValues(said: Content, asked: AskedAbout): string[] {
  return [...otherWords(said, asked), ...said.quantities.map(showQuantity)]
}
