// Patterns of the requests that chat programs make for themselves. Each comment gives an example of a match.
import { pattern } from '@keepsake/text'

// Parts of the patterns.
/** A short sentence before the task: “You are an assistant that sums up.” */
const LEAD = String.raw`^\W{0,4}(?:[^.\n]{0,100}\.\s+)?`
const TASK_VERB =
  '(?:analy[sz]e|classify|create|detect|determine|extract|generate|give|identify|provide|suggest|summari[sz]e|write)'
/** The words of a task up to its object: “Your task is to generate 1-3 broad …”. */
const TASK = String.raw`(?:please |your task is to )?${TASK_VERB} (?:[^.]|\d\.){0,120}`
const TASK_OBJECT = '(?:title|tags?|follow-?ups?|questions|quer(?:y|ies)|summary|emoji|keywords)'
const CHINESE_TASK = '(?:请|為|为)[^。]{0,30}(?:标题|標題|标签|標籤|摘要)'
const ANY_CHAT = String.raw`\bconversations?\b|\bchats?\b|\bsessions?\b|对话|對話|会话|會話`
const WHOLE_CHAT = '(?:this|our) (?:chat|conversation|discussion)'
const CHAT_TAG = '<(?:chat_history|conversation|history|messages)>'
/** The word “title” in the languages of programs. */
const ANY_TITLE = String.raw`\b(?:title|titel|titre|título|titolo)|заголов|назван|タイトル|제목`
/** The word “only” in languages where it stands before the title. */
const ONLY = String.raw`\b(?:only|just|nur|uniquement|seulement|únicamente|solamente|s[oó]lo|apenas|somente|soltanto)\b|только`

// Single words.
/** “in 5 words or less” */
export const LENGTH_LIMIT = /\b\d+[- ](?:words?|characters?|char)\b|\bwords? or (?:less|fewer)\b/iu
export const FIRST_PERSON = /\b(?:i|me|my|mine|our|us|we)\b/iu
export const CONVERSATION_WORD = /\b(?:conversation|chat|message|thread|discussion)\b/iu
/** The word “conversation” in the languages of programs. */
export const CONVERSATION_IN_ANY_LANGUAGE = pattern(
  'iu',
  ANY_CHAT,
  /\bquery\b|gespräch|unterhaltung|conversaci|\bconversa|бесед|разговор|диалог|会話|チャット|대화/,
)
export const EVERY_TITLE_WORD = pattern('giu', ANY_TITLE)

// Requests for a title.
/** “Please give this chat a title”, “Create a title for this chat”, but not “a title for this chat app” */
export const TITLE_OF_CHAT = pattern(
  'iu',
  String.raw`^(?:based on [^.]{0,40}, )?(?:please )?(?:create|generate|give|provide|suggest|write) ` +
    String.raw`(?:[^.]{0,60}\b(?:title|name)\b[^.]{0,30}\b${WHOLE_CHAT}\b(?! \w+ing\b| app)|${WHOLE_CHAT} a (?:title|name)\b)`,
)
/** “Generate a short title or topic”. Only a program's request also has a {@link LENGTH_LIMIT} and no {@link FIRST_PERSON}. */
export const TITLE_TASK = pattern('iu', String.raw`${LEAD}${TASK}\b(?:title|topic)\b`)
/** “… Write a title for the above conversation”, at the end of a quoted conversation */
export const TITLE_OF_ABOVE = pattern(
  'iu',
  String.raw`\n\n${TASK}\btitle\b[^.]{0,40}\b(?:previous|above) (?:query|conversation|chat|message|discussion)\b`,
)
/** “Answer with only the title”, “タイトルのみ” */
export const TITLE_ONLY = pattern(
  'iu',
  `(?:${ONLY})[^.。]{0,40}(?:${ANY_TITLE})`,
  `(?:${ANY_TITLE})[^.。]{0,6}(?:のみ|だけ|만)`,
)
/** Chinese: “return only the title”, “do not explain”. */
const CHINESE_ONLY = '直接(?:返回|输出|輸出)|[只仅僅](?:返回|输出|輸出|回复)|不要解释|不要解釋'
/** Chinese: “five characters”, “a few characters”, “brief”. */
const CHINESE_LENGTH = '[\\d一二两兩三四五六七八九十]{1,3}[个個]?[字词詞]|[几幾][个個]字|简[短要]|簡[短要]'
/** Chinese: “this sentence”, “this conversation”, “the content above”. */
const CHINESE_CHAT =
  '这句话|這句話|对话|對話|会话|會話|' +
  '(?:这段|這段|本次|以上|上述|上面|当前|此)(?:的)?(?:对话|對話|会话|會話|聊天|内容|消息)'
