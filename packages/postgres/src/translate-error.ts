import {
  ClosedError,
  InvalidInputError,
  NotFoundError,
  NotPossibleError,
  StoreError,
  TurnConflictError,
} from 'keepsake'
import type { StoreErrorCode } from 'keepsake/store'
import { codeOf, isConnectionLost } from './postgres-codes.ts'

const OWN = [ClosedError, InvalidInputError, NotFoundError, NotPossibleError, StoreError, TurnConflictError]

/** Postgres' codes by how they begin, the most particular first: what they mean here, and what to do about it. */
const ADVICE: readonly (readonly [prefix: string, code: StoreErrorCode, advice: string])[] = [
  ['40', 'store-busy', 'Two changes met, and this one was undone. Try again.'],
  ['55P03', 'store-busy', 'Another connection held a lock for too long. Try again.'],
  ['57014', 'store-busy', 'The statement took longer than statement_timeout allows. Try again, or raise it.'],
  ['53300', 'store-busy', 'The server has no connection to spare. Try again, or raise max_connections.'],
  [
    '25006',
    'store-read-only',
    'The server takes no writes (a standby, or set so). Give the address of the primary.',
  ],
  [
    '53100',
    'store-full',
    'There is no room left on its disk. Make room and try again; nothing stored before is lost.',
  ],
  ['53', 'store-full', 'The server is out of memory or room. Try again once it has some.'],
  ['42501', 'store-read-only', 'Access was denied. Give this role the rights that docs/operations.md lists.'],
  ['28', 'store-failed', 'The server did not let this role in. Check user and password of the address.'],
  ['3D000', 'store-failed', 'There is no such database. Make it (createdb), or give another address.'],
  ['XX001', 'store-corrupt', 'Its files are damaged. Nothing was overwritten: restore a backup.'],
  [
    'XX002',
    'store-corrupt',
    'An index is damaged. Nothing was overwritten: REINDEX it, or restore a backup.',
  ],
  ['42P01', 'store-schema', 'A table is missing. Was the schema changed by hand? Restore a backup.'],
]

/** What was asked cannot be kept: too long, or not what a column takes. */
const UNFIT = /^(22|23|54)/

/**
 * Turns what Postgres or its driver throws into an error that says what happened, to which database, and what to do. The server's own
 * words are left out where they may quote a row. Errors of Keepsake pass as they are.
 */
export function translateError(error: unknown, name: string): Error {
  if (error instanceof Error && OWN.some((kind) => error instanceof kind)) return error
  const code = codeOf(error)
  const details = { database: name, postgres: code }
  if (isConnectionLost(error))
    return new StoreError(
      'store-busy',
      `The connection to ${name} was cut, or could not be made${code === null ? '' : ` (${code})`}. What was being written is there whole or not at all. Try again; if it stays so, check that the server runs and its address.`,
      { cause: error, details },
    )
  const known = ADVICE.find(([prefix]) => code?.startsWith(prefix))
  if (known !== undefined)
    return new StoreError(known[1], `The database ${name}: ${wordsOf(error)}. ${known[2]}`, {
      cause: error,
      details,
    })
  if (code !== null && UNFIT.test(code))
    return new InvalidInputError(`The database ${name} cannot keep this (${code}).`, details, error)
  return new StoreError(
    'store-failed',
    `The database ${name} failed${code === null ? '' : ` (${code})`}: ${wordsOf(error)}`,
    {
      cause: error,
      details,
    },
  )
}

/** Its message; what a row held would stand in `detail`, which is left out. */
function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
