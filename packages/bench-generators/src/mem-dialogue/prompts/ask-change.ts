import { z } from 'zod'
import { generatePrompt, textProblems } from '../../generate-prompt.ts'

export interface AskChangeInput {
  readonly before: string
  /** `null`: it was deleted. */
  readonly after: string | null
  /** The talk from the change on, a round each: the paper's D′ from pos′. */
  readonly talk: readonly string[]
}

/** SSMF's last stage: a question about what came of one conflict (MMM, equation 8). */
export const askChangePrompt = generatePrompt({
  id: 'generate-ask-change',
  version: 3,
  schema: z.object({ question: z.string(), answer: z.string() }),
  shape: '{"question": "…", "answer": "…"}',
  material: ({ before, after, talk }: AskChangeInput) => ({
    ...(after === null ? { deleted: before } : { before, now: after }),
    talk,
  }),
  problems: ({ question, answer }) => textProblems('text', [question, answer]),
  maxOutputTokens: 400,
})
