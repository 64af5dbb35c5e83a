import { promptVersion } from 'keepsake/preset'
import { z } from 'zod'
import { answerStems } from '../datasets/lufy-correctness.ts'
import { dataPrompt } from '../prompts/data-prompt.ts'
import { isAbstention } from '../text/is-abstention.ts'
import { readYesNo } from '../text/read-yes-no.ts'
import { deterministicJudge } from './deterministic-judge.ts'
import type { AnswerInput, AnswerOutcome, Judge, Verdict } from './judge.ts'
import { askJudge, modelJudge, type ModelJudgeOptions } from './model-judge.ts'

const schema = z.object({ reason: z.string(), verdict: z.enum(['right', 'wrong', 'unanswered']) })

/**
 * LUFY's judge of answers (its appendix C.1): partly right is right, and not knowing is neither right nor wrong. The rubric is the paper's,
 * in our words.
 */
export const judgePartlyPrompt = dataPrompt({
  id: 'judge-partly',
  version: 1,
  schema,
  shape: '{"reason": "…", "verdict": "right|wrong|unanswered"}',
  maxOutputTokens: 300,
  show: ({ question, reference, answer }: AnswerInput) => ({ question, reference, answer }),
})

const OUTCOMES = { right: 'correct', wrong: 'hallucinated', unanswered: 'omitted' } as const satisfies Record<
  string,
  AnswerOutcome
>

/**
 * A language model as judge by LUFY's rubric (its appendix C.1): a partly right answer is right.
 *
 * @throws JudgeError when the model gives no verdict; none is ever substituted.
 */
export function lufyJudge(options: ModelJudgeOptions): Judge {
  const ask = askJudge(options)
  return {
    ...modelJudge(options),
    version: `${promptVersion(judgePartlyPrompt)} ${options.language}`,
    inLanguage: (language) => lufyJudge({ ...options, language }),
    async answer(input) {
      const { verdict, reason } = await ask('answer', judgePartlyPrompt, input)
      return { verdict: OUTCOMES[verdict], reason }
    },
  }
}

/** The same rubric by words. */
export const lufyRuleJudge: Judge = {
  ...deterministicJudge,
  version: `${deterministicJudge.version} partly-1`,
  answer: async (input) => judgePartly(input),
}

/**
 * LUFY's judge of answers (its appendix C.1) by words: right when it has any of the reference's words that the question lacks, unanswered
 * when it does not know, else wrong. It cannot resolve “I”: quoted talk says “I” of the user. For a reference that begins with yes or no,
 * that word decides.
 */
function judgePartly({ question, reference, answer }: AnswerInput): Verdict<AnswerOutcome> {
  if (answer.trim() === '') return { verdict: 'omitted', reason: 'it says nothing' }
  if (isAbstention(answer)) return { verdict: 'omitted', reason: 'it says that it does not know' }
  const [wanted, said] = [readYesNo(reference), readYesNo(answer)]
  if (wanted !== null && said !== null)
    return { verdict: wanted === said ? 'correct' : 'hallucinated', reason: 'both say yes or no' }
  const answerWords = answerStems(question, answer)
  const shared = [...answerStems(question, reference)].filter((stem) => answerWords.has(stem))
  return shared.length > 0
    ? { verdict: 'correct', reason: `it holds ${shared.join(', ')}` }
    : { verdict: 'hallucinated', reason: 'it holds no word of the reference that the question lacks' }
}
