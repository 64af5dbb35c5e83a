import type { ImportSettings, ImportSource } from './import-source.ts'
import type { InputFile } from './input-file.ts'
import { ofPerson } from './of-person.ts'
import { readChatgpt } from './read-chatgpt.ts'
import { readClaude } from './read-claude.ts'
import { readLetta } from './read-letta.ts'
import { readMessengerText } from './read-messenger-text.ts'
import { readOpenai } from './read-openai.ts'
import { readTelegram } from './read-telegram.ts'
import { readTranscript } from './read-transcript.ts'
import { readZep } from './read-zep.ts'
import type { ReadFormat } from './recognise-format.ts'
import { isStamped } from './stamped-lines.ts'

type Reader = (input: InputFile, settings: ImportSettings) => ImportSource

/** Readers that use schemas load on demand: the schema library takes longer to load than everything else here. */
const BY_SCHEMA = {
  jsonl: async () => (await import('./read-jsonl.ts')).readJsonl,
  mem0: async () => (await import('./read-mem0.ts')).readMem0,
} satisfies Partial<Record<ReadFormat, () => Promise<Reader>>>
const isBySchema = (format: ReadFormat): format is keyof typeof BY_SCHEMA => Object.hasOwn(BY_SCHEMA, format)

const READERS: Readonly<Record<Exclude<ReadFormat, keyof typeof BY_SCHEMA>, Reader>> = {
  openai: readOpenai,
  chatgpt: readChatgpt,
  claude: readClaude,
  whatsapp: (input, settings) => readMessengerText('whatsapp', input, settings),
  telegram: readTelegram,
  transcript: (input, settings) =>
    input.lines().some(({ text }) => isStamped(text))
      ? readMessengerText('transcript', input, settings)
      : readTranscript(input, settings),
  zep: readZep,
  letta: readLetta,
}

/**
 * Opens a file as turns, by format.
 *
 * @throws ImportError naming the file and line, or asking for what the file leaves open
 *
 * @example
 * const source = await openSource('chatgpt', InputFile.open('conversations.json'), settings)
 * for (const { turn } of source.turns(new LeftOut())) show(turn.text)
 */
export async function openSource(
  format: ReadFormat,
  input: InputFile,
  settings: ImportSettings,
): Promise<ImportSource> {
  const read = isBySchema(format) ? await BY_SCHEMA[format]() : READERS[format]
  return ofPerson(read(input, settings), settings)
}
