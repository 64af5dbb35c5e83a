// Reads pictures and files of a message, in Keepsake's form or in that of other libraries.
import { createHash } from 'node:crypto'
import { describeValue } from '../errors/describe-value.ts'
import { InvalidInputError } from '../errors/invalid-input-error.ts'
import { attachmentLine, type Attachment, type AttachmentKind } from './attachment-lines.ts'

/**
 * A picture or file that comes with a message. It has these fields, or is a part of a message of the AI SDK, OpenAI, Anthropic or LangChain.
 *
 * @example
 * const photo: AttachmentInput = { type: 'image', url: 'https://example.org/bike.jpg', caption: 'my new bike' }
 */
export interface AttachmentInput {
  /** `image`, `audio`, `video` or `file`, or the type of another library's part, such as `image_url`. */
  readonly type: string
  /** The address of the content. Of a `data:` URL only hash, media type and size are stored. */
  readonly url?: string | URL | undefined
  /** The media type, such as `image/png`. */
  readonly mediaType?: string | undefined
  readonly name?: string | undefined
  /** The application's description of the content. Words of the user belong in the turn's `text`. */
  readonly caption?: string | undefined
  /** Fields of another library's part. */
  readonly [field: string]: unknown
}

/** An attachment as it is stored, and the content that a model can look at, or `null`. */
export interface ReadAttachment {
  readonly attachment: Attachment
  readonly file: { readonly mediaType: string; readonly data: Uint8Array | URL } | null
}

/** Types of parts that are attachments, in all these libraries. */
const ATTACHED = /image|audio|video|file|document|media|upload|pdf/
/** Matches types that only sound so: calls and results. */
const CALLS = /tool|_call|search/
const TYPES = 'image, audio, video or file, or a part of the AI SDK, OpenAI, Anthropic or LangChain'
/** Fields in which libraries put the content or its address. */
const SOURCES = ['url', 'image_url', 'file_url', 'image', 'data', 'file_data', 'base64', 'fileUri'] as const
const TYPE_FIELDS = ['mediaType', 'media_type', 'mimeType', 'mime_type'] as const
const NAMES = ['name', 'filename', 'fileName', 'file_name', 'title', 'file_id', 'fileId'] as const
const PLACE = /^[a-z][a-z0-9+.-]*:(?!\s)/i
const DATA_URL = /^data:(?<type>[\w.+-]+\/[\w.+-]+)?[^,]{0,200},/i

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !(value instanceof URL) && !ArrayBuffer.isView(value)

/** Returns the part and the objects within it that hold its fields. */
function layersOf(part: Fields): Fields[] {
  const inner = [part[String(part['type'])], part['source'], part['data'], part['file'], part['metadata']]
  return [part, ...inner.filter(isFields)]
}

function textIn(layers: readonly Fields[], names: readonly string[]): string | null {
  const found = layers.flatMap((layer) => names.map((name) => layer[name]))
  return found.find((value): value is string => typeof value === 'string' && value.trim() !== '') ?? null
}

function isAttachment(part: unknown): part is AttachmentInput {
  const type = isFields(part) ? part['type'] : null
  return typeof type === 'string' && ATTACHED.test(type) && !CALLS.test(type)
}

/** Lists the attachments of a message's content, as a model's API or library has it. */
export function attachmentsIn(content: unknown): AttachmentInput[] {
  return Array.isArray(content) ? content.filter(isAttachment) : []
}

