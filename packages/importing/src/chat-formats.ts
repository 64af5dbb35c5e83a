// Defines the JSON formats of programs' conversations. Formats with a reader of their own are in `open-source.ts`.
import { readOwnWords } from '@keepsake/text/names'
import {
  fields,
  items,
  roleOfUser,
  single,
  withRole,
  type ChatFormat,
  type FormatConversation,
  type FormatMessage,
} from './chat-format.ts'
import { nameIn, type JsonObject } from './json-records.ts'
import type { LeftOutReason } from './left-out.ts'
import { MESSENGER } from './messenger-format.ts'
import { readContent } from './read-content.ts'
import type { PeopleNames } from './slack-names.ts'

/** SillyTavern's chat files: a head, and then one message per line. */
const SILLYTAVERN: ChatFormat = {
  paths: [/^\$(\[\])?\.(mes|chat_metadata)$/],
  read: ({ mes, name, is_user: isUser, is_system: isSystem, send_date: at }) => {
    if (mes === undefined) return null
    return single(
      isSystem === true ? 'machinery' : { role: roleOfUser(isUser), speaker: nameIn(name), text: mes, at },
    )
  },
}

/** Character.AI's export of an account, of a chat from its website's API, and exports of third-party tools. */
const CHARACTER_AI: ChatFormat = {
  paths: [/^\$\.(histories\.histories|turns\[\]\.candidates)$|^\$(\[\])?\.is_human$/],
  read: (record) => {
    const histories = items(fields(record['histories'])['histories'])
    const turns = items(record['turns'])
    if (turns.length > 0) return readCharacterTurns(turns)
    if (histories.length === 0)
      return single({
        role: roleOfUser(record['is_human']),
        speaker: nameIn(record['name']),
        text: record['text'],
        at: record['create_time'],
      })
    const messages = histories
      .toSorted((left, right) => String(left['created']).localeCompare(String(right['created'])))
      .flatMap(({ msgs, created }) => items(msgs).map((message) => readCharacterMessage(message, created)))
    return { session: null, messages }
  },
}

function readCharacterMessage({ src, text, id, is_alternative: isOther }: JsonObject, created: unknown) {
  if (isOther === true) return 'branches'
  const { is_human: isHuman, name } = fields(src)
  return { role: roleOfUser(isHuman), speaker: nameIn(name), text, at: created, id: nameIn(id) }
}

function readCharacterTurns(turns: readonly JsonObject[]): FormatConversation {
  const messages = turns
    .toSorted((left, right) => String(left['create_time']).localeCompare(String(right['create_time'])))
    .map(({ author, candidates, primary_candidate_id: chosenId, create_time: at, turn_key: key }) => {
      const all = items(candidates)
      const chosen = all.find((candidate) => candidate['candidate_id'] === chosenId) ?? all.at(-1)
      const text = chosen?.['raw_content']
      const { is_human: isHuman, name } = fields(author)
      return {
        role: roleOfUser(isHuman),
        speaker: nameIn(name),
        text,
        at,
        id: nameIn(fields(key)['turn_id']),
      }
    })
  return { session: null, messages }
}

/** DiscordChatExporter's JSON. */
const DISCORD: ChatFormat = {
  paths: [/^\$\.guild$/, /^\$\.messages$/],
  read: ({ messages, channel }) => ({
    session: null,
    messages: items(messages).map(({ type, content, author, timestamp: at, id, attachments }) => {
      const { nickname, name, isBot } = fields(author)
      const files = items(attachments).map(({ fileName, url }) => ({ type: 'file', name: fileName, url }))
      if (type !== 'Default' && type !== 'Reply') return 'notices'
      // In a direct chat the channel's name is the name of the other participant.
      const isOther = fields(channel)['type'] === 'DirectTextChat' && name === fields(channel)['name']
      const role = isBot === true || isOther ? 'assistant' : null
      const speaker = nameIn(nickname) ?? nameIn(name)
      return { role, speaker, account: nameIn(name), text: [content, ...files], at, id: nameIn(id) }
    }),
  }),
}

