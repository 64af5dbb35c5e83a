import type { ChatMessage } from './chat-protocol.ts'

/** Matches the beginning of a chat program's own request: “Generate 1-3 broad tags …”, “### Task: suggest follow-up questions”. */
const TASK_START =
  /^(?:#+ ?task:|(?:please )?(?:analy[sz]e|create|generate|give|provide|suggest|summari[sz]e|write) (?:[^.]|\d\.){0,120}\b(?:title|tags?|follow-?ups?|questions|quer(?:y|ies)|summary|emoji|keywords)\b|(?:请|為|为)[^。]{0,30}(?:标题|標題|标签|標籤|摘要))/iu
/** Matches the beginning of Open WebUI's requests for an emoji, for tools, and for merging several answers: “Available Tools: [”. */
const OPEN_WEBUI_TASK =
  /^(?:available tools: ?\[|query: history:|your task is to reflect the speaker['’]s likely facial expression|you have been provided with a set of responses from (?:various|several|multiple) models to the latest user query)/iu
/** Matches a request for the title of the conversation: “Please give this chat a title”. */
const TITLE_REQUEST =
  /^(?:based on [^.]{0,40}, )?(?:please )?(?:create|generate|give|provide|suggest|write) (?:[^.]{0,60}\b(?:title|name)\b[^.]{0,30}\b(?:this|our) (?:chat|conversation|discussion)\b(?! \w+ing\b| app)|(?:this|our) (?:chat|conversation|discussion) a (?:title|name)\b)/iu
/** Matches a quoted conversation: `<chat_history>`, `User: …`. */
const QUOTED_CONVERSATION =
  /<(?:chat_history|conversation|history|messages)>|^\W{0,4}(?:user|human|assistant|ai|system|用户|助手)\W{0,4}[:：]/imu
/** Matches instructions of Cherry Studio and LobeChat: “Summarize the conversation into a title …”. */
const TASK_INSTRUCTIONS =
  /^(?=[^]{0,300}?(?:\btitle|\bsummar|标题|標題|摘要|总结|總結))[^]{0,300}?(?:\bconversations?\b|\bchats?\b|对话|對話|会话|會話)/iu
/** Matches a message that contains only a conversation: `<conversation>`, `User: …`, `[{"role": "user" …`. */
const CONVERSATION_ONLY =
  /^\s*(?:<(?:chat_history|conversation|history|messages)>|(?:user|human|assistant|ai|用户|助手)[:：]|\[?\s*\{[^{}]{0,80}"role"\s*:\s*"(?:user|assistant)")/iu

/**
 * Whether a request is the client's own task and not part of the conversation, such as Open WebUI's and LibreChat's titles. It either has a
 * single user message with a quoted conversation and a task (which may be in the instructions), or its last message asks for a title.
 */
export function isClientTask(messages: readonly ChatMessage[]): boolean {
  const dialogue = messages.filter(({ instructionRole }) => instructionRole === null)
  const last = dialogue.at(-1)
  if (last?.role === 'user' && TITLE_REQUEST.test(last.textOnly.trimStart())) return true
  const [only, ...others] = dialogue
  if (only?.role !== 'user' || others.length > 0) return false
  const start = only.textOnly.trimStart()
  const hasTaskInstructions = messages.some(
    ({ instructionRole, textOnly }) => instructionRole !== null && TASK_INSTRUCTIONS.test(textOnly),
  )
  if (hasTaskInstructions && CONVERSATION_ONLY.test(start)) return true
  return OPEN_WEBUI_TASK.test(start) || (TASK_START.test(start) && QUOTED_CONVERSATION.test(start))
}
