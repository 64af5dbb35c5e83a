import type { LanguageModel } from 'keepsake'
import { promptRunner, type PromptRunnerOptions } from 'keepsake/model'
import { promptVersion, type Prompt, type PromptLanguage } from 'keepsake/preset'
import { z } from 'zod'
import { dataPrompt } from '../prompts/data-prompt.ts'
import { fence } from '../prompts/fence.ts'
import { readDay } from '../text/day-mark.ts'
import { JudgeError } from './judge-error.ts'
import type {
  AccuracyVerdict,
  AnswerOutcome,
  ContentInput,
  Degree,
  IntegrityInput,
  LikenessInput,
  Judge,
  ReplyInput,
  UpdateInput,
  Verdict,
} from './judge.ts'
import { judgeAccuracyPrompt, type JudgeAccuracyAnswer } from './prompts/judge-accuracy.ts'
import { judgeAnswerPrompt, type JudgeAnswerAnswer } from './prompts/judge-answer.ts'

/** A note that the judge's prompt shows below memories with quoted messages. */
const DAY_NOTE = {
  en: 'A memory that begins with a day in brackets is what was said on that day. Beside a later one, or a statement of what is so now, it is told as past.',
  zh: '以方括号里的日期开头的记忆，是那一天说的话。旁边有更晚的，或有说明现状的，它就算写明是过去的事。',
} as const

/** Judges whether an update was made (HaluMem, figure 16). */
export const judgeUpdatePrompt = dataPrompt({
  id: 'judge-update',
  version: 3,
  schema: z.object({ reason: z.string(), outcome: z.enum(['hallucinated', 'omitted', 'other', 'correct']) }),
  shape: '{"reason": "…", "outcome": "hallucinated|omitted|other|correct"}',
  maxOutputTokens: 400,
  show: ({ updated, originals, memories }: UpdateInput, language) => {
    const shown = fence({ original: originals, updated, memories })
    return memories.some((memory) => readDay(memory).day !== null) ? `${shown}\n${DAY_NOTE[language]}` : shown
  },
})

// z.int() would write bounds into the schema that some providers refuse.
const scoreSchema = z.object({
  reason: z.string(),
  score: z.number().meta({ type: 'integer', description: '0 to 5' }),
})

/** The common parts of prompts that ask for a score from 0 to 5. */
const SCORE_PROMPT = {
  schema: scoreSchema,
  shape: '{"reason": "…", "score": 0|1|2|3|4|5}',
  maxOutputTokens: 300,
  problems: ({ score }: z.infer<typeof scoreSchema>) =>
    isScore(score) ? [] : [`The score is ${score}; give a whole number from 0 to 5.`],
}

function isScore(score: number): boolean {
  return Number.isInteger(score) && score >= 0 && score <= 5
}

/** Scores how well a memory has the meaning of a label, which is an annotated memory (MemScore: MOOM, section 5.2). */
const judgeMemScorePrompt = dataPrompt({
  ...SCORE_PROMPT,
  id: 'judge-memscore',
  version: 2,
  show: ({ label, memory }: LikenessInput) => ({ label, memory }),
})

/** Judges how near a reply is to its reference in meaning (MOOM, appendix H and Table 6). */
export const judgeReplyPrompt = dataPrompt({
  ...SCORE_PROMPT,
  id: 'judge-reply',
  version: 1,
  show: ({ question, reference, reply }: ReplyInput) => ({ question, reference, reply }),
})

/** Judges how far the memories contain a gold memory, which the data expects (HaluMem's integrity, figure 12). */
export const judgeIntegrityPrompt = dataPrompt({
  id: 'judge-integrity',
  version: 2,
  schema: z.object({ reason: z.string(), held: z.enum(['whole', 'part', 'none']) }),
  shape: '{"reason": "…", "held": "whole|part|none"}',
  maxOutputTokens: 400,
  show: ({ expected, memories }: IntegrityInput) => ({ expected, memories }),
})

/** Judges whether the new text of an operation says the same as the expected one (MMM's content accuracy). */
export const judgeContentPrompt = dataPrompt({
  id: 'judge-content',
  version: 2,
  schema: z.object({ reason: z.string(), same: z.boolean() }),
  shape: '{"reason": "…", "same": true|false}',
  maxOutputTokens: 300,
  show: ({ expected, actual }: ContentInput) => ({ expected, actual }),
})

export interface ModelJudgeOptions {
  readonly model: LanguageModel
  /** Language of the prompts. It should be the language of the judged texts. */
  readonly language: PromptLanguage
  /** Concurrency, retries and timeout of requests. Pass `onCall` to count the cost of judging. */
  readonly runner?: Omit<PromptRunnerOptions, 'model'>
}

/** All prompts of the judge. */
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

/** Makes a judge of a model with our rubrics. For accuracy and answers it judges the parts of a text, and a rule derives the verdict. */
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
      return accuracyVerdict(answer)
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
      if (!isScore(score)) throw new JudgeError(id, 'likeness', `${score} is no whole number from 0 to 5`)
      return { verdict: score, reason }
    },
    async reply(input) {
      const { score, reason } = await ask('reply', judgeReplyPrompt, input)
      if (!isScore(score)) throw new JudgeError(id, 'reply', `${score} is no whole number from 0 to 5`)
      return { verdict: score, reason }
    },
    async sameContent(input) {
      const { same, reason } = await ask('sameContent', judgeContentPrompt, input)
      return { verdict: same, reason }
    },
  }
}

type Ask = <Input, Output>(call: string, prompt: Prompt<Input, Output>, input: Input) => Promise<Output>

/** Makes the function that asks the model of a judge. It turns every error into a JudgeError. */
export function askJudge({ model, language, runner }: ModelJudgeOptions): Ask {
  const scope = { tenant: 'bench', user: 'judge', agent: null, app: null }
  const judgeRunner = promptRunner({ ...runner, model }).for('judge', scope)
  return async (call, prompt, input) => {
    try {
      return await judgeRunner.ask(prompt, input, { language })
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error)
      throw new JudgeError(model.id, call, problem, error)
    }
  }
}

/** Derives a verdict on HaluMem's scale: 2 if every point is supported, 0 if none is, otherwise 1. */
function accuracyVerdict({ points, reason }: JudgeAccuracyAnswer): AccuracyVerdict {
  const supportedCount = points.filter(({ support }) => support === 'supported').length
  const pointReasons = points.map(
    ({ point, support, inGold }) => `${point}: ${support}, ${inGold ? 'in' : 'not in'} gold`,
  )
  let verdict: Degree = supportedCount === 0 ? 0 : 1
  if (supportedCount === points.length) verdict = 2
  return {
    verdict,
    isTarget: points.every(({ inGold }) => inGold),
    reason: [...pointReasons, reason].join('; '),
  }
}

/** Derives the verdict on an answer. An answer that is both false and incomplete counts as false (HaluMem, figure 17). */
function answerVerdict({ elements, contradiction, reason }: JudgeAnswerAnswer): Verdict<AnswerOutcome> {
  const reasons = elements.map(({ element, state }) => `${element}: ${state}`)
  const contradicts = contradiction.trim() !== ''
  if (contradicts) reasons.push(`contradiction: ${contradiction}`)
  const isFalse = contradicts || elements.some(({ state }) => state === 'different')
  const isComplete = elements.every(({ state }) => state === 'given')
  let verdict: AnswerOutcome = isComplete ? 'correct' : 'omitted'
  if (isFalse) verdict = 'hallucinated'
  return { verdict, reason: [...reasons, reason].join('; ') }
}
