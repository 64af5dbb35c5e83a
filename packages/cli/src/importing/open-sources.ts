import {
  isDataset,
  openSource,
  recogniseFormat,
  type Format,
  type ImportSettings,
  type ImportSource,
  type InputFile,
} from '@keepsake/importing'
import { wrongUsage } from '../cli-error.ts'
import type { Input } from '../io.ts'
import { openInput } from './open-input.ts'
import { readDataset } from './read-dataset.ts'

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
 * @throws CliError, ImportError naming the file, and line where there is one
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
      const input = await openInput(file, stdin)
      inputs.push(input)
      const found = format ?? recogniseFormat(input, settings)
      if (isDataset(found)) sources.push(...(await readDataset(found, file)))
      else if (found === 'keepsake') exports.push(input)
      else sources.push(await openSource(found, input, settings))
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
