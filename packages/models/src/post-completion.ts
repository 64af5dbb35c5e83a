// Posts requests to a completions server.
import { ModelError } from '@keepsake/text'
import { isRetryableStatus, modelErrorFrom, readRetryAfter, errorInBody, parseBody } from 'keepsake/model'

export interface CompletionTarget {
  readonly id: string
  readonly url: string
  readonly apiKey: string | undefined
  readonly fetch: typeof globalThis.fetch
  readonly timeoutMs: number
}

/** `refused`: the server rejects this form of request, but may accept another. */
export type CompletionAnswer =
  | { readonly kind: 'answer'; readonly body: unknown }
  | { readonly kind: 'refused'; readonly error: ModelError }

/** Statuses of a server that does not know a field or its value. */
const REFUSING_STATUSES = new Set([400, 422, 501])
/** Status that is assumed for an error without one: a fault of the server, which may pass. */
const SERVER_ERROR = 500
const MAX_REASON_LENGTH = 300
/** Minimum characters shared with the prompt that count as a quotation. */
const MIN_QUOTATION_LENGTH = 12

/** Posts a request and parses its answer as JSON. @throws ModelError if no answer comes in time, and for errors that are no refusals */
export async function postCompletion(
  target: CompletionTarget,
  request: { readonly prompt: string; readonly [field: string]: unknown },
  abortSignal: AbortSignal | undefined,
): Promise<CompletionAnswer> {
  const { status, headers, text } = await send(target, JSON.stringify(request), abortSignal)
  const body = parseBody(text)
  const error = errorInBody(body)
  if (status < 300 && error === null && body !== undefined) return { kind: 'answer', body }
  // Some servers answer 200 with an error in the body. Then the status in the body counts.
  const effectiveStatus = status >= 300 ? status : (error?.status ?? SERVER_ERROR)
  const message = error?.message ?? null
  // Servers that do not support `echo` name it in their error.
  const isRefused = REFUSING_STATUSES.has(effectiveStatus) || (message !== null && /\becho\b/i.test(message))
  // A message that repeats the prompt would put words of the conversation into the error.
  const canQuote = message !== null && !repeatsPrompt(message, request.prompt)
  const reason = canQuote ? message.slice(0, MAX_REASON_LENGTH) : `status ${status}`
  const failure = new ModelError(
    status < 300 && error === null
      ? `${target.id} answered with what is no JSON.`
      : `${target.id} could not tell token probabilities: ${reason}`,
    {
      isRetryable: !isRefused && isRetryableStatus(effectiveStatus),
      retryAfterMs: readRetryAfter(headers, Date.now()),
      details: { model: target.id, status },
    },
  )
  if (isRefused) return { kind: 'refused', error: failure }
  throw failure
}

interface HttpAnswer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly text: string
}

async function send(
  { id, url, apiKey, fetch, timeoutMs }: CompletionTarget,
  body: string,
  abortSignal: AbortSignal | undefined,
): Promise<HttpAnswer> {
  const timeout = AbortSignal.timeout(timeoutMs)
  const signal = abortSignal === undefined ? timeout : AbortSignal.any([timeout, abortSignal])
  const headers = {
    'content-type': 'application/json',
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  }
  try {
    const response = await fetch(url, { method: 'POST', headers, body, signal })
    const text = await response.text()
    return { status: response.status, headers: Object.fromEntries(response.headers), text }
  } catch (cause) {
    abortSignal?.throwIfAborted()
    if (timeout.aborted)
      throw new ModelError(`${id} did not answer within ${timeoutMs} ms.`, {
        isRetryable: true,
        details: { model: id },
      })
    throw modelErrorFrom(cause, id, 'could not be reached')
  }
}

/** Checks whether a server's message repeats a part of the prompt. */
function repeatsPrompt(message: string, prompt: string): boolean {
  const length = Math.min(MIN_QUOTATION_LENGTH, prompt.trim().length)
  for (let start = 0; start + length <= message.length; start++)
    if (prompt.includes(message.slice(start, start + length))) return true
  return false
}