/** “使用四到五个字直接返回这句话的简要主题，不要解释” (only the topic, in four or five characters, without explanation) */
export const CHINESE_TITLE = pattern(
  'u',
  // The look-ahead accepts “only” anywhere within the first 200 characters.
  `^(?=[^]{0,200}(?:${CHINESE_ONLY}))(?:请|請)?[^。\\n]{0,20}(?:${CHINESE_LENGTH})` +
    `[^。\\n]{0,20}(?:${CHINESE_CHAT})[^。\\n]{0,12}(?:主题|主題|标题|標題)`,
)

// Requests for a summary.
/** “Your task is to create a detailed summary of the conversation so far” */
export const SUMMARY_TASK = pattern(
  'iu',
  String.raw`${LEAD}${TASK}\b(?:conversation|chat|discussion|events|story)\b[^.]{0,40}\b(?:so far|above)\b`,
  String.raw`${LEAD}your task is to create a (?:\w+ )?summary of (?:the|this) conversation\b`,
)

// Instructions.
/** “You are a title generator.” */
export const TASK_ROLE = pattern(
  'iu',
  /^you are an? [^.\n]{0,60}\b(?:title|topic|tag|conversation|chat) (?:generator|summari[sz]er|classifier|maker|writer)\b/,
  /^you are an? [^.\n]{0,40}\binformation organi[sz]er\b/,
)
/** “Summarize the conversation into a title”: a title or summary and a chat, in either order (Cherry Studio, LobeChat) */
export const TASK_INSTRUCTIONS = pattern(
  'iu',
  String.raw`^(?=[^]{0,300}?(?:\btitle|\bsummar|标题|標題|摘要|总结|總結))[^]{0,300}?(?:${ANY_CHAT})`,
)

// Whole messages.
/** “Generate 1-3 broad tags …”, “### Task: suggest follow-up questions” */
export const TASK_START = pattern('iu', String.raw`^(?:#+ ?task:|${TASK}\b${TASK_OBJECT}\b|${CHINESE_TASK})`)
/** Open WebUI's requests for tools, for search queries, for an emoji, and for one answer made from several. */
export const OPEN_WEBUI_TASK = pattern(
  'iu',
  /^available tools: ?\[/,
  /^query: history:/,
  /^your task is to reflect the speaker['’]s likely facial expression/,
  /^you have been provided with a set of responses from (?:various|several|multiple) models to the latest user query/,
)
/** “### Aufgabe: … <chat_history>”: a heading in any language, then a tag of the conversation */
export const TEMPLATE = /^#{2,4} ?[^\n]{1,40}[:：]\s*\n[^]*<chat_history>/u
/** “Given the following conversation … Standalone question:”, which ends with a label to complete */
export const OPEN_TEMPLATE = pattern(
  'iu',
  /^(?:given the following (?:conversation|chat)|progressively summari[sz]e)\b[^]*\n[^\n:]{1,40}:\s*$/,
)
/** `<chat_history>`, `User: …`: a conversation anywhere in the message */
export const QUOTED_CONVERSATION = pattern(
  'imu',
  CHAT_TAG,
  /^\W{0,4}(?:user|human|assistant|ai|system|用户|助手)\W{0,4}[:：]/,
)
/** `<conversation>`, `User: …`, `[{"role": "user" …`: a message that contains only a conversation */
export const CONVERSATION_ONLY = pattern(
  'iu',
  String.raw`^\s*${CHAT_TAG}`,
  /^\s*(?:user|human|assistant|ai|用户|助手)[:：]/,
  /^\s*\[?\s*\{[^{}]{0,80}"role"\s*:\s*"(?:user|assistant)"/,
)
