import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { z } from '@hono/zod-openapi'
import {
  FileReading,
  ImportError,
  type ExportSurvey,
  type FileHolds,
  type FileSurvey,
  type ImportSettings,
  type PlacedTurn,
  type ReadFormat,
} from '@keepsake/importing'
import { ConcurrentCounts } from '../../access/limit-requests.ts'
import { Problem } from '../../problem.ts'
import { heldSchema, type importPreviewSchema } from '../schemas/import.ts'

export interface UploadOptions {
  readonly name: string
  readonly format: ReadFormat | undefined
  readonly settings: ImportSettings
}

/** An uploaded file that was read once in full. Close it. */
export interface Upload {
  readonly holds: FileHolds
  readonly turns: () => AsyncGenerator<PlacedTurn>
  readonly close: () => Promise<void>
}

/** Reads an uploaded file in a worker thread. @throws Problem, ImportError */
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

/** Converts an error of a file to a problem. A question about the file becomes a required field. */
export function refuseFile(error: unknown): unknown {
  if (!(error instanceof ImportError)) return error
  const fields =
    error.question === null ? [] : [{ field: `query.${error.question.asks}`, problem: 'must be given' }]
  return new Problem(422, 'unreadable-file', error.message, { fields, cause: error })
}

/** Writes a body to an unnamed temporary file, since it is read twice and may exceed memory. @throws Problem 400, 507 */
async function spoolUpload(body: ReadableStream<Uint8Array> | null): Promise<FileHandle> {
  const file = await openUnnamed()
  try {
    let bytes = 0
    for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
      await file.write(piece)
      bytes += piece.length
    }
    if (bytes === 0)
      throw new Problem(400, 'empty-body', 'The request has no file: send its bytes as the body.')
    return file
  } catch (error) {
    await file.close()
    throw isFull(error) ? storeFull(error) : error
  }
}

async function openUnnamed(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'keepsake-upload-')).catch((error: unknown) => {
    throw isFull(error) ? storeFull(error) : error
  })
  try {
    return await open(join(folder, 'upload'), 'wx+', 0o600)
  } finally {
    // The open file stays readable without a name.
    await rm(folder, { recursive: true, force: true })
  }
}

const isFull = (error: unknown): boolean =>
  error instanceof Error && ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')

const storeFull = (cause: unknown): Problem =>
  new Problem(507, 'store-full', 'The server has no space left to read this file. Nothing was changed.', {
    cause,
  })

/** Files that are read at the same time. Each uses a thread and may have the maximum size. */
const MAX_READING = 4
/** Files of one key that are read at the same time. */
const MAX_PER_KEY = 2
const RETRY_SECONDS = 5

const reading = new ConcurrentCounts()

/** Takes a slot for reading a file. @returns a function that releases it, called once @throws Problem 429 `too-many-imports` */
export function takeReadingSlot(key: string): () => void {
  if (reading.countOf(key) < MAX_PER_KEY && reading.total < MAX_READING) return reading.add(key)
  const detail = 'The server is reading other files. Nothing was changed: try again in a moment.'
  throw new Problem(429, 'too-many-imports', detail, { retryAfter: RETRY_SECONDS })
}

type Preview = z.input<typeof importPreviewSchema>
type Holds = NonNullable<Preview['holds']>

/** Maximum listed speakers. */
const MAX_SPEAKERS = 100
/** Characters shown of the first and last turn. */
const MAX_SHOWN_LENGTH = 500

/** A file's contents in JSON form. */
export function presentHolds(holds: FileHolds): Pick<Preview, 'format' | 'holds'> {
  return holds.kind === 'export'
    ? { format: 'keepsake', holds: describeExport(holds.survey) }
    : { format: holds.survey.format as Preview['format'], holds: describeTurns(holds.survey) }
}

function describeTurns({ from, until, first, last, users, userNames, ...survey }: FileSurvey): Holds {
  const speakers = Object.entries(survey.speakers)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, MAX_SPEAKERS)
    .map(([name, turns]) => ({ name, turns }))
  return heldSchema.parse({
    ...survey,
    userNames: userNames.slice(0, MAX_SPEAKERS),
    speakers,
    people: users,
    from: timeOf(from),
    until: timeOf(until),
    first: shortened(first),
    last: shortened(last),
  })
}

const describeExport = ({ users, turns, sessions }: ExportSurvey): Holds => ({
  ...NO_TURNS,
  turns,
  sessions,
  people: [...users],
})

const NO_TURNS = {
  userNames: [],
  speakers: [],
  statements: 0,
  blocks: 0,
  undated: 0,
  from: null,
  until: null,
  first: null,
  last: null,
  leftOut: [],
  notes: [],
}

const timeOf = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString())

function shortened(text: string | null): string | null {
  if (text === null || text.length <= MAX_SHOWN_LENGTH) return text
  return `${text.slice(0, MAX_SHOWN_LENGTH).replace(/[\uD800-\uDBFF]$/, '')}…`
}
