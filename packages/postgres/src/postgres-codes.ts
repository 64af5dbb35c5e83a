/** The five characters by which Postgres says what went wrong, or Node's word for it; `null` for other errors. */
export function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}

/** Node's words for a connection that cannot be made, or was cut. */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ENOENT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EAI_AGAIN',
])
const CUT = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED'])

/** Words of the driver and of Kysely for the same, which have no code. */
const CUT_MESSAGE =
  /connection terminated|connection has been discarded|connection error and is not queryable|client was closed/i

/** Whether the connection is of no more use: cut, or closed by the server (class 08, and 57P: shut down or crashed). */
export function isConnectionLost(error: unknown): error is Error {
  const code = codeOf(error)
  if (code === null) return error instanceof Error && CUT_MESSAGE.test(error.message)
  return CUT.has(code) || UNREACHABLE.has(code) || code.startsWith('08') || /^57P0[1-4]$/.test(code)
}

/** Whether a server may be there in a moment: it is starting, out of reach, or has no connection to spare. */
export function isNotYetReady(error: unknown): boolean {
  const code = codeOf(error)
  return isConnectionLost(error) || code === '53300'
}
