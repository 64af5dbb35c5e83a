import type { MiddlewareHandler } from 'hono'
import { Problem } from '../problem.ts'
import type { ServerEnv } from '../server-context.ts'

/** Refuses a path or query whose escapes are no UTF-8, or that holds a NUL: no name is written so. */
export function checkPath(): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    const { url } = c.req
    if (url.includes('%')) checkEscapes(url)
    await next()
  }
}

function checkEscapes(url: string): void {
  let text: string
  try {
    text = decodeURIComponent(url)
  } catch (cause) {
    throw malformed('has an escape (%) that is no UTF-8', cause)
  }
  if (text.includes('\0')) throw malformed('holds a NUL')
}

function malformed(problem: string, cause?: unknown): Problem {
  return new Problem(400, 'malformed-path', `The request’s address ${problem}. Nothing was changed.`, {
    fields: [{ field: 'path', problem }],
    ...(cause === undefined ? {} : { cause }),
  })
}
