import type { SecretKind } from './secret-span.ts'

/**
 * One form of secret, as a row of a table. The tables are `key-forms.ts`, `assigned-forms.ts`, `configured-forms.ts`, `typed-forms.ts`
 * and `stated-forms.ts`. `password(finds, hint, pattern, isSecret)` makes a row for a password.
 */
export interface Form {
  /** What the row finds: the service, or an example. */
  readonly finds: string
  /** A cheap test, which passes every text that `pattern` matches. `pattern` is tried only on texts that pass. */
  readonly hint: RegExp
  /**
   * The value to mask is the group `secret`, `other` or `plain`, without the marks that end its sentence. A value in quotes is the group
   * `double` or `single`, which keeps its marks. Without groups the value is the whole match.
   */
  readonly pattern: RegExp
  /** Reports whether a matched value is a secret. */
  readonly isSecret: (value: string, match: RegExpExecArray) => boolean
  readonly kind: SecretKind
  /** Whether every value has 16 characters of a key in a row. Texts without such a run skip the row, which saves time. */
  readonly isToken: boolean
}

/** Returns a function that makes rows for one kind of secret. */
const rowMaker =
  (kind: SecretKind, isToken = false) =>
  (finds: string, hint: RegExp, pattern: RegExp, isSecret: Form['isSecret'] = () => true): Form => ({
    finds,
    hint,
    pattern,
    isSecret,
    kind,
    isToken,
  })
export const password = rowMaker('password')
export const account = rowMaker('account number')
export const card = rowMaker('card number')
export const key = rowMaker('key')
/** Makes a row for keys whose every value has 16 characters of a key in a row. */
export const token = rowMaker('key', true)

/** Reports whether a value has both letters and digits, as no word has. */
export function isMixed(value: string): boolean {
  return /\d/.test(value) && /[A-Za-z]/.test(value)
}
