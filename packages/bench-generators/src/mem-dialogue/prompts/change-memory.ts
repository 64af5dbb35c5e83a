import { z } from 'zod'
import { generatePrompt, textProblems, failedChecks } from '../../generate-prompt.ts'

export interface ChangeMemoryInput {
  readonly kind: 'modify' | 'delete'
  readonly memory: string
  /** Other facts of the person, which must stay true. */
  readonly others: readonly string[]
}

/** Asks for a change of a memory and a round that states it: SSMF's third stage (MMM, section 2.2.3). */
export const changeMemoryPrompt = generatePrompt({
  id: 'generate-change-memory',
  version: 2,
  schema: z.object({ after: z.string().nullable(), said: z.string(), reply: z.string() }),
  shape: '{"after": "…", "said": "…", "reply": "…"}',
  material: ({ kind, memory, others }: ChangeMemoryInput) => ({ kind, memory, others }),
  problems: ({ after, said, reply }, { kind, memory, others }) => [
    ...textProblems('turn', [said, reply]),
    ...failedChecks({
      '"after" must be null, since the memory is deleted.': kind !== 'delete' || after === null,
      '"after" must be a new text, other than the memory.':
        kind !== 'modify' || (after !== null && after.trim() !== '' && after !== memory),
      '"after" is one of the other facts.': after === null || !others.includes(after),
    }),
  ],
  maxOutputTokens: 1_000,
})
