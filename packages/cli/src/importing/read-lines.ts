import { createReadStream, existsSync, statSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { notFound, wrongUsage } from '../cli-error.ts'
import type { Input } from '../io.ts'

/**
 * Lines of a file, or of stdin for `-`. Opened when the first line is asked for: a readline interface that is
 * made earlier drops the lines it reads until then.
 */
export async function* readLines(file: string, stdin: Input): AsyncGenerator<string> {
  const input = file === '-' ? stdin : createReadStream(file, 'utf8')
  yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })
}

/** @throws CliError when there is no such file, or it is a folder; stdin (`-`) is always there. */
export function requireFile(file: string): void {
  if (file === '-') return
  if (!existsSync(file)) throw notFound(`There is no file ${file}.`)
  if (statSync(file).isDirectory()) throw wrongUsage(`${file} is a folder; this format takes files.`)
}

/** `undefined`, which JSON cannot say, for what is no JSON. A mark of byte order may stand before it. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as unknown
  } catch {
    return undefined
  }
}
