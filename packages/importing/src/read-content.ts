import { attachmentsIn, textWithAttachments, type AttachmentInput } from '@keepsake/text/names'
import { isObject } from './json-records.ts'

/** Types of parts with words of the conversation. Other parts are thoughts, tool calls and files. */
const TEXT_TYPES: ReadonlySet<unknown> = new Set([
  'text',
  'input_text',
  'output_text',
  'audio_transcription',
  undefined,
])

/**
 * Returns the text of a message's content, with a line for each attachment. Returns `undefined` for invalid content.
 *
 * @param attached files that the message lists outside its content. With them, the files within the content are not listed
 */
export function readContent(content: unknown, attached: readonly AttachmentInput[] = []): string | undefined {
  if (content === null || content === undefined) return readContent([], attached)
  if (typeof content === 'string') return readContent([content], attached)
  if (isObject(content)) return readContent([content], attached)
  if (!Array.isArray(content)) return undefined
  const texts = content.map(readPart).filter((text) => text.trim() !== '')
  const files = attached.length > 0 ? attached : attachmentsIn(content.map(withType))
  return textWithAttachments(texts.join('\n').trim(), files)
}

/** Renames ChatGPT's fields: `content_type` is the type of a part, and `asset_pointer` its file. */
function withType(part: unknown): unknown {
  if (!isObject(part) || part['type'] !== undefined) return part
  return { ...part, type: part['content_type'], url: part['asset_pointer'] }
}

function readPart(part: unknown): string {
  if (typeof part === 'string') return part
  if (!isObject(part)) return ''
  const kind = part['type'] ?? part['content_type']
  if (!TEXT_TYPES.has(kind)) return ''
  // The Assistants API wraps a text: `{ value, annotations }`.
  const text = isObject(part['text']) ? part['text']['value'] : part['text']
  return typeof text === 'string' ? text : ''
}
