/** A failed request to a peer, or a setup that prevents one. */
export interface PeerFault {
  /** The system as reports name it. */
  readonly system: string
  /** Method and path, without host and parameters. Absent: nothing was sent yet. */
  readonly request?: string
  /** HTTP status. Absent: no answer came. */
  readonly status?: number
  /** What went wrong, in a few words. */
  readonly problem: string
  /** What the caller can do about it. */
  readonly advice: string
  /** The text of the peer's answer, shortened, without the key. */
  readonly body?: string
  readonly isRetryable?: boolean
  /** Whether the peer may have carried out part of the request. If not, even an addition may be sent again. Default true. */
  readonly mayHaveActed?: boolean
  /** How long the peer asks to wait; `null`: it does not say. */
  readonly retryAfterMs?: number | null
  readonly cause?: unknown
}

/** A peer cannot be reached, refuses a request, or answers in an unknown form. The message says what to do and never contains the key. */
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
    const requestText = request === undefined ? '' : ` ${request}`
    const quoted = body === '' ? '' : ` It said: ${body}`
    super(
      `${system}:${requestText} ${problem}. ${advice}${quoted}`,
      cause === undefined ? undefined : { cause },
    )
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
