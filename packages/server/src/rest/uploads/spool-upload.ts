import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Problem } from '../../problem.ts'

/**
 * Writes a request's body to a file without a name, as it comes: it is read more than once, may be larger than memory, and is gone
 * when it is closed or the process ends, however it ends. Close it.
 *
 * @throws Problem 400 for an empty body, 507 when the disk is full; what reading the body throws
 */
export async function spoolUpload(body: ReadableStream<Uint8Array> | null): Promise<FileHandle> {
  const file = await openUnnamed()
  try {
    let bytes = 0
    for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
      await file.write(piece)
      bytes += piece.length
    }
    if (bytes === 0)
      throw new Problem(400, 'empty-body', 'The request holds no file: send its bytes as the body.')
    return file
  } catch (error) {
    await file.close()
    throw isFull(error) ? noRoom(error) : error
  }
}

async function openUnnamed(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'keepsake-upload-')).catch((error: unknown) => {
    throw isFull(error) ? noRoom(error) : error
  })
  try {
    return await open(join(folder, 'upload'), 'wx+', 0o600)
  } finally {
    // What is open can be read on without its name.
    await rm(folder, { recursive: true, force: true })
  }
}

const isFull = (error: unknown): boolean =>
  error instanceof Error && ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')

const noRoom = (cause: unknown): Problem =>
  new Problem(507, 'store-full', 'The server has no room left to read this file. Nothing was changed.', {
    cause,
  })
