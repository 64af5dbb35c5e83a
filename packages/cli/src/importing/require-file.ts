import { existsSync, statSync } from 'node:fs'
import { notFound, wrongUsage } from '../cli-error.ts'

/** @throws CliError when there is no such file, or it is a folder; stdin (`-`) is always there. */
export function requireFile(file: string): void {
  if (file === '-') return
  if (!existsSync(file)) throw notFound(`There is no file ${file}.`)
  if (statSync(file).isDirectory())
    throw wrongUsage(
      `${file} is a folder: name the files in it. (LUFY's data set is a folder: --format lufy.)`,
    )
}
