import { z } from 'zod'
import { generatePrompt, textProblems } from '../../generate-prompt.ts'

export interface AskChangeInput {
  readonly before: string
  /** `null`: the memory was deleted. */
  readonly after: string | null
  /** The rounds from the change to the end (the paper's D′ from pos′). */
  readonly talk: readonly string[]
}

/** Asks for a question about the outcome of a conflict: SSMF's last stage (MMM, equation 8). */
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
