import type { Problem } from '@keepsake/server'

/**
 * A problem in Mem0's form, `error` on the hosted server, `detail` on the self-hosted: for this door's own, and for what is refused
 * before a request reaches it (a wrong key).
 */
export function mem0ErrorResponse({ message, code, fields, status, retryAfter }: Problem): Response {
  const headers = new Headers()
  if (retryAfter !== null) headers.set('retry-after', String(retryAfter))
  const named = fields.length === 0 ? {} : { fields }
  return Response.json({ error: message, detail: message, code, ...named }, { status, headers })
}
