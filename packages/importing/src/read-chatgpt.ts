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

/** Citation marks, which the page shows as links: `【12†source】`, or a text between U+E200 and U+E201. */
const CITATIONS =
  /\uE200[^\uE201]{0,500}\uE201|\u3010\d[^\u3010\u3011\n]{0,20}\u2020[^\u3011\n]{0,200}\u3011/gu
/** Kinds of content that belong to the conversation: not thoughts, code and results. */
const TEXT_KINDS: ReadonlySet<unknown> = new Set(['text', 'multimodal_text', undefined])

/**
 * Reads ChatGPT's export (conversations.json). A conversation is a tree, with a branch for each edited message and retried answer; the
 * branch shown last is read. Oldest conversations first.
 */
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
  const shown = visibleNodes(mapping, conversation['current_node'])
  leftOut.add('branches', Object.values(mapping).filter(isSpoken).length - shown.filter(isSpoken).length)
  const start = readTime(conversation['create_time'], `${where}: "create_time"`, settings)
  const name = nameIn(conversation['conversation_id']) ?? nameIn(conversation['id']) ?? start ?? span.start
  const { title } = conversation
  let last = start
  for (const node of shown) {
    const message = isObject(node) && isObject(node['message']) ? node['message'] : null
    if (message === null) continue
    const id = nameIn(message['id'])
    const place = id === undefined ? where : `${where} message ${id}`
    const read = readMessage(message, leftOut)
    if (read === null) continue
    const at = readTime(message['create_time'], `${place}: "create_time"`, settings) ?? last
    last = at
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

/** The nodes from the root to the one shown last, or to the latest. */
function visibleNodes(mapping: JsonObject, current: unknown): unknown[] {
  const time = (node: unknown): number =>
    isObject(node) && isObject(node['message']) ? Number(node['message']['create_time'] ?? 0) : 0
  const nodes = Object.entries(mapping)
    .map(([id, node]) => ({ id, parent: isObject(node) ? nameIn(node['parent']) : undefined, node }))
    .toSorted((one, other) => time(one.node) - time(other.node))
  return shownBranch(nodes, nameIn(current)).map(({ node }) => node)
}

const isSpoken = (node: unknown): boolean =>
  isObject(node) && isObject(node['message']) && roleIn(node['message']) !== null

/** The role of a message; `null` for internal messages of system and tools. */
function roleIn(message: JsonObject): 'user' | 'assistant' | null {
  const role = isObject(message['author']) ? message['author']['role'] : undefined
  const { content, metadata, recipient = 'all' } = message
  const isHidden = isObject(metadata) && metadata['is_visually_hidden_from_conversation'] === true
  const kind = isObject(content) ? content['content_type'] : undefined
  if (isHidden || recipient !== 'all' || !TEXT_KINDS.has(kind)) return null
  return role === 'user' ? 'user' : role === 'assistant' ? 'assistant' : null
}

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
  const words = role === 'assistant' ? text?.replaceAll(CITATIONS, '').trim() : text
  if (words !== undefined && words !== '') return { role, text: words }
  // Every conversation begins with an empty message without an author.
  leftOut.add('wordless', role === 'user' ? 1 : 0)
  return null
}

/** Files by name, which the export lists beside the content. */
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
