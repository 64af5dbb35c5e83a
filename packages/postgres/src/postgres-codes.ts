/** Returns Postgres' five-character error code, such as `40001`, or Node's, such as `ECONNRESET`; `null` for other errors. */
export function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}

/** Node's codes for a connection that cannot be opened. */
const UNREACHABLE = new Set('ECONNREFUSED ENOENT EHOSTUNREACH ENETUNREACH ETIMEDOUT EAI_AGAIN'.split(' '))
/** Node's codes for a lost connection. */
const LOST = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED'])

/** Matches messages of the driver and of Kysely for a lost connection, which have no code: “Connection terminated unexpectedly”. */
const LOST_MESSAGE =
  /connection terminated|connection has been discarded|connection error and is not queryable|client was closed/i

/** Whether the connection is lost, or closed by the server (class 08, and 57P: shut down or crashed). */
export function isConnectionLost(error: unknown): error is Error {
  const code = codeOf(error)
  if (code === null) return error instanceof Error && LOST_MESSAGE.test(error.message)
  return LOST.has(code) || UNREACHABLE.has(code) || code.startsWith('08') || /^57P0[1-4]$/.test(code)
}

/** Whether a server may become available: it is starting, unreachable, or at its connection limit. */
export function isNotYetReady(error: unknown): boolean {
  const code = codeOf(error)
  return isConnectionLost(error) || code === '53300'
}
