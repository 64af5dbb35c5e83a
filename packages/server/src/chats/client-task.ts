import type { ChatMessage } from './chat-protocol.ts'

/** A short sentence before the task: “You are an assistant that sums up.”, “Ignore previous instructions.” */
const LEAD = String.raw`^\W{0,4}(?:[^.\n]{0,100}\.\s+)?`
const ACT = String.raw`(?:please |your task is to )?(?:analy[sz]e|classify|create|detect|determine|extract|generate|give|identify|provide|suggest|summari[sz]e|write) (?:[^.]|\d\.){0,120}`
/** Matches the beginning of a chat program's own request: “Generate 1-3 broad tags …”, “### Task: suggest follow-up questions”. */
const TASK_START = new RegExp(
  String.raw`^(?:#+ ?task:|${ACT}\b(?:title|tags?|follow-?ups?|questions|quer(?:y|ies)|summary|emoji|keywords)\b|(?:请|為|为)[^。]{0,30}(?:标题|標題|标签|標籤|摘要))`,
  'iu',
)
/** Matches a request for a title or topic that no user makes so: with a limit of length, and not for the person who asks. */
const TITLE_TASK = new RegExp(String.raw`${LEAD}${ACT}\b(?:title|topic)\b`, 'iu')
const LIMIT = /\b\d+[- ](?:words?|characters?|char)\b|\bwords? or (?:less|fewer)\b/iu
const CONVERSATION = /\b(?:conversation|chat|message|thread|discussion)\b/iu
const FIRST_PERSON = /\b(?:i|me|my|mine|our|us|we)\b/iu
/** Matches a request for a title of what it quotes before. */
const TITLE_OF_ABOVE = new RegExp(
  String.raw`\n\n${ACT}\btitle\b[^.]{0,40}\b(?:previous|above) (?:query|conversation|chat|message|discussion)\b`,
  'iu',
)
/** Matches a request for a summary of the whole conversation, at its end: “Your task is to create a detailed summary of the conversation so far”. */
const SUMMARY_TASK = new RegExp(
  String.raw`${LEAD}${ACT}\b(?:conversation|chat|discussion|events|story)\b[^.]{0,40}\b(?:so far|above)\b|${LEAD}your task is to create a (?:\w+ )?summary of (?:the|this) conversation\b`,
  'iu',
)
/** Matches instructions of a program that only names, sums up or sorts: “You are a title generator.” */
const TASK_ROLE =
  /^you are an? [^.\n]{0,60}\b(?:title|topic|tag|conversation|chat) (?:generator|summari[sz]er|classifier|maker|writer)\b/iu
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
 * Whether a request is the client's own task and not part of the conversation, such as a title or tags. It is recognised by its form: a
 * quoted conversation with a task (which may be in the instructions), a title with a limit of length, or a title or summary of
 * everything that was said, at its end.
 */
export function isClientTask(messages: readonly ChatMessage[]): boolean {
  const dialogue = messages.filter(({ instructionRole }) => instructionRole === null)
  const last = dialogue.at(-1)
  const [only, ...others] = dialogue
  if (last?.role === 'user' && TITLE_REQUEST.test(last.textOnly.trimStart())) return true
  if (others.length > 0 && asksSummary(messages.at(-1))) return true
  const instructions = messages.flatMap(({ instructionRole, textOnly }) =>
    instructionRole === null ? [] : textOnly.trimStart(),
  )
  const isAsked = dialogue.every(({ role }) => role === 'user')
  if (
    isAsked &&
    instructions.some((text) => TASK_ROLE.test(text) || (isTitleTask(text) && CONVERSATION.test(text)))
  )
    return true
  if (only?.role !== 'user' || others.length > 0) return false
  const start = only.textOnly.trimStart()
  if (instructions.some((text) => TASK_INSTRUCTIONS.test(text)) && CONVERSATION_ONLY.test(start)) return true
  if (OPEN_WEBUI_TASK.test(start) || isTitleTask(start) || TITLE_OF_ABOVE.test(start)) return true
  return TASK_START.test(start) && QUOTED_CONVERSATION.test(start)
}

/** Whether the last message, of the user or an instruction, asks for a summary of the conversation in at least some detail. */
function asksSummary(message: ChatMessage | undefined): boolean {
  const { role, instructionRole, textOnly = '' } = message ?? {}
  if (role !== 'user' && instructionRole === null) return false
  return textOnly.length >= MIN_SUMMARY_LENGTH && SUMMARY_TASK.test(textOnly.trimStart())
}
/** Users ask for a summary in fewer characters. */
const MIN_SUMMARY_LENGTH = 120

function isTitleTask(text: string): boolean {
  const [instruction = ''] = text.split(/:\s|\n\n|["“]/u, 1)
  return TITLE_TASK.test(instruction) && LIMIT.test(text.slice(0, 600)) && !FIRST_PERSON.test(instruction)
}