/** Slack's export: each file is one day's list of messages. */
const SLACK: ChatFormat = {
  paths: [/^\$\[\]\.ts$/, /^\$\[\]\.(user|user_profile|bot_id|client_msg_id)$/],
  read: ({ subtype, bot_id: bot, text, user, user_profile: profile, ts, files, file }, names) => {
    if (bot !== undefined) return single('machinery')
    if (subtype !== undefined && !SLACK_MESSAGE_SUBTYPES.has(subtype)) return single('notices')
    const { display_name: displayName, real_name: realName } = fields(profile)
    const id = nameIn(user)
    const speaker = names.get(id ?? '') ?? nameIn(realName) ?? nameIn(displayName) ?? id
    const plainText = typeof text === 'string' ? withoutSlackMarkup(text, names) : text
    const shared = items(files ?? [file]).flatMap(readSlackFile)
    return single({ role: null, speaker, text: [plainText, ...shared], at: Number(ts), id: nameIn(ts) })
  },
}

/** Slack's subtypes of messages that a person wrote. All other subtypes are notices. */
const SLACK_MESSAGE_SUBTYPES: ReadonlySet<unknown> = new Set(['thread_broadcast', 'me_message', 'file_share'])

/** Reads a shared file; an empty list for a deleted file. Removes the URL's query, which contains a secret token. */
function readSlackFile({ name, title, mimetype: mediaType, url_private: url }: JsonObject): JsonObject[] {
  const urlWithoutToken = nameIn(url)?.replace(/\?.*$/, '')
  const fileName = nameIn(name) ?? nameIn(title)
  if (urlWithoutToken === undefined && fileName === undefined) return []
  return [{ type: 'file', name: fileName, mediaType, url: urlWithoutToken }]
}

/** Matches a mention of the person whom a message addresses: `<@U1>: I moved`, `<@U1> I moved`. In `<@U1> is my sister` it is the subject. */
const ADDRESSED =
  /^\s*(<@\w+(?:\|[^<>]*)?>)(?:\s*[:：]\s*|\s+(?=(?:I|we|my|our|you|your|please|pls|thanks?|hi|hey|hello|yes|no|ok|can|could|let)\b|[我你请咱]))/iu

