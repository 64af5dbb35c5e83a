import type { AttachmentInput } from '@keepsake/text/names'
import { given } from '@keepsake/text/names'
import { unreadable } from './import-error.ts'
import { UNPLACED, type ImportSettings, type ImportSource, type PlacedTurn } from './import-source.ts'
import type { InputFile } from './input-file.ts'
import { isObject, nameIn, readSpan, type JsonObject } from './json-records.ts'
import type { LeftOut } from './left-out.ts'
import { withIds } from './name-turns.ts'
import { conversationsInOrder } from './order-conversations.ts'
import { readContent } from './read-content.ts'
import { readMoment } from './read-moment.ts'
import { shownBranch } from './shown-branch.ts'

/** Matches citations, which ChatGPT displays as links: `【12†source】`, or a text between U+E200 and U+E201. */
const CITATIONS =
  /\uE200[^\uE201]{0,500}\uE201|\u3010\d[^\u3010\u3011\n]{0,20}\u2020[^\u3011\n]{0,200}\u3011/gu
/** Content types that are part of the conversation. Others are reasoning, code and results. */
const TEXT_KINDS: ReadonlySet<unknown> = new Set(['text', 'multimodal_text', undefined])

/** Reads ChatGPT's conversations.json, oldest first. Of a conversation's tree only the branch that was visible last is read. */
export function readChatgpt(input: InputFile, settings: ImportSettings): ImportSource {
  const spans = conversationsInOrder(input, (conversation, where) =>
    readTime(conversation['create_time'], `${where}: "create_time"`, settings),
  )
  return {
    name: input.name,
    format: 'chatgpt',
    turns: (leftOut) =>
      withIds(
        'chatgpt',
        spans.values().flatMap((span) => readConversation(input, span, settings, leftOut)),
      ),
  }
}

type Span = Parameters<typeof readSpan>[1]

function* readConversation(
  input: InputFile,
  span: Span,
  settings: ImportSettings,
  leftOut: LeftOut,
): Generator<PlacedTurn> {
  const { value, where } = readSpan(input, span)
  const conversation = value as JsonObject
  const { mapping } = conversation
  if (!isObject(mapping)) throw unreadable(`${where}: "mapping" (the message tree) is missing.`)
  const visible = visibleNodes(mapping, conversation['current_node'])
  leftOut.add('branches', Object.values(mapping).filter(isSpoken).length - visible.filter(isSpoken).length)
  const start = readTime(conversation['create_time'], `${where}: "create_time"`, settings)
  const name = nameIn(conversation['conversation_id']) ?? nameIn(conversation['id']) ?? start ?? span.start
  const { title } = conversation
  let previousTime = start
  for (const node of visible) {
    const message = isObject(node) && isObject(node['message']) ? node['message'] : null
    if (message === null) continue
    const id = nameIn(message['id'])
    const place = id === undefined ? where : `${where} message ${id}`
    const read = readMessage(message, leftOut)
    if (read === null) continue
    const at = readTime(message['create_time'], `${place}: "create_time"`, settings) ?? previousTime
    previousTime = at
    const turn = {
      ...read,
      ...given({
        id: id === undefined ? undefined : `chatgpt-${id}`,
        at,
        metadata: typeof title === 'string' && title !== '' ? { title } : undefined,
      }),
    }
    yield { ...UNPLACED, session: `chatgpt-${name}`, where: place, turn }
  }
}

/** Returns the nodes from the root to the node that was visible last, or without `current` to the latest node. */
function visibleNodes(mapping: JsonObject, current: unknown): unknown[] {
  const time = (node: unknown): number =>
    isObject(node) && isObject(node['message']) ? Number(node['message']['create_time'] ?? 0) : 0
  const nodes = Object.entries(mapping)
    .map(([id, node]) => ({ id, parent: isObject(node) ? nameIn(node['parent']) : undefined, node }))
    .toSorted((left, right) => time(left.node) - time(right.node))
  return shownBranch(nodes, nameIn(current)).map(({ node }) => node)
}

const isSpoken = (node: unknown): boolean =>
  isObject(node) && isObject(node['message']) && roleIn(node['message']) !== null

/** Returns the role of a message, or `null` for internal messages of system and tools. */
function roleIn(message: JsonObject): 'user' | 'assistant' | null {
  const role = isObject(message['author']) ? message['author']['role'] : undefined
  const { content, metadata, recipient = 'all' } = message
  const isHidden = isObject(metadata) && metadata['is_visually_hidden_from_conversation'] === true
  const kind = isObject(content) ? content['content_type'] : undefined
  if (isHidden || recipient !== 'all' || !TEXT_KINDS.has(kind)) return null
  return role === 'user' || role === 'assistant' ? role : null
}

/** Reads role and text of a message. Returns `null` and counts the message if it is internal or empty. */
function readMessage(
  message: JsonObject,
  leftOut: LeftOut,
): { readonly role: 'user' | 'assistant'; readonly text: string } | null {
  const { content } = message
  const text = isObject(content) ? readContent(content['parts'] ?? content['text'], filesOf(message)) : ''
  const role = roleIn(message)
  if (role === null) {
    if (text !== '') leftOut.add('machinery')
    return null
  }
  const ownText = role === 'assistant' ? text?.replaceAll(CITATIONS, '').trim() : text
  if (ownText !== undefined && ownText !== '') return { role, text: ownText }
  // Counts only the user's empty messages, since every conversation begins with an empty one of the assistant.
  leftOut.add('wordless', role === 'user' ? 1 : 0)
  return null
}

/** Returns a message's files. The export lists them in the metadata. */
function filesOf({ metadata }: JsonObject): AttachmentInput[] {
  const list = isObject(metadata) ? metadata['attachments'] : null
  const files = Array.isArray(list) ? list.filter(isObject) : []
  return files.map(({ name, mimeType, mime_type: mime, id }) => ({
    type: 'file',
    ...given({ name: nameIn(name) ?? nameIn(id), mediaType: nameIn(mimeType) ?? nameIn(mime) }),
  }))
}

const readTime = (value: unknown, what: string, settings: ImportSettings): number | undefined =>
  value === null || value === undefined ? undefined : readMoment(value, what, settings, 'seconds')
