import { z } from 'zod'
import { QUESTION_TYPES, type QuestionType } from '../published-form.ts'
import { generatePrompt, numberProblems, textProblems, failedChecks } from '../../generate-prompt.ts'

export interface SessionQuestionsInput {
  readonly who: string
  /** Points that are true now, numbered from 1; those of this session come last. */
  readonly points: readonly string[]
  /** Texts that points of this session replaced. */
  readonly outdated: readonly string[]
  /** False claims of the agent. */
  readonly claimed: readonly string[]
  /** Number of questions of each type. */
  readonly types: readonly (readonly [QuestionType, number])[]
}

/** Number of points that a question of each type needs as evidence. */
const EVIDENCE: Readonly<Record<QuestionType, { readonly min: number; readonly max: number }>> = {
  'Basic Fact Recall': { min: 1, max: Infinity },
  'Multi-hop Inference': { min: 2, max: Infinity },
  'Dynamic Update': { min: 1, max: Infinity },
  'Memory Boundary': { min: 0, max: 0 },
  'Memory Conflict': { min: 0, max: Infinity },
  'Generalization & Application': { min: 1, max: Infinity },
}

/** Asks for questions of the six types, with the points as evidence (HaluMem's stage 6). */
export const sessionQuestionsPrompt = generatePrompt({
  id: 'generate-session-questions',
  version: 3,
  schema: z.object({
    questions: z.array(
      z.object({
        type: z.enum(QUESTION_TYPES),
        question: z.string(),
        answer: z.string(),
        evidence: z.array(z.number()),
        difficulty: z.enum(['easy', 'medium', 'hard']),
      }),
    ),
  }),
  shape: `{"questions": [{"type": "Basic Fact Recall", "question": "…", "answer": "…", "evidence": [12], "difficulty": "easy"}]}`,
  material: ({ who: name, types, ...rest }: SessionQuestionsInput) => ({
    name,
    ...rest,
    types: types.map(([type, count]) => `${type}: ${count}`),
  }),
  problems: ({ questions }, { points, types }) => [
    ...types
      .filter(([type, count]) => questions.filter((one) => one.type === type).length !== count)
      .map(([type, count]) => `There must be exactly ${count} of the type "${type}".`),
    ...questions
      .filter(({ type }) => types.every(([wanted]) => wanted !== type))
      .map(({ type }) => `No question of the type "${type}" is wanted.`),
    ...textProblems(
      'question',
      questions.map(({ question }) => question),
    ),
    ...questions.flatMap(({ type, question, answer, evidence }) => {
      const { min, max } = EVIDENCE[type]
      const count = new Set(evidence).size
      return [
        ...numberProblems('point', evidence, points.length),
        ...failedChecks({
          'An answer is empty.': answer.trim() !== '',
          [`This question needs the numbers of ${min} or more points: ${question}`]: count >= min,
          [`What is unknown has no evidence: ${question}`]: count <= max,
        }),
      ]
    }),
  ],
})
