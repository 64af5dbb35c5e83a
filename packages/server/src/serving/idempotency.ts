/** What an earlier request under the same key was answered. */
export interface StoredAnswer {
  readonly status: number
  readonly body: string
  readonly contentType: string
}

/** Ends a request: with its answer and the person it concerns, or with `null`, so that it may be made again. */
export type Finish = (answer: StoredAnswer | null, owner?: number | null) => Promise<void>

/**
 * Remembers answers of writing requests by (grant, `Idempotency-Key`): the same request again gets the same answer and does
 * nothing; another body under the same key is refused (409).
 */
export interface Idempotency {
  /**
   * `run`: it is new, go on and `finish`. `replay`: it was done. `conflict`: another request has the key. `busy`: the same
   * request is under way.
   */
  begin(
    grant: string,
    key: string,
    fingerprint: string,
  ): Promise<
    | { readonly kind: 'run'; readonly finish: Finish }
    | { readonly kind: 'replay'; readonly answer: StoredAnswer }
    | { readonly kind: 'conflict' }
    | { readonly kind: 'busy' }
  >
}
