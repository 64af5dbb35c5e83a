import { answerStems } from '../../datasets/lufy-correctness.ts'
import { isAbstention } from '../../text/is-abstention.ts'
import { readYesNo } from '../../text/read-yes-no.ts'
import type { AnswerInput, AnswerOutcome, Verdict } from '../judge.ts'

/**
 * LUFY's judge of answers (its appendix C.1) by words: right is what holds any of the reference's words that the question
 * lacks, unanswered what does not know, wrong the rest. It cannot tell of whom an “I” speaks: quoted talk says “I” of the user. Of
 * a reference that begins with yes or no that word decides.
 */
export function judgePartly({ question, reference, answer }: AnswerInput): Verdict<AnswerOutcome> {
  if (answer.trim() === '') return { verdict: 'omitted', reason: 'it says nothing' }
  if (isAbstention(answer)) return { verdict: 'omitted', reason: 'it says that it does not know' }
  const [wanted, said] = [readYesNo(reference), readYesNo(answer)]
  if (wanted !== null && said !== null)
    return { verdict: wanted === said ? 'correct' : 'hallucinated', reason: 'both say yes or no' }
  const told = answerStems(question, answer)
  const shared = [...answerStems(question, reference)].filter((stem) => told.has(stem))
  return shared.length > 0
    ? { verdict: 'correct', reason: `it holds ${shared.join(', ')}` }
    : { verdict: 'hallucinated', reason: 'it holds no word of the reference that the question lacks' }
}
