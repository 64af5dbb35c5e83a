import { existsSync, statSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import {
  InputFile,
  findSlackNames,
  isDataset,
  openSource,
  readSlackNames,
  recogniseFormat,
  slackFilesIn,
  type Format,
  type ImportSettings,
  type ImportSource,
  type DatasetFormat,
  type PlacedTurn,
} from '@keepsake/importing'
import { dirname } from 'node:path'
import type { BenchConversation, Dataset } from '@keepsake/bench'
import { notFound, wrongUsage } from '../cli-error.ts'
import type { Input } from '../io.ts'
import { loadBench } from '../load-package.ts'

export interface OpenedFiles {
  readonly sources: readonly ImportSource[]
  /** Keepsake's own exports, which are read separately. */
  readonly exports: readonly InputFile[]
  readonly close: () => void
}

/** Opens all files before anything is stored, so that an error in one stops the import. Detects a missing format. */
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
    if (format !== undefined && isDataset(format)) {
      for (const file of files) sources.push(...(await readDataset(format, file)))
      return { sources, exports, close }
    }
    for (const file of files.flatMap(filesAt)) inputs.push(await openInput(file, stdin))
    const slackNames = inputs.length > 1 ? inputs.map(readSlackNames) : []
    const exportedNames = slackNames.find((names) => names !== null)
    for (const [index, input] of inputs.entries()) {
      if (slackNames[index]) continue
      const inputFormat = format ?? recogniseFormat(input, settings)
      if (isDataset(inputFormat)) sources.push(...(await readDataset(inputFormat, input.name)))
      else if (inputFormat === 'keepsake') exports.push(input)
      else if (inputFormat === 'slack') {
        const names = exportedNames ?? findSlackNames(input.name) ?? undefined
        sources.push(await openSource(inputFormat, input, { ...settings, names }))
      } else sources.push(await openSource(inputFormat, input, settings))
    }
    if (exports.length > 0 && sources.length > 0)
      throw wrongUsage(
        "Keepsake's own exports cannot be imported together with other files. Import them one after the other.",
      )
    return { sources, exports, close }
  } catch (error) {
    close()
    throw error
  }
}

/** Returns the path; for the folder of a Slack export, the files of its channels. */
function filesAt(path: string): readonly string[] {
  if (!existsSync(path) || !statSync(path).isDirectory()) return [path]
  const files = slackFilesIn(path)
  return files.length === 0 ? [path] : files
}

/** Opens a file of the command line; `-` is stdin, which is held in memory. @throws CliError, ImportError */
export async function openInput(file: string, stdin: Input): Promise<InputFile> {
  if (file === '-') return InputFile.hold('-', await buffer(stdin))
  if (!existsSync(file)) throw notFound(`There is no file ${file}.`)
  if (statSync(file).isDirectory())
    throw wrongUsage(
      `${file} is a folder: name the files in it. (Slack's export is a folder with users.json; LUFY's data set is one: --format lufy.)`,
    )
  return InputFile.open(file)
}

/** No probing questions, since an import reads only the conversations. */
const NO_LABELS = { en: [], cn: [] }

/** Reads the users of a published data set with the harness's loaders. Each user is a source. */
async function readDataset(format: DatasetFormat, path: string): Promise<ImportSource[]> {
  if (!existsSync(path)) throw notFound(`There is no ${format === 'lufy' ? 'folder' : 'file'} ${path}.`)
  const { conversations } = await load(format, path)
  return conversations.map((conversation) => ({
    name: conversation.name,
    format,
    turns: () => placedTurns(conversation),
  }))
}

async function load(format: DatasetFormat, path: string): Promise<Dataset> {
  // Loads the harness on demand, since it contains a spreadsheet reader that no other command needs.
  const { loadLocomo, loadLufy, loadMemoryBank } = await loadBench()
  switch (format) {
    case 'locomo':
      return loadLocomo(path)
    case 'lufy':
      return loadLufy(path)
    case 'memorybank': {
      const language = /memory_bank_(en|cn)\.json$/.exec(path)?.[1]
      if (language === 'en' || language === 'cn') return loadMemoryBank(dirname(path), language, NO_LABELS)
      if (statSync(path).isDirectory()) return loadMemoryBank(path, 'en', NO_LABELS)
      throw wrongUsage(
        `${path} should be named memory_bank_en.json or memory_bank_cn.json, beside its probing questions.`,
      )
    }
  }
}

function* placedTurns({ name, sessions }: BenchConversation): Generator<PlacedTurn> {
  for (const { id, turns } of sessions) {
    for (const { zone, ...turn } of turns) {
      const placed = { ...turn, timeZone: zone }
      yield { user: name, agent: null, app: null, session: id, where: null, turn: placed }
    }
  }
}
