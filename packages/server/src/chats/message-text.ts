import { asList, asName, asRecord } from './json-value.ts'

/** What stands in a remembered turn for what is not text, by the names that OpenAI's and Anthropic's requests have for it. */
const NOTES: Readonly<Record<string, string>> = {
  image_url: '[image]',
  input_image: '[image]',
  image: '[image]',
  input_audio: '[audio]',
  file: '[file]',
  input_file: '[file]',
  document: '[file]',
  container_upload: '[file]',
  video_url: '[video]',
}
const TEXTS: ReadonlySet<unknown> = new Set(['text', 'input_text', 'output_text'])

/** What a message's content says: its text, with a note in the place of each image, sound or file. */
export function messageText(content: unknown): string {
  return parts(content)
    .map((part) => wordsOf(part) ?? NOTES[asName(asRecord(part)?.['type']) ?? ''] ?? '')
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
  return typeof content === 'string' ? [{ type: 'text', text: content }] : asList(content)
}

function wordsOf(part: unknown): string | null {
  const { type, text } = asRecord(part) ?? {}
  return TEXTS.has(type) && typeof text === 'string' ? text : null
}
