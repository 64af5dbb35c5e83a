import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Which of these texts stand, byte for byte, in the database's files: the file itself, its journals and temporary files. */
export function findInFiles(
  database: string,
  texts: readonly string[],
): { files: string[]; found: string[] } {
  const folder = dirname(database)
  const files = readdirSync(folder).filter((name) => name.startsWith(basename(database)))
  const contents = files.map((name) => readFileSync(join(folder, name)))
  const found = texts.filter((text) => contents.some((content) => content.includes(text, 0, 'utf8')))
  return { files, found }
}
