import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { DatasetError } from './dataset-error.ts'

/** The bytes of an input file. @throws DatasetError naming the file. */
export async function readInput(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    const absent = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    throw new DatasetError(file, absent ? 'there is no such file' : 'cannot be read', error)
  }
}

/** A file's JSON. @throws DatasetError when it is none. */
export function parseJson(file: string, bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    throw new DatasetError(file, 'is not JSON', error)
  }
}

/** sha256 over several inputs, by name and content, so that a result names exactly what it was measured on. */
export function hashInputs(inputs: readonly { readonly name: string; readonly bytes: Buffer }[]): string {
  const whole = createHash('sha256')
  for (const input of inputs.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    whole.update(createHash('sha256').update(input.bytes).digest('hex'))
    whole.update(`  ${input.name}\n`)
  }
  return whole.digest('hex')
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
