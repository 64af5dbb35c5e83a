import { wrongUsage } from '../cli-error.ts'
import type { Input } from '../io.ts'
import type { ImportSettings, ImportSource } from './import-source.ts'
import { InputFile } from './input-file.ts'
import { readChatgpt } from './read-chatgpt.ts'
import { readClaude } from './read-claude.ts'
import { readDataset, type DatasetFormat } from './read-dataset.ts'
import { readJsonl } from './read-jsonl.ts'
import { readLetta } from './read-letta.ts'
import { readMem0 } from './read-mem0.ts'
import { readMessengerText } from './read-messenger-text.ts'
import { readOpenai } from './read-openai.ts'
import { readTelegram } from './read-telegram.ts'
import { readTranscript } from './read-transcript.ts'
import { readZep } from './read-zep.ts'
import { recogniseFormat, type Format } from './recognise-format.ts'
import { isStamped } from './stamped-lines.ts'

type Reader = (input: InputFile, settings: ImportSettings) => ImportSource

const READERS: Readonly<Record<Exclude<Format, DatasetFormat | 'keepsake'>, Reader>> = {
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

const DATASETS: ReadonlySet<Format> = new Set<DatasetFormat>(['locomo', 'lufy', 'memorybank'])
const isDataset = (format: Format): format is DatasetFormat => DATASETS.has(format)

/** Files opened for import; close them when all is read. */
export interface OpenedFiles {
  readonly sources: readonly ImportSource[]
  /** Keepsake's own exports, which are read back by themselves. */
  readonly exports: readonly InputFile[]
  readonly close: () => void
}

/**
 * Opens everything first, so that a misspelt second file is told before the first is stored.
 *
 * @param format what the files are; told by what they hold when it is not given
 * @throws CliError naming the file, and line where there is one
 */
export async function openSources(
  files: readonly string[],
  stdin: Input,
  format: Format | undefined,
  settings: ImportSettings,
): Promise<OpenedFiles> {
  const inputs: InputFile[] = []
  const close = (): void => inputs.splice(0).forEach((input) => input.close())
  try {
    const sources: ImportSource[] = []
    const exports: InputFile[] = []
    for (const file of files) {
      if (format !== undefined && isDataset(format)) {
        sources.push(...(await readDataset(format, file)))
        continue
      }
      const input = await InputFile.open(file, stdin)
      inputs.push(input)
      const found = format ?? recogniseFormat(input)
      if (isDataset(found)) sources.push(...(await readDataset(found, file)))
      else if (found === 'keepsake') exports.push(input)
      else sources.push(READERS[found](input, settings))
    }
    if (exports.length > 0 && sources.length > 0)
      throw wrongUsage(
        "Keepsake's own exports and other files are not imported at once: import them one after the other.",
      )
    return { sources, exports, close }
  } catch (error) {
    close()
    throw error
  }
}
