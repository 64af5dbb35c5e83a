// Recognises requests that a chat program makes for itself, such as for a title or a summary of the chat.
import type { ChatMessage } from './chat-protocol.ts'
import {
  CHINESE_TITLE,
  CONVERSATION_IN_ANY_LANGUAGE,
  CONVERSATION_ONLY,
  CONVERSATION_WORD,
  EVERY_TITLE_WORD,
  FIRST_PERSON,
  LENGTH_LIMIT,
  OPEN_TEMPLATE,
  OPEN_WEBUI_TASK,
  QUOTED_CONVERSATION,
  SUMMARY_TASK,
  TASK_INSTRUCTIONS,
  TASK_ROLE,
  TASK_START,
  TEMPLATE,
  TITLE_OF_ABOVE,
  TITLE_OF_CHAT,
  TITLE_ONLY,
  TITLE_TASK,
} from './client-task-patterns.ts'

/** Requests for nothing but a title are shorter than this, without the conversation. */
const MAX_TITLE_REQUEST = 400
/** Minimum of characters of a program's request for a summary. Users ask for one in fewer. */
const MIN_SUMMARY_LENGTH = 120
/** Programs limit the length of a title within these first characters, before the quoted conversation. */
const MAX_TASK_LENGTH = 600

/**
 * Checks whether a request is a task of the chat program itself, such as a title, tags or a summary. Such a request is no message
 * of the user: nothing of it is remembered.
 */
export function isClientTask(messages: readonly ChatMessage[]): boolean {
  const dialogue = messages.filter(({ instructionRole }) => instructionRole === null)
  const instructions = messages
    .filter(({ instructionRole }) => instructionRole !== null)
    .map(({ textOnly }) => textOnly.trimStart())
  return (
    endsWithTitleRequest(dialogue) ||
    (dialogue.length > 1 && asksSummary(messages.at(-1))) ||
    isTaskByInstructions(dialogue, instructions) ||
    isTaskInOneMessage(dialogue, instructions)
  )
}

/** Programs such as NextChat send the whole conversation and ask for its title in a last message. */
function endsWithTitleRequest(dialogue: readonly ChatMessage[]): boolean {
  const last = dialogue.at(-1)
  if (last?.role !== 'user') return false
  const text = last.textOnly.trimStart()
  return TITLE_OF_CHAT.test(text) || CHINESE_TITLE.test(text) || asksOnlyTitle(text)
}

/** Whether a short text asks for the title of the conversation and nothing else. */
function asksOnlyTitle(text: string): boolean {
  if (text.length > MAX_TITLE_REQUEST || !TITLE_ONLY.test(text) || !CONVERSATION_IN_ANY_LANGUAGE.test(text))
    return false
  // Such a text names the title twice: “Give this chat a title. Write only the title.”
  return (text.match(EVERY_TITLE_WORD) ?? []).length > 1
}

/** Whether the instructions name the task. A conversation that the assistant has already answered is a real one. */
function isTaskByInstructions(dialogue: readonly ChatMessage[], instructions: readonly string[]): boolean {
  if (dialogue.some(({ role }) => role !== 'user')) return false
  return instructions.some(
    (text) => TASK_ROLE.test(text) || (isTitleTask(text) && CONVERSATION_WORD.test(text)),
  )
}

/** Whether the only message is a task with the conversation quoted in it. */
function isTaskInOneMessage(dialogue: readonly ChatMessage[], instructions: readonly string[]): boolean {
  const [first, second] = dialogue
  if (first?.role !== 'user' || second !== undefined) return false
  const text = first.textOnly.trimStart()
  if (TEMPLATE.test(text) || (OPEN_TEMPLATE.test(text) && QUOTED_CONVERSATION.test(text))) return true
  if (OPEN_WEBUI_TASK.test(text) || isTitleTask(text) || TITLE_OF_ABOVE.test(text)) return true
  if (TASK_START.test(text) && QUOTED_CONVERSATION.test(text)) return true
  return (
    CONVERSATION_ONLY.test(text) && instructions.some((instruction) => TASK_INSTRUCTIONS.test(instruction))
  )
}

/** Whether a message of the user or an instruction asks for a summary of the conversation, as long as programs write it. */
function asksSummary(message: ChatMessage | undefined): boolean {
  if (message === undefined) return false
  const { role, instructionRole, textOnly } = message
  if (role !== 'user' && instructionRole === null) return false
  return textOnly.length >= MIN_SUMMARY_LENGTH && SUMMARY_TASK.test(textOnly.trimStart())
}

/** Whether a program asks for a title of limited length. A text in the first person is the user's. */
function isTitleTask(text: string): boolean {
  // The task ends before a quotation or the conversation.
  const [task = ''] = text.split(/:\s|\n\n|["“]/u, 1)
  return (
    TITLE_TASK.test(task) && LENGTH_LIMIT.test(text.slice(0, MAX_TASK_LENGTH)) && !FIRST_PERSON.test(task)
  )
}
