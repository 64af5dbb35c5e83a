import { z } from 'zod'
import { generatePrompt, failedChecks } from '../../generate-prompt.ts'

export interface VerifyDraftInput {
  /** The input of the draft, as JSON. */
  readonly from: string
  /** The draft, as JSON. */
  readonly draft: string
}

/** Asks for the faults in a draft of a person or a life (HaluMem's stages 1 and 2). */
export const verifyDraftPrompt = generatePrompt({
  id: 'generate-verify-draft',
  version: 1,
  schema: z.object({ faults: z.array(z.string()) }),
  shape: '{"faults": ["…"]}',
  material: ({ from, draft }: VerifyDraftInput) => ({ from, draft }),
  problems: ({ faults }) =>
    failedChecks({ 'A fault is empty.': faults.every((fault) => fault.trim() !== '') }),
})
