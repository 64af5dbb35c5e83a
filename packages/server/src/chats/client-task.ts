import type { ChatMessage } from './chat-protocol.ts'

// Recognises requests that a chat program makes for itself. The patterns are built from these parts.

/** A short sentence before the task: “You are an assistant that sums up.”, “Ignore previous instructions.” */
const LEAD = String.raw`^\W{0,4}(?:[^.\n]{0,100}\.\s+)?`
const TASK_VERB =
  '(?:analy[sz]e|classify|create|detect|determine|extract|generate|give|identify|provide|suggest|summari[sz]e|write)'
/** The words of a task up to its object: “Your task is to generate 1-3 broad …”. */
const ACT = String.raw`(?:please |your task is to )?${TASK_VERB} (?:[^.]|\d\.){0,120}`
const TASK_OBJECT = '(?:title|tags?|follow-?ups?|questions|quer(?:y|ies)|summary|emoji|keywords)'
const CHINESE_TASK = '(?:请|為|为)[^。]{0,30}(?:标题|標題|标签|標籤|摘要)'
const WHOLE_CHAT = '(?:this|our) (?:chat|conversation|discussion)'

/** Matches the beginning of a chat program's own request: “Generate 1-3 broad tags …”, “### Task: suggest follow-up questions”. */
const TASK_START = new RegExp(String.raw`^(?:#+ ?task:|${ACT}\b${TASK_OBJECT}\b|${CHINESE_TASK})`, 'iu')
/** Matches a request for a title or topic. It is a program's if it also has a {@link LIMIT} and no {@link FIRST_PERSON}. */
const TITLE_TASK = new RegExp(String.raw`${LEAD}${ACT}\b(?:title|topic)\b`, 'iu')
/** Matches a limit of length: “in 5 words or less”. */
const LIMIT = /\b\d+[- ](?:words?|characters?|char)\b|\bwords? or (?:less|fewer)\b/iu
const CONVERSATION = /\b(?:conversation|chat|message|thread|discussion)\b/iu
const FIRST_PERSON = /\b(?:i|me|my|mine|our|us|we)\b/iu
/** Matches a request for a title at the end of a quoted conversation: “Write a title for the above conversation”. */
const TITLE_OF_ABOVE = new RegExp(
  String.raw`\n\n${ACT}\btitle\b[^.]{0,40}\b(?:previous|above) (?:query|conversation|chat|message|discussion)\b`,
  'iu',
)
/** Matches a request for a summary of the whole conversation, at its end: “Your task is to create a detailed summary of the conversation so far”. */
const SUMMARY_TASK = new RegExp(
  [
    String.raw`${LEAD}${ACT}\b(?:conversation|chat|discussion|events|story)\b[^.]{0,40}\b(?:so far|above)\b`,
    String.raw`${LEAD}your task is to create a (?:\w+ )?summary of (?:the|this) conversation\b`,
  ].join('|'),
  'iu',
)
/** Chinese requests for nothing but a topic: “只输出标题”, “不要解释”. */
const CHINESE_ONLY = '直接(?:返回|输出|輸出)|[只仅僅](?:返回|输出|輸出|回复)|不要解释|不要解釋'
/** “五个字”, “几个字”, “简要”. */
const CHINESE_LENGTH = '[\\d一二两兩三四五六七八九十]{1,3}[个個]?[字词詞]|[几幾][个個]字|简[短要]|簡[短要]'
/** “这段对话”, “以上内容”, “会话”. */
const CHINESE_CHAT = [
  '这句话|這句話',
  '(?:这段|這段|本次|以上|上述|上面|当前|此)(?:的)?(?:对话|對話|会话|會話|聊天|内容|消息)',
  '对话|對話|会话|會話',
].join('|')
/** Matches a request for the topic of the conversation and nothing else: “使用四到五个字直接返回这句话的简要主题，不要解释”. */
const CHINESE_TITLE_REQUEST = new RegExp(
  `^(?=[^]{0,200}(?:${CHINESE_ONLY}))(?:请|請)?[^。\\n]{0,20}(?:${CHINESE_LENGTH})` +
    `[^。\\n]{0,20}(?:${CHINESE_CHAT})[^。\\n]{0,12}(?:主题|主題|标题|標題)`,
  'u',
)
/** Matches instructions for a model that only makes titles, summaries or classes: “You are a title generator.” */
const TASK_ROLE = new RegExp(
  [
    String.raw`^you are an? [^.\n]{0,60}\b(?:title|topic|tag|conversation|chat) (?:generator|summari[sz]er|classifier|maker|writer)\b`,
    String.raw`^you are an? [^.\n]{0,40}\binformation organi[sz]er\b`,
  ].join('|'),
  'iu',
)
/** Beginnings of Open WebUI's requests for tools, for an emoji, and for merging several answers. */
const OPEN_WEBUI_STARTS = [
  String.raw`available tools: ?\[`,
  'query: history:',
  "your task is to reflect the speaker['’]s likely facial expression",
  'you have been provided with a set of responses from (?:various|several|multiple) models to the latest user query',
]
const OPEN_WEBUI_TASK = new RegExp(`^(?:${OPEN_WEBUI_STARTS.join('|')})`, 'iu')
const TITLE_VERB = '(?:create|generate|give|provide|suggest|write)'
/** The two forms: “a title for this chat” (but not “for this chat app”) and “this chat a title”. */
const TITLE_OBJECTS = [
  String.raw`[^.]{0,60}\b(?:title|name)\b[^.]{0,30}\b${WHOLE_CHAT}\b(?! \w+ing\b| app)`,
  String.raw`${WHOLE_CHAT} a (?:title|name)\b`,
]
/** Matches a request for the title of the conversation: “Please give this chat a title”. */
const TITLE_REQUEST = new RegExp(
  String.raw`^(?:based on [^.]{0,40}, )?(?:please )?${TITLE_VERB} (?:${TITLE_OBJECTS.join('|')})`,
  'iu',
)
/** Matches a quoted conversation: `<chat_history>`, `User: …`. */
const QUOTED_CONVERSATION =
  /<(?:chat_history|conversation|history|messages)>|^\W{0,4}(?:user|human|assistant|ai|system|用户|助手)\W{0,4}[:：]/imu
