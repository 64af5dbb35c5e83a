/** A property that a question asks for and that can be detected in texts. */
export interface Property {
  readonly asks: RegExp
  readonly holds: RegExp
  /** Whether texts with it rank first; `true` by default. */
  readonly leads?: boolean
}
