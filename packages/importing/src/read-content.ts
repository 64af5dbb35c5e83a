import { attachmentsIn, textWithAttachments, type AttachmentInput } from '@keepsake/text/names'
import { isObject } from './json-records.ts'

/** Kinds of parts with words of the conversation, without thoughts and tool calls. */
const WORDS: ReadonlySet<unknown> = new Set([
  'text',
  'input_text',
  'output_text',
  'audio_transcription',
  undefined,
])

/** The words of a content, with a line per attachment (those `attached` beside it come first). `undefined` for invalid content. */
export function readContent(content: unknown, attached: readonly AttachmentInput[] = []): string | undefined {
  if (content === null || content === undefined) return readContent([], attached)
  if (typeof content === 'string') return readContent([content], attached)
  if (isObject(content)) return readContent([content], attached)
  if (!Array.isArray(content)) return undefined
  const texts = content.map(readPart).filter((text) => text.trim() !== '')
  const own = attached.length > 0 ? attached : attachmentsIn(content.map(typedPart))
  return textWithAttachments(texts.join('\n').trim(), own)
}

/** ChatGPT names a part's type `content_type`, and the file behind it `asset_pointer`. */
function typedPart(part: unknown): unknown {
  if (!isObject(part) || part['type'] !== undefined) return part
  return { ...part, type: part['content_type'], url: part['asset_pointer'] }
}

function readPart(part: unknown): string {
  if (typeof part === 'string') return part
  if (!isObject(part)) return ''
  const kind = part['type'] ?? part['content_type']
  if (!WORDS.has(kind)) return ''
  // The Assistants API wraps a text: `{ value, annotations }`.
  const text = isObject(part['text']) ? part['text']['value'] : part['text']
  return typeof text === 'string' ? text : ''
}
