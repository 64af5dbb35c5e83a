/** What an answer's body says went wrong. */
export interface BodyError {
  readonly message: string | null
  /** The error's own status, where it gives one. */
  readonly status: number | null
}

/**
 * The error that a parsed body holds: OpenAI's `error` object, a plain sentence, FastAPI's `detail`, or older vLLM's, which puts
 * its fields on the answer itself. `null` where it holds none.
 */
export function errorInBody(body: unknown): BodyError | null {
  if (typeof body !== 'object' || body === null) return null
  const { error, detail, object } = body as Record<string, unknown>
  const found = object === 'error' ? body : (error ?? detail)
  if (found === undefined || found === null) return null
  if (typeof found !== 'object') return { message: typeof found === 'string' ? found : null, status: null }
  const { message, code, status } = found as Record<string, unknown>
  const number = [code, status].find((value) => typeof value === 'number')
  return { message: typeof message === 'string' ? message : null, status: number ?? null }
}

/** JSON parsed; `undefined` for what is none. The parser's error quotes what it read, so it goes no further. */
export function parseBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
