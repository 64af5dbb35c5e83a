import type { ImportSettings, ImportSource } from './import-source.ts'
import type { InputFile } from './input-file.ts'
import { ofPerson } from './of-person.ts'
import { readChatgpt } from './read-chatgpt.ts'
import { readClaude } from './read-claude.ts'
import { readJsonl } from './read-jsonl.ts'
import { readLetta } from './read-letta.ts'
import { readMem0 } from './read-mem0.ts'
import { readMessengerText } from './read-messenger-text.ts'
import { readOpenai } from './read-openai.ts'
import { readTelegram } from './read-telegram.ts'
import { readTranscript } from './read-transcript.ts'
import { readZep } from './read-zep.ts'
import type { ReadFormat } from './recognise-format.ts'
import { isStamped } from './stamped-lines.ts'

type Reader = (input: InputFile, settings: ImportSettings) => ImportSource

const READERS: Readonly<Record<ReadFormat, Reader>> = {
  jsonl: readJsonl,
  openai: readOpenai,
  chatgpt: readChatgpt,
  claude: readClaude,
  whatsapp: (input, settings) => readMessengerText('whatsapp', input, settings),
  telegram: readTelegram,
  transcript: (input, settings) =>
    input.lines().some(({ text }) => isStamped(text))
      ? readMessengerText('transcript', input, settings)
      : readTranscript(input, settings),
  mem0: readMem0,
  zep: readZep,
  letta: readLetta,
}

/**
 * A file as turns, by what it is.
 *
 * @throws ImportError naming the file, and line where there is one, or asking for what the file leaves open
 * @example
 * const source = openSource('chatgpt', InputFile.open('conversations.json'), settings)
 * for (const { turn } of source.turns(new LeftOut())) show(turn.text)
 */
export function openSource(format: ReadFormat, input: InputFile, settings: ImportSettings): ImportSource {
  return ofPerson(READERS[format](input, settings), settings)
}
