import { promptVersion } from 'keepsake/parts'
import { deterministicJudge } from './deterministic-judge.ts'
import type { AnswerOutcome, Judge } from './judge.ts'
import { askJudge, modelJudge, type ModelJudgeOptions } from './model-judge.ts'
import { judgePartlyPrompt } from './prompts/judge-partly.ts'
import { judgePartly } from './rules/judge-partly.ts'

const OUTCOMES = { right: 'correct', wrong: 'hallucinated', unanswered: 'omitted' } as const satisfies Record<
  string,
  AnswerOutcome
>

/**
 * A language model as judge by LUFY's rubric (its appendix C.1): an answer that is right in part is right.
 *
 * @throws JudgeError when the model gives no verdict; never is one put in its place.
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
