import type { ChatMessage } from './chat-protocol.ts'

/** Begins of requests by chat programs for their own use: a title, tags, a search query, follow-up questions. */
const TASK =
  /^(?:#+ ?task:|(?:please )?(?:analy[sz]e|create|generate|give|provide|suggest|summari[sz]e|write) [^.]{0,80}\b(?:title|tags?|follow-?ups?|questions|quer(?:y|ies)|summary|emoji|keywords)\b|(?:请|為|为)[^。]{0,30}(?:标题|標題|标签|標籤|摘要))/iu
/** Begins of requests that say of themselves that a program made them: Open WebUI's for an emoji of a message, and for one answer made of several. */
const WHOLE_TASK =
  /^(?:your task is to reflect the speaker['’]s likely facial expression|you have been provided with a set of responses from (?:various|several|multiple) models to the latest user query)/iu
/** A conversation that such a request quotes. */
const QUOTED_CONVERSATION =
  /<(?:chat_history|conversation|history|messages)>|^\W{0,4}(?:user|human|assistant|ai|system|用户|助手)\W{0,4}[:：]/imu

/**
 * Whether a request is a task of the client's own, such as Open WebUI's and LibreChat's titles: one message of the user that asks for a title, tags
 * or the like and quotes a conversation. It is not part of the conversation.
 */
export function isClientTask(messages: readonly ChatMessage[]): boolean {
  const [only, ...others] = messages.filter(({ instructs }) => instructs === null)
  if (only?.by !== 'user' || others.length > 0) return false
  const start = only.words.trimStart()
  return WHOLE_TASK.test(start) || (TASK.test(start) && QUOTED_CONVERSATION.test(start))
}
