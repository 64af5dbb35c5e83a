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

type PromptParts = Pick<Example, 'system' | 'user'>
const promptMessages = (example: PromptParts): PreferenceRow['prompt'] => [
  { role: 'system', content: example.system },
  { role: 'user', content: example.user },
]
const assistantMessage = (content: string): RankedRow['chosen'] => ({ role: 'assistant', content })

export function chatRowOf(example: Example): ChatRow {
  return chatRow.parse({ messages: [...promptMessages(example), assistantMessage(example.answer)] })
}

export function completionRowOf(example: Example): CompletionRow {
  return completionRow.parse({
    prompt: promptMessages(example),
    completion: [assistantMessage(example.answer)],
  })
}

/** @throws when there is no rejected answer */
export function preferenceRowOf(example: Example): PreferenceRow {
  return preferenceRow.parse({
    prompt: promptMessages(example),
    chosen: [assistantMessage(example.answer)],
    rejected: [assistantMessage(example.rejected ?? '')],
  })
}

export function rankedRowOf(example: Example): RankedRow {
  return rankedRow.parse({
    messages: promptMessages(example),
    chosen: assistantMessage(example.answer),
    rejected: assistantMessage(example.rejected ?? ''),
  })
}
