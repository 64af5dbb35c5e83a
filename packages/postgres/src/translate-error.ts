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

const KNOWN = [ClosedError, InvalidInputError, NotFoundError, NotPossibleError, StoreError, TurnConflictError]

/** Error code and advice by the prefix of Postgres' code; the longest prefixes first. */
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

/** Matches codes of invalid input: too long, or not accepted by a column. */
const INVALID_INPUT = /^(22|23|54)/

/** Translates a driver's error into one that says what happened, where, and what to do. The server's `detail` is left out, since it may quote a row. */
export function translateError(error: unknown, name: string): Error {
  if (error instanceof Error && KNOWN.some((kind) => error instanceof kind)) return error
  const code = codeOf(error)
  const details = { database: name, postgres: code }
  if (isConnectionLost(error))
    return new StoreError(
      'store-busy',
      `The connection to ${name} was cut, or could not be made${code === null ? '' : ` (${code})`}. What was being written is there whole or not at all. Try again; if it stays so, check that the server runs and its address.`,
      { cause: error, details },
    )
  const entry = ADVICE.find(([prefix]) => code?.startsWith(prefix))
  if (entry !== undefined)
    return new StoreError(entry[1], `The database ${name}: ${messageOf(error)}. ${entry[2]}`, {
      cause: error,
      details,
    })
  if (code !== null && INVALID_INPUT.test(code))
    return new InvalidInputError(`The database ${name} cannot keep this (${code}).`, details, error)
  return new StoreError(
    'store-failed',
    `The database ${name} failed${code === null ? '' : ` (${code})`}: ${messageOf(error)}`,
    { cause: error, details },
  )
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
