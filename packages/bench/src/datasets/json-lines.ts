import { basename } from 'node:path'
import { TextDecoder } from 'node:util'
import { DatasetError } from './dataset-error.ts'
import { hashFiles } from './hash-files.ts'
import { readChunks } from './read-input.ts'
import type { DatasetRecord, RecordFile } from './record-file.ts'

const NEWLINE = 0x0a
const SPACE = 0x20

/** Opens a file of JSON Lines. Blank lines are skipped. @throws DatasetError when it is absent or empty. */
export async function openJsonLines(file: string): Promise<RecordFile> {
  const counter = new LineCounter()
  const onChunk = (chunk: Buffer): void => counter.add(chunk)
  const dataHash = await hashFiles([{ name: basename(file), path: file, onChunk }])
  if (counter.lines === 0) throw new DatasetError(file, 'is empty: it should hold a JSON object a line')
  return { file, dataHash, size: counter.lines, records: () => readJsonLines(file) }
}

/** Counts the lines of a file that are not blank, a piece of it at a time. */
class LineCounter {
  #finished = 0
  #hasContent = false

  get lines(): number {
    return this.#finished + (this.#hasContent ? 1 : 0)
  }

  add(chunk: Buffer): void {
    let from = 0
    while (from < chunk.length) {
      const newline = chunk.indexOf(NEWLINE, from)
      const end = newline < 0 ? chunk.length : newline
      this.#hasContent ||= chunk.subarray(from, end).some((byte) => byte > SPACE)
      if (newline >= 0) this.#endLine()
      from = end + 1
    }
  }

  #endLine(): void {
    if (this.#hasContent) this.#finished++
    this.#hasContent = false
  }
}

async function* readJsonLines(file: string): AsyncGenerator<DatasetRecord> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let number = 0
  for await (const bytes of readLines(file)) {
    number++
    const where = `line ${number}`
    const text = decodeLine(file, where, bytes, decoder)
    if (text.trim() === '') continue
    yield { where, value: parseLine(file, where, text) }
  }
}

/** A line's bytes, however many pieces of the file it spans. */
async function* readLines(file: string): AsyncGenerator<Buffer> {
  let parts: Buffer[] = []
  for await (const chunk of readChunks(file)) {
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      yield Buffer.concat([...parts, chunk.subarray(from, end)])
      parts = []
      from = end + 1
    }
    if (from < chunk.length) parts.push(chunk.subarray(from))
  }
  if (parts.length > 0) yield Buffer.concat(parts)
}

function decodeLine(file: string, where: string, bytes: Buffer, decoder: TextDecoder): string {
  try {
    return decoder.decode(bytes)
  } catch (error) {
    throw new DatasetError(file, `${where} is not UTF-8`, error)
  }
}

function parseLine(file: string, where: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new DatasetError(file, `${where} is not JSON`, error)
  }
}
