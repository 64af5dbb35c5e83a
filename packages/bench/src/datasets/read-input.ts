import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { TextDecoder } from 'node:util'
import { DatasetError } from './dataset-error.ts'

const CHUNK_BYTES = 1 << 18

/** The bytes of an input file. @throws DatasetError naming the file. */
export async function readInput(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    throw explainUnread(file, error)
  }
}

/** An input file a piece at a time, for those too large to hold. @throws DatasetError naming the file. */
export async function* readChunks(file: string): AsyncGenerator<Buffer> {
  const stream: AsyncIterable<Buffer> = createReadStream(file, { highWaterMark: CHUNK_BYTES })
  try {
    for await (const chunk of stream) yield chunk
  } catch (error) {
    throw explainUnread(file, error)
  }
}

function explainUnread(file: string, error: unknown): DatasetError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return new DatasetError(file, 'there is no such file', error)
  if (code === 'EISDIR') return new DatasetError(file, 'is a folder: name the file in it', error)
  return new DatasetError(file, 'cannot be read', error)
}

/** A file's JSON. @throws DatasetError when it is none, or not UTF-8. */
export function parseJson(file: string, bytes: Buffer): unknown {
  const text = decodeText(file, bytes)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new DatasetError(file, 'is not JSON', error)
  }
}

function decodeText(file: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new DatasetError(file, 'is not UTF-8', error)
  }
}

/** sha256 over several inputs, by name and content, so that a result names exactly what it was measured on. */
export function hashInputs(inputs: readonly { readonly name: string; readonly bytes: Buffer }[]): string {
  return combineDigests(
    inputs.map(({ name, bytes }) => ({ name, digest: createHash('sha256').update(bytes).digest('hex') })),
  )
}

/** The hash of several inputs from each one's own sha256 (hex). Their order does not matter, their names do. */
export function combineDigests(
  inputs: readonly { readonly name: string; readonly digest: string }[],
): string {
  const whole = createHash('sha256')
  for (const { name, digest } of inputs.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    whole.update(digest)
    whole.update(`  ${name}\n`)
  }
  return whole.digest('hex')
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
