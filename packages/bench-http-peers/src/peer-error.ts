/** Where in an exchange with a peer something went wrong. */
export interface PeerFault {
  /** The system as reports name it. */
  readonly system: string
  /** `null`: nothing was asked yet. */
  readonly method: string | null
  /** The path asked for, without the host and without parameters; `null`: nothing was asked yet. */
  readonly path: string | null
  /** HTTP status; `null`: no answer came. */
  readonly status: number | null
  /** What is wrong, in a few words. */
  readonly problem: string
  /** What the caller can do about it. */
  readonly advice: string
  /** What the peer said, shortened, without the key; empty when it said nothing. */
  readonly body?: string
  readonly isRetryable?: boolean
  /** False only when the peer surely did nothing, so that even an addition may be sent again. */
  readonly mayHaveActed?: boolean
  /** How long the peer asked to wait; `null`: it did not say. */
  readonly retryAfterMs?: number | null
  readonly cause?: unknown
}

/**
 * A peer could not be reached, refused a request, or answered something else than it documents. The message
 * names the system, the request and what to do; it never holds the key.
 */
export class PeerError extends Error {
  override readonly name = 'PeerError'
  readonly system: string
  readonly method: string | null
  readonly path: string | null
  readonly status: number | null
  readonly body: string
  readonly advice: string
  readonly isRetryable: boolean
  readonly mayHaveActed: boolean
  readonly retryAfterMs: number | null

  constructor(fault: PeerFault) {
    super(describeFault(fault), fault.cause === undefined ? undefined : { cause: fault.cause })
    this.system = fault.system
    this.method = fault.method
    this.path = fault.path
    this.status = fault.status
    this.body = fault.body ?? ''
    this.advice = fault.advice
    this.isRetryable = fault.isRetryable ?? false
    this.mayHaveActed = fault.mayHaveActed ?? true
    this.retryAfterMs = fault.retryAfterMs ?? null
  }
}

function describeFault(fault: PeerFault): string {
  const request = fault.method === null ? '' : ` ${fault.method} ${fault.path ?? ''}`
  const said = fault.body ? ` It said: ${fault.body}` : ''
  return `${fault.system}:${request} ${fault.problem}. ${fault.advice}${said}`
}
