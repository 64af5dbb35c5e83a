import { existsSync, statSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { InputFile } from '@keepsake/importing'
import { notFound, wrongUsage } from '../cli-error.ts'
import type { Input } from '../io.ts'

/**
 * A file that is named on the command line; `-` is stdin, which is held, since it comes once only.
 *
 * @throws CliError for a file that is not there, and for a folder; ImportError for one that holds no text
 */
export async function openInput(file: string, stdin: Input): Promise<InputFile> {
  if (file === '-') return InputFile.hold('-', await buffer(stdin))
  if (!existsSync(file)) throw notFound(`There is no file ${file}.`)
  if (statSync(file).isDirectory())
    throw wrongUsage(
      `${file} is a folder: name the files in it. (LUFY's data set is a folder: --format lufy.)`,
    )
  return InputFile.open(file)
}
