import { KeepsakeRequestError } from '@keepsake/client'

/** Kinds of failed requests that the page handles differently. */
export type FailureKind = 'unreachable' | 'locked' | 'forbidden' | 'missing' | 'refused' | 'busy' | 'broken'

export function failureKind(error: unknown): FailureKind {
  if (!(error instanceof KeepsakeRequestError)) return error instanceof TypeError ? 'unreachable' : 'broken'
  const { status } = error
  if (status === 401) return 'locked'
  if (status === 403) return 'forbidden'
  if (status === 404) return 'missing'
  if (status === 429 || status === 503) return 'busy'
  return status >= 400 && status < 500 ? 'refused' : 'broken'
}

/** Whether an automatic retry may help. */
export function isRetryableStatus(error: unknown): boolean {
  const kind = failureKind(error)
  return kind === 'unreachable' || kind === 'busy'
}
