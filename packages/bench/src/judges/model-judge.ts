import { promptRunner, type LanguageModel, type PromptRunnerOptions } from 'keepsake'
import { promptVersion, type Prompt, type PromptLanguage } from 'keepsake/parts'
import { judgeAccuracyPrompt, type JudgeAccuracyAnswer } from './prompts/judge-accuracy.ts'
import { judgeAnswerPrompt, type JudgeAnswerAnswer } from './prompts/judge-answer.ts'
import { judgeContentPrompt } from './prompts/judge-content.ts'
import { judgeIntegrityPrompt } from './prompts/judge-integrity.ts'
import { isMemScore, judgeMemScorePrompt } from './prompts/judge-memscore.ts'
import { judgeReplyPrompt } from './prompts/judge-reply.ts'
import { judgeUpdatePrompt } from './prompts/judge-update.ts'
import type { AccuracyVerdict, AnswerOutcome, Judge, Verdict } from './judge.ts'
import { JudgeError } from './judge-error.ts'

export interface ModelJudgeOptions {
  readonly model: LanguageModel
  /** Language of the prompts; should be that of what is judged. */
  readonly language: PromptLanguage
  /** Concurrency, retries and time, as the engine's. Pass `onCall` to count what judging costs. */
  readonly runner?: Omit<PromptRunnerOptions, 'model'>
}

export const JUDGE_PROMPTS = [
  judgeIntegrityPrompt,
  judgeAccuracyPrompt,
  judgeUpdatePrompt,
  judgeAnswerPrompt,
  judgeMemScorePrompt,
  judgeReplyPrompt,
  judgeContentPrompt,
] as const

const DEGREES = { whole: 2, part: 1, none: 0 } as const

/**
 * A language model as judge, by rubrics of our own (prompts/judge-*.ts). What is judged is shown to it as data. Where a
 * verdict follows from parts (the points of a memory, the elements of an answer) the model judges the parts and the
 * verdict follows by rule.
 *
 * @throws JudgeError from every call for which the model gives no verdict; never is one put in its place.
 * @example
 * const judge = modelJudge({ model: languageModel(openai('gpt-5-mini')), language: 'en' })
 */
export function modelJudge(options: ModelJudgeOptions): Judge {
  const { id } = options.model
  const ask = askJudge(options)
  return {
    name: id,
    kind: 'model',
    version: [...JUDGE_PROMPTS.map(promptVersion), options.language].join(' '),
    inLanguage: (language) => modelJudge({ ...options, language }),
    async integrity(input) {
      if (input.memories.length === 0) return { verdict: 0, reason: 'there are no memories' }
      const { held, reason } = await ask('integrity', judgeIntegrityPrompt, input)
      return { verdict: DEGREES[held], reason }
    },
    async accuracy(input) {
      const answer = await ask('accuracy', judgeAccuracyPrompt, input)
      if (answer.points.length === 0) throw new JudgeError(id, 'accuracy', 'it names no point of the memory')
      return accuracyOf(answer)
    },
    async update(input) {
      if (input.memories.length === 0) return { verdict: 'omitted', reason: 'nothing was retrieved' }
      const { outcome, reason } = await ask('update', judgeUpdatePrompt, input)
      return { verdict: outcome, reason }
    },
    async answer(input) {
      const answer = await ask('answer', judgeAnswerPrompt, input)
      if (answer.elements.length === 0)
        throw new JudgeError(id, 'answer', 'it names no element of the reference')
      return answerVerdict(answer)
    },
    async likeness(input) {
      const { score, reason } = await ask('likeness', judgeMemScorePrompt, input)
      if (!isMemScore(score)) throw new JudgeError(id, 'likeness', `${score} is no whole number from 0 to 5`)
      return { verdict: score, reason }
    },
    async reply(input) {
      const { score, reason } = await ask('reply', judgeReplyPrompt, input)
      if (!isMemScore(score)) throw new JudgeError(id, 'reply', `${score} is no whole number from 0 to 5`)
      return { verdict: score, reason }
    },
    async sameContent(input) {
      const { same, reason } = await ask('sameContent', judgeContentPrompt, input)
      return { verdict: same, reason }
    },
  }
}

/** Asks a model for a verdict by a prompt, and says whose call failed. */
type Ask = <Input, Output>(call: string, prompt: Prompt<Input, Output>, input: Input) => Promise<Output>

export function askJudge({ model, language, runner }: ModelJudgeOptions): Ask {
  const scope = { tenant: 'bench', user: 'judge', agent: null, app: null }
  const asked = promptRunner({ ...runner, model }).for('judge', scope)
  return async (call, prompt, input) => {
    try {
      return await asked.ask(prompt, input, { language })
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error)
      throw new JudgeError(model.id, call, problem, error)
    }
  }
}

/** HaluMem's scale: 2 when every point is supported, 0 when none is, 1 between. */
function accuracyOf({ points, reason }: JudgeAccuracyAnswer): AccuracyVerdict {
  const supported = points.filter(({ support }) => support === 'supported').length
  const shown = points.map(
    ({ point, support, inGold }) => `${point}: ${support}, ${inGold ? 'in' : 'not in'} gold`,
  )
  return {
    verdict: supported === points.length ? 2 : supported === 0 ? 0 : 1,
    isTarget: points.every(({ inGold }) => inGold),
    reason: [...shown, reason].join('; '),
  }
}

/** What is false outweighs what is missing (HaluMem, figure 17). */
function answerVerdict({ elements, contradiction, reason }: JudgeAnswerAnswer): Verdict<AnswerOutcome> {
  const shown = elements.map(({ element, state }) => `${element}: ${state}`)
  const states = elements.map(({ state }) => state)
  const contradicting = contradiction.trim() === '' ? [] : [`contradiction: ${contradiction}`]
  const isFalse = contradicting.length > 0 || states.includes('different')
  const isWhole = states.every((state) => state === 'given')
  return {
    verdict: isFalse ? 'hallucinated' : isWhole ? 'correct' : 'omitted',
    reason: [...shown, ...contradicting, reason].join('; '),
  }
}
