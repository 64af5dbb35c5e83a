import type { ImportSettings, ImportSource, PlacedTurn } from './import-source.ts'
import type { InputFile } from './input-file.ts'
import { LeftOut } from './left-out.ts'
import { ofPerson } from './of-person.ts'
import { CHAT_FORMAT_NAMES, type ChatFormatName } from './chat-formats.ts'
import { shapeOf } from './json-shape.ts'
import { readChatFormat } from './read-chat-format.ts'
import { readChatgpt } from './read-chatgpt.ts'
import { readClaude } from './read-claude.ts'
import { readLetta } from './read-letta.ts'
import { readLine } from './read-line.ts'
import { readMessengerText } from './read-messenger-text.ts'
import { readOpenai } from './read-openai.ts'
import { readTelegram } from './read-telegram.ts'
import { readTranscript } from './read-transcript.ts'
import { readZep } from './read-zep.ts'
import type { ReadFormat } from './recognise-format.ts'
import { roleOf } from './speaking.ts'
import { isStamped } from './stamped-lines.ts'

type Reader = (input: InputFile, settings: ImportSettings) => ImportSource

/** Readers that use libraries load on demand, since the libraries take longer to load than everything else here. */
const ON_DEMAND = {
  jsonl: async () => (await import('./read-jsonl.ts')).readJsonl,
  mem0: async () => (await import('./read-mem0.ts')).readMem0,
  csv: async () => (await import('./read-csv.ts')).readCsv,
} satisfies Partial<Record<ReadFormat, () => Promise<Reader>>>
const isOnDemand = (format: ReadFormat): format is keyof typeof ON_DEMAND => Object.hasOwn(ON_DEMAND, format)

/** The other readers. A transcript or a Discord chat may also be a text of lines with times. */
const READERS: Readonly<Record<Exclude<ReadFormat, keyof typeof ON_DEMAND>, Reader>> = {
  openai: readOpenai,
  chatgpt: readChatgpt,
  claude: readClaude,
  whatsapp: (input, settings) => readMessengerText('whatsapp', input, settings),
  telegram: readTelegram,
  transcript: (input, settings) =>
    input.lines().some(({ text }) => isStamped(text))
      ? readMessengerText('transcript', input, settings)
      : readTranscript(input, settings),
  line: readLine,
  ...chatReaders(),
  zep: readZep,
  letta: readLetta,
}

function chatReaders(): Record<ChatFormatName, Reader> {
  const readers = CHAT_FORMAT_NAMES.map((format): [ChatFormatName, Reader] => [
    format,
    (input, settings) =>
      format === 'discord' && shapeOf(input).size < 2
        ? readMessengerText('discord', input, settings)
        : readChatFormat(format, input, settings),
  ])
  return Object.fromEntries(readers) as Record<ChatFormatName, Reader>
}

/**
 * Opens a file as turns, by its format.
 *
 * @throws ImportError naming the file and line, or asking a question that the file leaves open
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
  const read = isOnDemand(format) ? await ON_DEMAND[format]() : READERS[format]
  const source = ofPerson(read(input, settings), settings)
  return BETWEEN_PEOPLE.has(format) ? markTalkOfPeople(source) : source
}

/** Formats in which people talk to each other, or may do so. */
const BETWEEN_PEOPLE: ReadonlySet<ReadFormat> = new Set([
  'whatsapp',
  'telegram',
  'line',
  'discord',
  'slack',
  'messenger',
  'transcript',
  'csv',
])
/** Matches names of programs: Meta AI, SupportBot. */
const PROGRAM = /\b(?:AI|GPT)\b|bot\b/i

/** Marks the turns of talk between people, so that requests to another person are not taken for requests to the memory. */
function markTalkOfPeople(source: ImportSource): ImportSource {
  const isOfOther = ({ turn: { role, speaker } }: PlacedTurn): boolean =>
    role === 'assistant' && speaker !== undefined && roleOf(speaker) === null && !PROGRAM.test(speaker)
  return {
    ...source,
    *turns(leftOut) {
      const speakers = new Set<string>()
      const isBetweenPeople = Iterator.from(source.turns(new LeftOut())).some((placed) => {
        if (placed.turn.role === 'user' && placed.turn.speaker !== undefined)
          speakers.add(placed.turn.speaker)
        return isOfOther(placed) || speakers.size > 1
      })
      for (const placed of source.turns(leftOut)) {
        const metadata = { ...placed.turn.metadata, talk: 'people' }
        yield isBetweenPeople ? { ...placed, turn: { ...placed.turn, metadata } } : placed
      }
    },
  }
}
