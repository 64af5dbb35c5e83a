// Reads and writes the lines that attachments have in the text of a turn.
/** The kind of an attachment. All but pictures, sounds and films are files. */
export type AttachmentKind = 'image' | 'audio' | 'video' | 'file'

/** A picture or file that came with a message. Only a reference is stored, never the content. */
export interface Attachment {
  readonly kind: AttachmentKind
  /** The media type such as `image/png`, or `null` if it is unknown. */
  readonly mediaType: string | null
  readonly name: string | null
  /** The address of the content, or `null` if the content came with the message. */
  readonly url: string | null
  /** The first 32 hexadecimal digits of the content's SHA-256, if the content came with the message. */
  readonly sha256: string | null
  /** The content's size in bytes, if it came with the message. */
  readonly bytes: number | null
  /** The application's description of the content. */
  readonly caption: string | null
  /** A model's description of the content, and the model's id. */
  readonly description: { readonly by: string; readonly text: string } | null
}

/** Matches the line of an attachment at the end of a turn's text. */
const LINE =
  /(?:^|\n)\[(?<kind>image|audio|video|file)(?: (?<type>[\w.+-]+\/[\w.+*-]+))?(?<rest>; .*)?\](?=\n|$)/g
const DESCRIBED = /; described by (?<by>[^";\n]+) (?<text>"(?:[^"\\]|\\.)*")/
const FIELD =
  /; (?:(?<name>name|url|caption) (?<text>"(?:[^"\\]|\\.)*")|sha256 (?<hash>[0-9a-f]+)|(?<bytes>\d+) bytes)/g

const quote = (text: string): string => JSON.stringify(text.replace(/\s+/g, ' ').trim())

/** Reads a quoted text. If masking a secret made it invalid JSON, the text between the quotation marks is returned. */
function unquote(text: string): string {
  try {
    return String(JSON.parse(text))
  } catch {
    return text.slice(1, -1)
  }
}

/** Writes an attachment as its line in a turn's text: `[image image/png; name "bike.png"]`. */
export function attachmentLine(attachment: Attachment): string {
  const { kind, mediaType, name, url, sha256, bytes, caption, description } = attachment
  const fields = [
    mediaType === null ? kind : `${kind} ${mediaType}`,
    name === null ? '' : `name ${quote(name)}`,
    url === null ? '' : `url ${quote(url)}`,
    sha256 === null ? '' : `sha256 ${sha256}`,
    bytes === null ? '' : `${bytes} bytes`,
    caption === null ? '' : `caption ${quote(caption)}`,
    description === null
      ? ''
      : `described by ${description.by.replace(/[";\s]+/g, ' ')} ${quote(description.text)}`,
  ]
  return `[${fields.filter((field) => field !== '').join('; ')}]`
}

/** Reads the attachments in the text of a stored turn. */
export function readAttachments(text: string): Attachment[] {
  return [...text.matchAll(LINE)].map(({ groups = {} }) => {
    const { kind = 'file', type = null, rest = '' } = groups
    const { by = '', text: seen = '' } = DESCRIBED.exec(rest)?.groups ?? {}
    const found = new Map<string, string>()
    for (const { groups: field = {} } of rest.replace(DESCRIBED, '').matchAll(FIELD)) {
      const { name, text: words = '""', hash, bytes } = field
      if (name !== undefined) found.set(name, unquote(words))
      if (hash !== undefined) found.set('sha256', hash)
      if (bytes !== undefined) found.set('bytes', bytes)
    }
    const bytes = found.get('bytes')
    return {
      kind: kind as AttachmentKind,
      mediaType: type,
      name: found.get('name') ?? null,
      url: found.get('url') ?? null,
      sha256: found.get('sha256') ?? null,
      bytes: bytes === undefined ? null : Number(bytes),
      caption: found.get('caption') ?? null,
      description: by === '' ? null : { by, text: unquote(seen) },
    }
  })
}

/** Returns the words of a turn without the lines of its attachments. */
export function withoutAttachments(text: string): string {
  return text.includes('[') ? text.replace(LINE, '').trim() : text
}

/** Replaces the lines of attachments, which are no words of a speaker, by spaces. Offsets and lines stay the same. */
export function blankAttachments(text: string): string {
  return text.includes('[') ? text.replace(LINE, (line) => line.replace(/[^\n]/g, ' ')) : text
}
