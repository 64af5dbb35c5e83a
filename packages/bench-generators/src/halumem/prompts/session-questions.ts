import { z } from 'zod'
import { QUESTION_TYPES, type QuestionType } from '../published-form.ts'
import { generatePrompt, numberProblems, textProblems, unmet } from '../../generate-prompt.ts'

export interface SessionQuestionsInput {
  readonly who: string
  /** Points that are true now, numbered from 1; those of this session come last. */
  readonly points: readonly string[]
  /** Texts that points of this session replaced. */
  readonly outdated: readonly string[]
  /** False claims of the agent. */
  readonly claimed: readonly string[]
  readonly types: readonly (readonly [QuestionType, number])[]
}

/** Number of points that a question of each type needs as evidence. */
const EVIDENCE: Readonly<Record<QuestionType, { readonly least: number; readonly most: number }>> = {
  'Basic Fact Recall': { least: 1, most: Infinity },
  'Multi-hop Inference': { least: 2, most: Infinity },
  'Dynamic Update': { least: 1, most: Infinity },
  'Memory Boundary': { least: 0, most: 0 },
  'Memory Conflict': { least: 0, most: Infinity },
  'Generalization & Application': { least: 1, most: Infinity },
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
      const { least, most } = EVIDENCE[type]
      const count = new Set(evidence).size
      return [
        ...numberProblems('point', evidence, points.length),
        ...unmet({
          'An answer is empty.': answer.trim() !== '',
          [`This question needs the numbers of ${least} or more points: ${question}`]: count >= least,
          [`What is unknown has no evidence: ${question}`]: count <= most,
        }),
      ]
    }),
  ],
})
