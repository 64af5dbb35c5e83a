import { z } from 'zod'
import type { Example } from '../examples/example.ts'

const message = <Role extends string>(role: Role) =>
  z.strictObject({ role: z.literal(role), content: z.string().min(1) })
const system = message('system')
const user = message('user')
const assistant = message('assistant')

/** A chat for LLaMA-Factory (OpenAI format), axolotl (`chat_template`) and TRL. The first two learn from the answer alone. */
export const chatRow = z.strictObject({ messages: z.tuple([system, user, assistant]) })
export type ChatRow = z.infer<typeof chatRow>

/** The same as TRL's prompt and completion, so that it also learns from the answer alone. */
export const completionRow = z.strictObject({
  prompt: z.tuple([system, user]),
  completion: z.tuple([assistant]),
})
export type CompletionRow = z.infer<typeof completionRow>

/** A preference pair with an explicit prompt, as TRL's DPOTrainer takes it: three lists of messages. */
export const preferenceRow = z.strictObject({
  prompt: z.tuple([system, user]),
  chosen: z.tuple([assistant]),
  rejected: z.tuple([assistant]),
})
export type PreferenceRow = z.infer<typeof preferenceRow>

/** The same for LLaMA-Factory (sharegpt, `ranking`) and axolotl (`chat_template.default`): one message each. */
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

/** The row of an example with a rejected answer. */
export function preferenceRowOf(example: Example): PreferenceRow {
  return {
    prompt: promptOf(example),
    chosen: [answerMessage(example.answer)],
    rejected: [answerMessage(example.rejected)],
  }
}

/** The row of an example with a rejected answer. */
export function rankedRowOf(example: Example): RankedRow {
  return {
    messages: promptOf(example),
    chosen: answerMessage(example.answer),
    rejected: answerMessage(example.rejected),
  }
}
