import {
  FileReading,
  ImportError,
  type FileHolds,
  type ImportSettings,
  type ReadFormat,
} from '@keepsake/importing'
import type { PlacedTurn } from '@keepsake/importing'
import { Problem } from '../../problem.ts'
import { spoolUpload } from './spool-upload.ts'

/** What a request says of the file that it sends. */
export interface UploadOptions {
  readonly name: string
  readonly format: ReadFormat | undefined
  readonly settings: ImportSettings
}

/** A file that was sent, gone through whole. Close it. */
export interface Upload {
  readonly holds: FileHolds
  readonly turns: () => AsyncGenerator<PlacedTurn>
  readonly close: () => Promise<void>
}

/** Reads a file that a request sends, off this thread. @throws Problem, ImportError */
export async function openUpload(
  body: ReadableStream<Uint8Array> | null,
  { name, format, settings }: UploadOptions,
): Promise<Upload> {
  const file = await spoolUpload(body)
  const reading = new FileReading({ descriptor: file.fd, name, format, settings })
  const close = async (): Promise<void> => {
    await reading.close()
    await file.close()
  }
  try {
    return { holds: await reading.holds, turns: () => reading.turns(), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** What a file leaves open is a field that the request has to have. */
export function refuseFile(error: unknown): unknown {
  if (!(error instanceof ImportError)) return error
  const fields =
    error.question === null ? [] : [{ field: `query.${error.question.asks}`, problem: 'has to be said' }]
  return new Problem(422, 'unreadable-file', error.message, { fields, cause: error })
}
