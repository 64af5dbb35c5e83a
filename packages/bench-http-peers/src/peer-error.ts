/** Where in an exchange with a peer something went wrong. */
export interface PeerFault {
  /** The system as reports name it. */
  readonly system: string
  /** Method and path, without the host and without parameters. Absent: nothing was asked yet. */
  readonly request?: string
  /** HTTP status. Absent: no answer came. */
  readonly status?: number
  /** What is wrong, in a few words. */
  readonly problem: string
  /** What the caller can do about it. */
  readonly advice: string
  /** What the peer said, shortened, without the key. */
  readonly body?: string
  readonly isRetryable?: boolean
  /** False only when it is certain that the peer did nothing, so that even an addition may be sent again. */
  readonly mayHaveActed?: boolean
  /** How long the peer asked to wait; `null`: it did not say. */
  readonly retryAfterMs?: number | null
  readonly cause?: unknown
}

/** A peer could not be reached, refused, or answered in another form. The message says what to do and never holds the key. */
export class PeerError extends Error {
  override readonly name = 'PeerError'
  readonly system: string
  readonly request: string | null
  readonly status: number | null
  readonly body: string
  readonly advice: string
  readonly isRetryable: boolean
  readonly mayHaveActed: boolean
  readonly retryAfterMs: number | null

  constructor(fault: PeerFault) {
    const { system, request, problem, advice, body = '', cause } = fault
    const about = request === undefined ? '' : ` ${request}`
    const quoted = body === '' ? '' : ` It said: ${body}`
    super(`${system}:${about} ${problem}. ${advice}${quoted}`, cause === undefined ? undefined : { cause })
    this.system = system
    this.request = request ?? null
    this.status = fault.status ?? null
    this.body = body
    this.advice = advice
    this.isRetryable = fault.isRetryable ?? false
    this.mayHaveActed = fault.mayHaveActed ?? true
    this.retryAfterMs = fault.retryAfterMs ?? null
  }
}
