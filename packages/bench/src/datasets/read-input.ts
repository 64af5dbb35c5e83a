import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { isUtf8 } from 'node:buffer'
import { TextDecoder } from 'node:util'
import { DatasetError } from './dataset-error.ts'

/** Files are read in pieces of 256 KiB. */
const CHUNK_BYTES = 1 << 18

/** Reads a file. @throws DatasetError that says why it cannot be read */
export async function readInput(file: string): Promise<Buffer> {
  return readFile(file).catch((error: unknown) => {
    throw explainReadError(file, error)
  })
}

/** Reads a JSON file. @throws DatasetError if it is missing, or is not JSON or not UTF-8 */
export async function readJson(file: string): Promise<unknown> {
  const bytes = await readInput(file)
  if (!isUtf8(bytes)) throw new DatasetError(file, 'is not UTF-8')
  try {
    return JSON.parse(bytes.toString())
  } catch (error) {
    throw new DatasetError(file, 'is not JSON', error)
  }
}

/** Reads the text of a large file piece by piece. @throws DatasetError naming the file */
export async function* readText(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let read = 0
  try {
    for await (const chunk of readChunks(file)) {
      yield decoder.decode(chunk, { stream: true })
      read += chunk.length
    }
    yield decoder.decode()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new DatasetError(file, `is not UTF-8 after byte ${read}`, error)
  }
}

async function* readChunks(file: string): AsyncGenerator<Buffer> {
  const stream: AsyncIterable<Buffer> = createReadStream(file, { highWaterMark: CHUNK_BYTES })
  try {
    for await (const chunk of stream) yield chunk
  } catch (error) {
    throw explainReadError(file, error)
  }
}

function explainReadError(file: string, error: unknown): DatasetError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return new DatasetError(file, 'there is no such file', error)
  if (code === 'EISDIR') return new DatasetError(file, 'is a folder: name the file in it', error)
  return new DatasetError(file, 'cannot be read', error)
}

interface HashedFile {
  /** The name that is hashed. A path would make the hash differ between machines. */
  readonly name: string
  readonly path: string
}

/** Computes one sha256 of the names and contents of input files. The order of the files does not matter. */
export async function hashFiles(files: readonly HashedFile[]): Promise<string> {
  const whole = createHash('sha256')
  for (const { name, path } of files.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const fileHash = createHash('sha256')
    for await (const chunk of readChunks(path)) fileHash.update(chunk)
    whole.update(`${fileHash.digest('hex')}  ${name}\n`)
  }
  return whole.digest('hex')
}
