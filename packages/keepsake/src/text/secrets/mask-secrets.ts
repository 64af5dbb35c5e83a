import { findCardNumbers } from './find-card-numbers.ts'
import { findKeys } from './find-keys.ts'
import { findPasswords } from './find-passwords.ts'

export type SecretKind = 'key' | 'card number' | 'password'

/** Secrets that were masked before storage: their kind and number, never the secrets themselves. */
export interface MaskedSecret {
  readonly kind: SecretKind
  readonly count: number
}

/** A text after masking, and what was masked in it. */
export interface MaskedText {
  readonly text: string
  readonly masked: readonly MaskedSecret[]
}

/** Where a secret stands: offsets in the text, end exclusive. */
export interface SecretSpan {
  readonly start: number
  readonly end: number
  readonly kind: SecretKind
}

/** Twelve digits, with single spaces or hyphens between them. The shortest card number has twelve. */
const LOOKS_LIKE_CARD = /(?:[\d０-９][ -]?){12}/
/** Tokens of the services secretlint knows are runs of 16 and more; private keys begin with dashes. */
const LOOKS_LIKE_KEY = /[A-Za-z0-9_+/=.~-]{16}|:\/\/[^\s/@]{1,100}:[^\s/@]{1,200}@/
const LOOKS_LIKE_PASSWORD = /pass ?(?:word|code|phrase)|\bpwd\b|\bpin\b|密码|口令|密碼/i

/**
 * Replaces secrets by a marker such as `[masked: card number]`, before a text is stored. API keys, tokens and private keys are found by secretlint's recommended rules, card numbers by
 * issuer, length and Luhn's check, passwords by the words around them.
 *
 * Ordinary talk passes three regular expressions and loads nothing.
 *
 * @example
 * await maskSecrets('my password is hunter2') // { text: 'my password is [masked: password]', masked: [{ kind: 'password', count: 1 }] }
 */
export async function maskSecrets(text: string): Promise<MaskedText> {
  const spans: SecretSpan[] = []
  if (LOOKS_LIKE_KEY.test(text)) spans.push(...(await findKeys(text)))
  if (LOOKS_LIKE_CARD.test(text)) spans.push(...(await findCardNumbers(text)))
  if (LOOKS_LIKE_PASSWORD.test(text)) spans.push(...findPasswords(text))
  return spans.length === 0 ? { text, masked: [] } : replaceSpans(text, spans)
}

function replaceSpans(text: string, spans: readonly SecretSpan[]): MaskedText {
  const counts = new Map<SecretKind, number>()
  let masked = ''
  let from = 0
  for (const span of joinOverlaps(spans)) {
    masked += `${text.slice(from, span.start)}[masked: ${span.kind}]`
    from = span.end
    counts.set(span.kind, (counts.get(span.kind) ?? 0) + 1)
  }
  return { text: masked + text.slice(from), masked: [...counts].map(([kind, count]) => ({ kind, count })) }
}

/** Overlapping finds become one, so that no end of a longer secret shows. */
function joinOverlaps(spans: readonly SecretSpan[]): SecretSpan[] {
  const sorted = [...spans].sort((one, other) => one.start - other.start || other.end - one.end)
  const joined: SecretSpan[] = []
  for (const span of sorted) {
    const last = joined.at(-1)
    if (last === undefined || span.start >= last.end) joined.push(span)
    else if (span.end > last.end) joined[joined.length - 1] = { ...last, end: span.end }
  }
  return joined
}
