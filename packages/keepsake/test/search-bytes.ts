import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The files of a folder in which any of the texts stands, as UTF-8 or UTF-16: database, journal, shared
 * memory, and whatever else was left there.
 */
export function filesHolding(folder: string, texts: readonly string[]): string[] {
  const wanted = texts.flatMap((text) => [Buffer.from(text, 'utf8'), Buffer.from(text, 'utf16le')])
  return readdirSync(folder).filter((file) => {
    const bytes = readFileSync(join(folder, file))
    return wanted.some((text) => bytes.includes(text))
  })
}