/** Reads a part of a message as an attachment. @throws InvalidInputError naming `where` if the part is none */
export function readAttachment(part: unknown, where: string): ReadAttachment {
  if (!isAttachment(part))
    throw new InvalidInputError(
      `${where}.type must be ${TYPES}${isFields(part) ? '' : `, but it is ${describeValue(part)}`}. Words belong in "text".`,
    )
  const layers = layersOf(part)
  const source = layers.flatMap((layer) => SOURCES.map((name) => layer[name])).find(isSource) ?? null
  const { url, content: bytes, type } = readSource(source)
  const content = bytes === null || bytes.length === 0 ? null : bytes
  const mediaType = textIn(layers, TYPE_FIELDS) ?? type ?? formatOf(layers)
  const name = textIn(layers, NAMES)
  const attachment: Attachment = {
    kind: kindOf(part.type, mediaType, name ?? url),
    mediaType: mediaType !== null && /^[\w.+-]+\/[\w.+*-]+$/.test(mediaType) ? mediaType : null,
    name,
    url,
    sha256: content === null ? null : createHash('sha256').update(content).digest('hex').slice(0, 32),
    bytes: content?.length ?? null,
    caption: textIn([part], ['caption']),
    description: null,
  }
  const isWebAddress = url !== null && /^https?:/i.test(url) && URL.canParse(url)
  const data = content ?? (isWebAddress ? new URL(url) : null)
  const anyType = attachment.kind === 'image' ? 'image/*' : 'application/octet-stream'
  return { attachment, file: data === null ? null : { mediaType: attachment.mediaType ?? anyType, data } }
}

type Source = string | URL | ArrayBufferView<ArrayBuffer> | ArrayBuffer

const isSource = (value: unknown): value is Source =>
  (typeof value === 'string' && value.trim() !== '') ||
  value instanceof URL ||
  ArrayBuffer.isView(value) ||
  value instanceof ArrayBuffer

/** Reads the address of an attachment (`url`), or its content: bytes, a `data:` URL, or base64. */
function readSource(source: Source | null): {
  url: string | null
  content: Uint8Array | null
  type: string | null
} {
  const none = { url: null, content: null, type: null }
  if (ArrayBuffer.isView(source))
    return { ...none, content: new Uint8Array(source.buffer, source.byteOffset, source.byteLength) }
  if (source instanceof ArrayBuffer) return { ...none, content: new Uint8Array(source) }
  if (source === null) return none
  const text = (source instanceof URL ? source.href : source).trim()
  const head = DATA_URL.exec(text)
  if (head !== null) {
    const encoding = /;base64,$/i.test(head[0]) ? 'base64' : 'utf8'
    return {
      ...none,
      content: Buffer.from(text.slice(head[0].length), encoding),
      type: head.groups?.['type'] ?? null,
    }
  }
  // A malformed `data:` URL is not stored, because it may contain the content.
  if (/^data:/i.test(text)) return none
  if (PLACE.test(text) || !isBase64(text)) return { ...none, url: text }
  return { ...none, content: Buffer.from(text, 'base64') }
}

/** Reports whether a text is base64. A path is shorter, or has a dot. */
const isBase64 = (text: string): boolean => text.length >= 24 && /^[A-Za-z0-9+/_-]+={0,2}$/.test(text)

/** Returns the media type of a sound. OpenAI's API names only its format, such as `mp3`. */
function formatOf(layers: readonly Fields[]): string | null {
  const format = textIn(layers, ['format'])
  return format !== null && /^\w+$/.test(format) ? `audio/${format}` : null
}

/** Kinds by the endings of names, for files of unknown type. */
const ENDINGS: readonly (readonly [AttachmentKind, RegExp])[] = [
  ['image', /\.(?:jpe?g|png|gif|webp|heic|bmp|svg)$/i],
  ['video', /\.(?:mp4|mov|3gp|webm)$/i],
  ['audio', /\.(?:mp3|m4a|ogg|opus|wav)$/i],
]

function kindOf(type: string, mediaType: string | null, name: string | null): AttachmentKind {
  for (const kind of ['image', 'audio', 'video'] as const)
    if (type.includes(kind) || mediaType?.startsWith(`${kind}/`) === true) return kind
  return ENDINGS.find(([, ending]) => ending.test(name ?? ''))?.[0] ?? 'file'
}

/** Returns a turn's text with a line for each attachment below the words. */
export function withAttachments(said: string, attachments: readonly Attachment[]): string {
  return [said.trim() === '' ? '' : said, ...attachments.map(attachmentLine)]
    .filter((line) => line !== '')
    .join('\n')
}

/** Returns a message's text as it is stored: its words, and a line for each attachment. */
export function textWithAttachments(said: string, parts: readonly AttachmentInput[]): string {
  return withAttachments(
    said,
    parts.map((part) => readAttachment(part, 'attachment').attachment),
  )
}
