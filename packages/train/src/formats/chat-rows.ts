import { z } from 'zod'
import type { Example } from '../examples/example.ts'

const message = <Role extends string>(role: Role) =>
  z.strictObject({ role: z.literal(role), content: z.string().min(1) })
const system = message('system')
const user = message('user')
const assistant = message('assistant')

/** A chat for the trainers LLaMA-Factory (OpenAI format), axolotl (`chat_template`) and TRL. The first two learn from the answer alone. */
export const chatRow = z.strictObject({ messages: z.tuple([system, user, assistant]) })
export type ChatRow = z.infer<typeof chatRow>

/** A chat as prompt and completion, so that TRL also learns from the answer alone. */
export const completionRow = z.strictObject({
  prompt: z.tuple([system, user]),
  completion: z.tuple([assistant]),
})
export type CompletionRow = z.infer<typeof completionRow>

/** A preference pair for TRL's DPOTrainer (direct preference optimisation): three lists of messages. */
export const preferenceRow = z.strictObject({
  prompt: z.tuple([system, user]),
  chosen: z.tuple([assistant]),
  rejected: z.tuple([assistant]),
})
export type PreferenceRow = z.infer<typeof preferenceRow>

/** A preference pair for LLaMA-Factory (sharegpt, `ranking`) and axolotl (`chat_template.default`): each answer is one message. */
export const rankedRow = z.strictObject({
  messages: z.tuple([system, user]),
  chosen: assistant,
  rejected: assistant,
})
export type RankedRow = z.infer<typeof rankedRow>

function promptOf({ system, user }: Example): PreferenceRow['prompt'] {
  return [
    { role: 'system', content: system },
    { role: 'user', content: user },
  ]
}

function answerMessage(content: string | null): RankedRow['chosen'] {
  return { role: 'assistant', content: content ?? '' }
}

export function chatRowOf(example: Example): ChatRow {
  return { messages: [...promptOf(example), answerMessage(example.answer)] }
}

export function completionRowOf(example: Example): CompletionRow {
  return { prompt: promptOf(example), completion: [answerMessage(example.answer)] }
}

/** Returns TRL's row of an example with a rejected answer. */
export function preferenceRowOf(example: Example): PreferenceRow {
  return {
    prompt: promptOf(example),
    chosen: [answerMessage(example.answer)],
    rejected: [answerMessage(example.rejected)],
  }
}

/** Returns the row of such an example for LLaMA-Factory and axolotl. */
export function rankedRowOf(example: Example): RankedRow {
  return {
    messages: promptOf(example),
    chosen: answerMessage(example.answer),
    rejected: answerMessage(example.rejected),
  }
}
