import { z } from 'zod'
import { generatePrompt, unmet } from '../../generate-prompt.ts'

export interface VerifyDraftInput {
  /** What the draft was made from, and the draft, as JSON. */
  readonly from: string
  readonly draft: string
}

/** HaluMem's stages 1 and 2: a draft of a person or a life is checked before it is used. */
export const verifyDraftPrompt = generatePrompt({
  id: 'generate-verify-draft',
  version: 1,
  schema: z.object({ faults: z.array(z.string()) }),
  shape: '{"faults": ["…"]}',
  material: ({ from, draft }: VerifyDraftInput) => ({ from, draft }),
  problems: ({ faults }) => unmet({ 'A fault is empty.': faults.every((fault) => fault.trim() !== '') }),
})
