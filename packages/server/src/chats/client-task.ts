import type { ChatMessage } from './chat-protocol.ts'

/** Begins of requests by chat programs for their own use: a title, tags, a search query, follow-up questions. */
const TASK =
  /^(?:#+ ?task:|(?:please )?(?:analy[sz]e|create|generate|give|provide|suggest|summari[sz]e|write) (?:[^.]|\d\.){0,120}\b(?:title|tags?|follow-?ups?|questions|quer(?:y|ies)|summary|emoji|keywords)\b|(?:请|為|为)[^。]{0,30}(?:标题|標題|标签|標籤|摘要))/iu
/** Begins of requests that say of themselves that a program made them: Open WebUI's for an emoji, for tools, and for one answer made of several. */
const WHOLE_TASK =
  /^(?:available tools: ?\[|query: history:|your task is to reflect the speaker['’]s likely facial expression|you have been provided with a set of responses from (?:various|several|multiple) models to the latest user query)/iu
/** A name for the conversation itself, which programs ask for at its end as well. */
const TITLE_OF_TALK =
  /^(?:based on [^.]{0,40}, )?(?:please )?(?:create|generate|give|provide|suggest|write) (?:[^.]{0,60}\b(?:title|name)\b[^.]{0,30}\b(?:this|our) (?:chat|conversation|discussion)\b(?! \w+ing\b| app)|(?:this|our) (?:chat|conversation|discussion) a (?:title|name)\b)/iu
/** A conversation that such a request quotes. */
const QUOTED_CONVERSATION =
  /<(?:chat_history|conversation|history|messages)>|^\W{0,4}(?:user|human|assistant|ai|system|用户|助手)\W{0,4}[:：]/imu
/** Instructions that ask for the title or a summary of a conversation, as Cherry Studio and LobeChat write them. */
const TASK_OF_SYSTEM =
  /^(?=[^]{0,300}?(?:\btitle|\bsummar|标题|標題|摘要|总结|總結))[^]{0,300}?(?:\bconversations?\b|\bchats?\b|对话|對話|会话|會話)/iu
/** A message that is nothing but a conversation, as text, marked up or in JSON. */
const CONVERSATION_ONLY =
  /^\s*(?:<(?:chat_history|conversation|history|messages)>|(?:user|human|assistant|ai|用户|助手)[:：]|\[?\s*\{[^{}]{0,80}"role"\s*:\s*"(?:user|assistant)")/iu

/**
 * Whether a request is a task of the client's own, such as Open WebUI's and LibreChat's titles: one message of the user that asks for a title, tags
 * or the like and quotes a conversation, or a last one that asks for a title of it; the instructions may ask instead. It is not part of the conversation.
 */
export function isClientTask(messages: readonly ChatMessage[]): boolean {
  const said = messages.filter(({ instructs }) => instructs === null)
  const last = said.at(-1)
  if (last?.by === 'user' && TITLE_OF_TALK.test(last.words.trimStart())) return true
  const [only, ...others] = said
  if (only?.by !== 'user' || others.length > 0) return false
  const start = only.words.trimStart()
  const isAskedBySystem = messages.some(
    ({ instructs, words }) => instructs !== null && TASK_OF_SYSTEM.test(words),
  )
  if (isAskedBySystem && CONVERSATION_ONLY.test(start)) return true
  return WHOLE_TASK.test(start) || (TASK.test(start) && QUOTED_CONVERSATION.test(start))
}
