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

/** Judges an answer by LUFY's rubric (appendix C.1). A partly right answer is right. “I do not know” is neither right nor wrong. */
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

/** Makes a judge of a model with LUFY's rubric for answers. Its other calls are those of the general judge. */
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

/** Judges by LUFY's rubric without a model. */
export const lufyRuleJudge: Judge = {
  ...deterministicJudge,
  version: `${deterministicJudge.version} partly-1`,
  answer: async (input) => judgePartly(input),
}

/** Judges an answer. It is right with any word of the reference that the question lacks, omitted if it does not know, and otherwise wrong. */
function judgePartly({ question, reference, answer }: AnswerInput): Verdict<AnswerOutcome> {
  if (answer.trim() === '') return { verdict: 'omitted', reason: 'it is empty' }
  if (isAbstention(answer)) return { verdict: 'omitted', reason: 'it says that it does not know' }
  const expectedYes = readYesNo(reference)
  const answeredYes = readYesNo(answer)
  if (expectedYes !== null && answeredYes !== null)
    return {
      verdict: expectedYes === answeredYes ? 'correct' : 'hallucinated',
      reason: 'both say yes or no',
    }
  const answerWords = answerStems(question, answer)
  const shared = [...answerStems(question, reference)].filter((stem) => answerWords.has(stem))
  return shared.length > 0
    ? { verdict: 'correct', reason: `it contains ${shared.join(', ')}` }
    : { verdict: 'hallucinated', reason: 'it contains no word of the reference that the question lacks' }
}
