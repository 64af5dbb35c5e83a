export type SecretKind = 'key' | 'card number' | 'account number' | 'password'

/** Offsets of a secret in the text, end exclusive. */
export interface SecretSpan {
  readonly start: number
  readonly end: number
  readonly kind: SecretKind
}

/** Finds one kind of secret in a part of a text. */
export type Finder = (text: string) => readonly SecretSpan[] | Promise<readonly SecretSpan[]>
