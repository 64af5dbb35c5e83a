import { isObject } from './json-records.ts'

/** Kinds of parts with words of the conversation, without thoughts, tool calls, pictures and sounds. */
const WORDS: ReadonlySet<unknown> = new Set([
  'text',
  'input_text',
  'output_text',
  'audio_transcription',
  undefined,
])

/**
 * The words of a message's content: a string, or a list of strings and parts `{type, text}`.
 *
 * @returns the words, `''` for none; `undefined` for invalid content
 */
export function readContent(content: unknown): string | undefined {
  if (content === null || content === undefined) return ''
  if (typeof content === 'string') return content.trim()
  if (isObject(content)) return readContent([content])
  if (!Array.isArray(content)) return undefined
  const texts = content.map(readPart).filter((text) => text.trim() !== '')
  return texts.join('\n').trim()
}

function readPart(part: unknown): string {
  if (typeof part === 'string') return part
  if (!isObject(part)) return ''
  const kind = part['type'] ?? part['content_type']
  return WORDS.has(kind) && typeof part['text'] === 'string' ? part['text'] : ''
}
