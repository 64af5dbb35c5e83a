import { z } from 'zod'
import { generatePrompt, textProblems } from '../../generate-prompt.ts'

/** Asks for a round that states a memory: SSMF's second stage (MMM, section 2.2.2). */
export const tellMemoryPrompt = generatePrompt({
  id: 'generate-tell-memory',
  version: 2,
  schema: z.object({ said: z.string(), reply: z.string() }),
  shape: '{"said": "…", "reply": "…"}',
  material: ({ memory }: { memory: string }) => ({ memory }),
  problems: ({ said, reply }) => textProblems('turn', [said, reply]),
  maxOutputTokens: 800,
})