/** Replaces Slack's markup by the displayed text: `<https://x|the plan>` becomes `the plan`, `<@U1>` a name, `&amp;` `&`. */
function withoutSlackMarkup(text: string, names: PeopleNames): string {
  return text
    .replace(ADDRESSED, '$1, ')
    .replaceAll(/<@(\w+)(?:\|[^<>]*)?>/g, (mention, id: string) => names.get(id) ?? mention)
    .replaceAll(/<(?:[^<>|]*\|)?([^<>|]+)>/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

/** Open WebUI's chats. Each is a tree of messages, or a list in older versions. */
const OPEN_WEBUI: ChatFormat = {
  paths: [/^\$(\[\])?\.chat\.(?:history|messages)$/],
  read: ({ chat, id }) => {
    const { history, messages: list } = fields(chat)
    const { messages, currentId } = fields(history)
    const all = items(Object.values(fields(messages)))
    return {
      session: nameIn(id) ?? null,
      current: nameIn(currentId),
      messages: (all.length > 0 ? all : items(list)).map(({ role, content, timestamp: at, id, parentId }) =>
        withRole(role, { text: content, at, id: nameIn(id), parent: nameIn(parentId) }),
      ),
    }
  },
}

/** LibreChat's export: a list of messages, or a tree. */
const LIBRECHAT: ChatFormat = {
  paths: [/^\$(\[\])?\.(messages|messagesTree)\[\]\.(messageId|isCreatedByUser)$/],
  read: ({ messages, messagesTree, conversationId }) => ({
    session: nameIn(conversationId) ?? null,
    messages: withChildren(items(messages ?? messagesTree)).map((message) => ({
      role: roleOfUser(message['isCreatedByUser']),
      text: nameIn(message['text'])?.replace(LIBRECHAT_THOUGHT, '') ?? message['content'],
      at: message['createdAt'],
      id: nameIn(message['messageId']),
      parent: nameIn(message['parentMessageId']),
    })),
  }),
}

/** Matches the model's reasoning, which LibreChat stores at the beginning of a message's text. */
const LIBRECHAT_THOUGHT = /^\s*:::thinking\n[\s\S]*?\n:::\s*/

/** Returns the messages of a tree, each before its answers. */
const withChildren = (messages: readonly JsonObject[]): JsonObject[] =>
  messages.flatMap((message) => [message, ...withChildren(items(message['children']))])

/** LangChain's messages in its stored, serialised and flat forms, alone or in the state of a graph. */
const LANGCHAIN: ChatFormat = {
  paths: [
    /^\$(\[\]|(\.values)?\.messages\[\])?\.(kwargs|data)\.content$|^\$(\[\]|(\.values)?\.messages\[\])?\.content$/,
    /\.type$/,
  ],
  read: (record) => {
    const list = items(record['messages'] ?? fields(record['values'])['messages'])
    return { session: null, messages: (list.length > 0 ? list : [record]).map(readLangchain) }
  },
}

function readLangchain(record: JsonObject): FormatMessage | LeftOutReason {
  const { content, type, name, id } = fields(record['kwargs'] ?? record['data'] ?? record)
  const kind = Array.isArray(record['id']) ? record['id'].at(-1) : (type ?? record['type'])
  return withRole(String(kind).replace(/Message(?:Chunk)?$/, ''), {
    speaker: nameIn(name),
    text: content,
    id: nameIn(id),
  })
}

/** Programs that stand for the assistant in ShareGPT's data sets. As a speaker elsewhere, they may be a person's name. */
const SHAREGPT_PROGRAMS: ReadonlySet<unknown> = new Set(['bing', 'bard'])

/** ShareGPT's data sets. */
const SHAREGPT: ChatFormat = {
  paths: [/^\$(\[\])?\.(?:conversations|items)\[\]\.(?:from|role)$/],
  read: ({ id, conversations, items: list, messages }) => ({
    session: nameIn(id) ?? null,
    messages: items(conversations ?? list ?? messages).map(({ from, role, value, content }) =>
      withRole(SHAREGPT_PROGRAMS.has(from) ? 'assistant' : (from ?? role), { text: value ?? content }),
    ),
  }),
}

/** Matches the prefix that Google Takeout adds to the user's text: “Prompted What is …”. */
const PROMPT_PREFIX =
  /^(?:(?:Prompted|Said|Asked)\s+|[^:：\n]{0,30}(?:prompt|requête|se escribió|comando|プロンプト|メッセージ|提示)[^:：\n]{0,15}[:：]\s*)([\s\S]+)$/i

/** Gemini's activities in Google Takeout, requests of its API, and files of AI Studio. */
const GEMINI: ChatFormat = {
  paths: [/^\$\[\]\.(header|titleUrl|safeHtmlItem)$|^\$(\[\])?\.(contents\[\]\.parts|chunkedPrompt)$/],
  isNewestFirst: true,
  read: ({ contents, chunkedPrompt, title, time: at, safeHtmlItem: answers }) => {
    const messages = [...items(contents), ...items(fields(chunkedPrompt)['chunks'])]
    if (messages.length > 0)
      return {
        session: null,
        messages: messages.map(readGemini),
      }
    const answer = items(answers).map(({ html }) => textOfHtml(String(html)))
    // Prefixes of other languages are unknown. There, an activity with an answer is a prompt.
    const userText = PROMPT_PREFIX.exec(String(title))?.[1] ?? (answer.length > 0 ? nameIn(title) : undefined)
    if (userText === undefined) return single('notices')
    return {
      session: null,
      messages: [
        { role: 'user', text: userText, at },
        { role: 'assistant', text: answer, at },
      ],
    }
  },
}

/** Reads a message of the API or of AI Studio. The model's thoughts are whole messages (`isThought`) or parts of one (`thought`). */
function readGemini({ role, parts, text, isThought }: JsonObject): FormatMessage | LeftOutReason {
  if (isThought === true) return 'machinery'
  const shown = Array.isArray(parts) ? parts.filter((part) => fields(part)['thought'] !== true) : parts
  return withRole(role, { text: shown ?? text })
}

/** Returns the text of HTML, with a line break after each paragraph. */
function textOfHtml(html: string): string {
  return html
    .replaceAll(/<(?:br|\/p|\/li|\/h\d|\/tr)\b[^>]*>/gi, '\n')
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll(/&(?:#39|apos);/g, "'")
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&amp;', '&')
}

/** Claude Code's session files. Side chains are talk of agents with each other. */
const CLAUDE_CODE: ChatFormat = {
  paths: [/^\$(\[\])?\.sessionId$/, /^\$(\[\])?\.(uuid|message\.role)$/],
  read: ({ type, message, isSidechain, isMeta, isCompactSummary, sessionId, uuid, timestamp: at }) => {
    if (type !== 'user' && type !== 'assistant') return null
    const content = readContent(fields(message)['content']) ?? ''
    const text = type === 'user' ? readOwnWords(content).trim() : content
    if (isSidechain === true || isMeta === true || isCompactSummary === true || text === '')
      return single('machinery')
    return single({ role: type, text, at, id: nameIn(uuid) }, nameIn(sessionId) ?? null)
  },
}

/** The knowledge graph of MCP's memory server, and Claude's memories. Both contain statements about people and none of their words. */
const MEMORY_NOTES: ChatFormat = {
  isStatements: true,
  paths: [
    /^\$(\[\])?\.(entityType|observations|relationType|conversations_memory|project_memories)$|^\$\.entities\[\]\.observations$/,
  ],
  read: (record) => {
    const [entities, relations] = [items(record['entities']), items(record['relations'])]
    const notes =
      entities.length + relations.length === 0
        ? notesOf(record)
        : [...entities, ...relations].flatMap(notesOf)
    return { session: null, messages: notes.map((text) => ({ role: 'other', speaker: 'notes', text })) }
  },
}

function notesOf(record: JsonObject): string[] {
  const { name, observations, from, to, relationType, conversations_memory: memory } = record
  const memories = [memory, ...Object.values(fields(record['project_memories']))]
  if (memories.some((text) => typeof text === 'string')) return memories.flatMap(paragraphsOf)
  const relation = nameIn(relationType)?.replaceAll('_', ' ')
  if (relation !== undefined) return [`${nameIn(from) ?? ''} ${relation} ${nameIn(to) ?? ''}`.trim()]
  return (Array.isArray(observations) ? observations : []).map(
    (text) => `${nameIn(name) ?? ''}: ${String(text)}`,
  )
}

/** Matches a line of Markdown that is a heading: by `#`, or by emphasis of a line that is no sentence. */
const HEADING_LINE = /^(?:#+ .*|(\*{1,2}|_{1,2})[^*_\n]*[^*_\n.!?。！？]\1:?)[^\S\n]*$/gm

/** Splits Claude's Markdown into paragraphs, without headings and emphasis. */
const paragraphsOf = (markdown: unknown): string[] =>
  typeof markdown === 'string'
    ? markdown
        .replaceAll(HEADING_LINE, '')
        .split(/\n{2,}/)
        .map((part) => part.replaceAll('**', '').trim())
        .filter((part) => part !== '')
    : []

/** The formats by name. The first whose paths match a file is used, so formats with common fields come last. */
export const CHAT_FORMATS = {
  sillytavern: SILLYTAVERN,
  'character-ai': CHARACTER_AI,
  discord: DISCORD,
  slack: SLACK,
  openwebui: OPEN_WEBUI,
  librechat: LIBRECHAT,
  sharegpt: SHAREGPT,
  messenger: MESSENGER,
  gemini: GEMINI,
  'claude-code': CLAUDE_CODE,
  'memory-notes': MEMORY_NOTES,
  langchain: LANGCHAIN,
} as const satisfies Readonly<Record<string, ChatFormat>>

export type ChatFormatName = keyof typeof CHAT_FORMATS
export const CHAT_FORMAT_NAMES = Object.keys(CHAT_FORMATS) as ChatFormatName[]
