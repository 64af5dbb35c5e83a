import type { AttachmentInput } from '@keepsake/text/names'
import { given } from '@keepsake/text/names'
import { unreadable } from './import-error.ts'
import { UNPLACED, type ImportSettings, type ImportSource, type PlacedTurn } from './import-source.ts'
import type { InputFile } from './input-file.ts'
import { isObject, nameIn, readSpan, type JsonObject, within } from './json-records.ts'
import type { LeftOut } from './left-out.ts'
import { withIds } from './name-turns.ts'
import { conversationsInOrder } from './order-conversations.ts'
import { readContent } from './read-content.ts'
import { readMoment } from './read-moment.ts'
import { shownBranch } from './shown-branch.ts'
import { roleOf } from './speaking.ts'

/** Reads the conversations of Claude's export (conversations.json), oldest first. */
export function readClaude(input: InputFile, settings: ImportSettings): ImportSource {
  const readTime = (value: unknown, what: string): number | undefined =>
    value === null || value === undefined ? undefined : readMoment(value, what, settings)
  const spans = conversationsInOrder(input, (conversation, where) =>
    readTime(conversation['created_at'], `${where}: "created_at"`),
  )
  function* readConversation(span: (typeof spans)[number], leftOut: LeftOut): Generator<PlacedTurn> {
    const { value, where } = readSpan(input, span)
    const { chat_messages: messages, uuid, name, created_at } = value as JsonObject
    if (!Array.isArray(messages)) throw unreadable(`${where}: "chat_messages" is missing.`)
    const session = `claude-${nameIn(uuid) ?? nameIn(created_at) ?? span.start}`
    const leaf = nameIn((value as JsonObject)['current_leaf_message_uuid'])
    const visibleIndexes = new Set(shownBranch(messages.map(asTreeNode), leaf).map(({ index }) => index))
    for (const [index, message] of messages.entries()) {
      if (!visibleIndexes.has(index)) {
        leftOut.add('branches')
        continue
      }
      const place = within(where, ['chat_messages', index])
      const turn = readMessage(message, place, leftOut)
      if (turn === null) continue
      const at = readTime((message as JsonObject)['created_at'], `${place}: "created_at"`)
      const metadata = typeof name === 'string' && name !== '' ? { title: name } : undefined
      yield { ...UNPLACED, session, where: place, turn: { ...turn, ...given({ at, metadata }) } }
    }
  }
  function* readAll(leftOut: LeftOut): Generator<PlacedTurn> {
    for (const span of spans) yield* readConversation(span, leftOut)
  }
  return { name: input.name, format: 'claude', turns: (leftOut) => withIds('claude', readAll(leftOut)) }
}

/** Returns a message's place in the tree. The export also contains the earlier versions of edited and retried messages. */
const asTreeNode = (message: unknown, index: number) => ({
  id: isObject(message) ? nameIn(message['uuid']) : undefined,
  parent: isObject(message) ? nameIn(message['parent_message_uuid']) : undefined,
  index,
})

/** Returns the files of a message. Omits the text of pasted files, since the user did not write it. */
function attachedFiles(list: unknown): AttachmentInput[] {
  const files = Array.isArray(list) ? list.filter(isObject) : []
  return files.map(({ file_name: name, file_type: type, file_kind: kind, file_uuid: id }) => ({
    type: kind === 'image' ? 'image' : 'file',
    ...given({ name: nameIn(name) ?? nameIn(id), mediaType: nameIn(type) }),
  }))
}

function readMessage(
  message: unknown,
  where: string,
  leftOut: LeftOut,
): { role: 'user' | 'assistant'; text: string; id?: string } | null {
  if (!isObject(message)) throw unreadable(`${where}: a message is an object with "sender" and "text".`)
  const { sender, text, content, uuid } = message
  const role = typeof sender === 'string' ? roleOf(sender) : null
  if (role === null) throw unreadable(`${where}: "sender" must be "human" or "assistant".`)
  // Newer exports split a message into parts, which separate text from tool use. Older ones contain only the text.
  const files = [message['attachments'], message['files'], message['files_v2']].flatMap(attachedFiles)
  const parts = Array.isArray(content) ? readContent(content) : ''
  const messageText = parts === '' ? readContent(text, files) : readContent(content, files)
  if (messageText === undefined) throw unreadable(`${where}: "text" must be a string.`)
  if (role === 'machine') leftOut.add('machinery')
  else if (messageText === '') leftOut.add('wordless')
  if (role === 'machine' || messageText === '') return null
  return {
    role,
    text: messageText,
    ...given({ id: typeof uuid === 'string' ? `claude-${uuid}` : undefined }),
  }
}
