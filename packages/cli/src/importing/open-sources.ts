import { existsSync, statSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import {
  InputFile,
  findSlackNames,
  openSource,
  readSlackNames,
  recogniseFormat,
  slackFilesIn,
  type ImportSettings,
  type ImportSource,
  type Format,
} from '@keepsake/importing'
import { notFound, wrongUsage } from '../cli-error.ts'
import type { Input } from '../io.ts'

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
    for (const file of files.flatMap(filesAt)) inputs.push(await openInput(file, stdin))
    const slackNames = inputs.length > 1 ? inputs.map(readSlackNames) : []
    const exportedNames = slackNames.find((names) => names !== null)
    for (const [index, input] of inputs.entries()) {
      // A file with the names of Slack users is no conversation.
      if (slackNames[index]) continue
      const inputFormat = format ?? recogniseFormat(input, settings)
      if (inputFormat === 'keepsake') exports.push(input)
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
      `${file} is a folder: name the files in it. (The folder of a Slack export has a file users.json.)`,
    )
  return InputFile.open(file)
}
