/** What stands in a remembered turn for what is not text. */
const NOTES: Readonly<Record<string, string>> = {
  image_url: '[image]',
  input_audio: '[audio]',
  file: '[file]',
  video_url: '[video]',
}

/** What a message's content says: its text, with a note in the place of each image, sound or file. */
export function messageText(content: unknown): string {
  return parts(content)
    .map((part) => wordsOf(part) ?? NOTES[typeOf(part)] ?? '')
    .filter((text) => text !== '')
    .join('\n')
}

/** What a message's content says in words alone. */
export function messageWords(content: unknown): string {
  return parts(content)
    .flatMap((part) => wordsOf(part) ?? [])
    .join('\n')
}

function parts(content: unknown): readonly unknown[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? content : []
}

function typeOf(part: unknown): string {
  const type = typeof part === 'object' && part !== null && 'type' in part ? part.type : ''
  return typeof type === 'string' ? type : ''
}

function wordsOf(part: unknown): string | null {
  if (typeOf(part) !== 'text' || typeof part !== 'object' || part === null || !('text' in part)) return null
  return typeof part.text === 'string' ? part.text : null
}
