// Translates errors of SQLite into errors of Keepsake that say what to do.
import { InvalidInputError, KeepsakeError } from '@keepsake/text'
import { StoreError, type StoreErrorCode } from '../../errors/errors.ts'

const DAMAGED =
  'The file is damaged. Nothing was overwritten: keep a copy of it with its -wal file. "keepsake doctor" reports what is damaged and can be mended; else restore a backup or an export.'

/** SQLite's result codes without extensions, the error code of Keepsake for each, and what the user can do. */
const ADVICE: readonly (readonly [prefix: string, code: StoreErrorCode, advice: string])[] = [
  ['SQLITE_BUSY', 'store-busy', 'Another process is writing to it. Try again, or raise busyTimeoutMs.'],
  ['SQLITE_LOCKED', 'store-busy', 'Another connection is using it. Try again.'],
  [
    'SQLITE_READONLY',
    'store-read-only',
    'The file or its folder cannot be written, or it was opened with readOnly. Give write access to both, or copy the file to a folder that can be written.',
  ],
  [
    'SQLITE_PERM',
    'store-read-only',
    'Access was denied. Give this process write access to the file and its folder.',
  ],
  [
    'SQLITE_FULL',
    'store-full',
    'There is no room left on the disk. Make room and try again; nothing stored before is lost.',
  ],
  ['SQLITE_CORRUPT', 'store-corrupt', DAMAGED],
  [
    'SQLITE_NOTADB',
    'store-corrupt',
    'This is no SQLite database, or it is damaged. Nothing was overwritten: give another path, or restore a backup.',
  ],
  [
    'SQLITE_CANTOPEN',
    'store-failed',
    'The file cannot be opened. Check that its folder exists and that this process may read and write there.',
  ],
  ['SQLITE_IOERR', 'store-failed', 'Reading or writing the disk failed. Check the disk, then open it again.'],
]

/** Returns the code of an error that SQLite threw; `null` for other errors. */
export function sqliteCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null
  return error.code.startsWith('SQLITE_') ? error.code : null
}

/** Whether the disk or the account's quota is full, for files that are written without SQLite. */
function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}

/** Translates an error of SQLite: the message says what happened, to which file, and what to do. Errors of Keepsake stay. */
export function translateError(error: unknown, name: string): Error {
  if (error instanceof KeepsakeError) return error
  const code = sqliteCode(error) ?? (isDiskFull(error) ? 'SQLITE_FULL' : null)
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof SyntaxError) {
    // JSON could not be parsed. Message and cause are left out, since they quote stored text.
    return new StoreError(
      'store-corrupt',
      `The store "${name}": a row holds what was never written there. ${DAMAGED}`,
      { details: { file: name } },
    )
  }
  if (code === null) {
    return new StoreError('store-failed', `The store "${name}" failed: ${message}`, { cause: error })
  }
  const details = { file: name, sqlite: code }
  if (code.startsWith('SQLITE_TOOBIG')) {
    return new InvalidInputError(`A text is larger than a store can hold (1 GB): ${message}`, details, error)
  }
  const known = ADVICE.find(([prefix]) => code.startsWith(prefix))
  if (known === undefined) {
    return new StoreError('store-failed', `The store "${name}" failed (${code}): ${message}`, {
      cause: error,
      details,
    })
  }
  return new StoreError(known[1], `The store "${name}": ${message}. ${known[2]}`, { cause: error, details })
}

/** Whether another process locks the file at the moment. */
export function isBusy(error: unknown): boolean {
  return sqliteCode(error)?.startsWith('SQLITE_BUSY') ?? false
}