const TITLE_OR_SUMMARY = String.raw`\btitle|\bsummar|标题|標題|摘要|总结|總結`
const ANY_CHAT = String.raw`\bconversations?\b|\bchats?\b|\bsessions?\b|对话|對話|会话|會話`
/** Matches instructions of Cherry Studio and LobeChat, in either order: “Summarize the conversation into a title …”. */
const TASK_INSTRUCTIONS = new RegExp(
  String.raw`^(?=[^]{0,300}?(?:${TITLE_OR_SUMMARY}))[^]{0,300}?(?:${ANY_CHAT})`,
  'iu',
)
/** Beginnings of a message that contains only a conversation: `<conversation>`, `User: …`, `[{"role": "user" …`. */
const CONVERSATION_STARTS = [
  '<(?:chat_history|conversation|history|messages)>',
  '(?:user|human|assistant|ai|用户|助手)[:：]',
  String.raw`\[?\s*\{[^{}]{0,80}"role"\s*:\s*"(?:user|assistant)"`,
]
const CONVERSATION_ONLY = new RegExp(String.raw`^\s*(?:${CONVERSATION_STARTS.join('|')})`, 'iu')
const ANY_TITLE = String.raw`\b(?:title|titel|titre|título|titolo)|заголов|назван|タイトル|제목`
const ONLY_BEFORE = String.raw`\b(?:only|just|nur|uniquement|seulement|únicamente|solamente|s[oó]lo|apenas|somente|soltanto)\b|только`
const CHATS_IN_LANGUAGES = String.raw`${ANY_CHAT}|\bquery\b|gespräch|unterhaltung|conversaci|\bconversa|бесед|разговор|диалог|会話|チャット|대화`
/** Matches “answer with the title only”, in the languages of programs. */
const TITLE_ONLY = new RegExp(
  String.raw`(?:${ONLY_BEFORE})[^.。]{0,40}(?:${ANY_TITLE})|(?:${ANY_TITLE})[^.。]{0,6}(?:のみ|だけ|만)`,
  'iu',
)
const NAMES_TITLE = new RegExp(ANY_TITLE, 'giu')
const NAMES_CHAT = new RegExp(CHATS_IN_LANGUAGES, 'iu')
/** Requests for nothing but a title are shorter than this, without the conversation. */
const MAX_TITLE_REQUEST = 400
/** Matches a template with a heading and a tag of the conversation, in whatever language: “### Aufgabe: … <chat_history>”. */
const TEMPLATE = /^#{2,4} ?[^\n]{1,40}[:：]\s*\n[^]*<chat_history>/u
/** Matches a template that ends with a label to complete: “Given the following conversation … Standalone question:”. */
const OPEN_TEMPLATE = new RegExp(
  String.raw`^(?:given the following (?:conversation|chat)|progressively summari[sz]e)\b[^]*\n[^\n:]{1,40}:\s*$`,
  'iu',
)
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
  return TITLE_REQUEST.test(text) || CHINESE_TITLE_REQUEST.test(text) || asksOnlyTitle(text)
}

/** Whether a short text asks for the title of the conversation and nothing else. It then names the title at least twice. */
function asksOnlyTitle(text: string): boolean {
  if (text.length > MAX_TITLE_REQUEST || !TITLE_ONLY.test(text) || !NAMES_CHAT.test(text)) return false
  return (text.match(NAMES_TITLE) ?? []).length > 1
}

/** Whether the instructions name the task. A conversation that the assistant has already answered is a real one. */
function isTaskByInstructions(dialogue: readonly ChatMessage[], instructions: readonly string[]): boolean {
  if (dialogue.some(({ role }) => role !== 'user')) return false
  return instructions.some((text) => TASK_ROLE.test(text) || (isTitleTask(text) && CONVERSATION.test(text)))
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
  return TITLE_TASK.test(task) && LIMIT.test(text.slice(0, MAX_TASK_LENGTH)) && !FIRST_PERSON.test(task)
}
