import { createHash } from 'node:crypto'
import { combineDigests, readChunks } from './read-input.ts'

/** An input to hash. */
export interface HashedFile {
  /** As it counts in the hash: a path would make the hash differ between machines. */
  readonly name: string
  readonly path: string
  /** Is shown every piece as it goes by, so that the one pass can count too. */
  readonly onChunk?: (chunk: Buffer) => void
}

/**
 * What `hashInputs` gives for the same names and bytes, without holding any file whole.
 *
 * @throws DatasetError naming the file that cannot be read.
 */
export async function hashFiles(files: readonly HashedFile[]): Promise<string> {
  const digests: { name: string; digest: string }[] = []
  for (const { name, path, onChunk } of files) {
    const hash = createHash('sha256')
    for await (const chunk of readChunks(path)) {
      hash.update(chunk)
      onChunk?.(chunk)
    }
    digests.push({ name, digest: hash.digest('hex') })
  }
  return combineDigests(digests)
}
