import { yieldToEventLoop } from '../yield.ts'
import { findAccountNumbers } from './find-account-numbers.ts'
import { findCardNumbers } from './find-card-numbers.ts'
import { CREDENTIALS } from './find-credentials.ts'
import { findKeys } from './find-keys.ts'
import { PASSWORDS } from './find-passwords.ts'
import { findPrivateKeys } from './find-private-keys.ts'
import { findInTables } from './find-typed.ts'

export type SecretKind = 'key' | 'card number' | 'account number' | 'password'

/** The kind and count of secrets masked before storage, never the secrets themselves. */
export interface MaskedSecret {
  readonly kind: SecretKind
  readonly count: number
}

/** A masked text and its masked secrets. */
export interface MaskedText {
  readonly text: string
  readonly masked: readonly MaskedSecret[]
}

/** Offsets of a secret in the text, end exclusive. */
export interface SecretSpan {
  readonly start: number
  readonly end: number
  readonly kind: SecretKind
}

/** Finds one kind of secret in a part of a text. */
export type Finder = (text: string) => readonly SecretSpan[] | Promise<readonly SecretSpan[]>

/** Characters of a search window. Windows overlap, so that the time grows linearly with the text. */
const WINDOW = 32_000
/**
 * Characters of overlap. Private keys are searched in the whole text. Other secrets have at most some thousand
 * characters.
 */
const OVERLAP = 8_000
/** Minimum characters of a text that yields to the event loop. Shorter ones take less than a millisecond. */
const LONG = 2_000
/** Maximum passes. A marker may expose another secret, which the next pass masks. */
const MOST_PASSES = 4

/**
 * Replaces secrets with a marker such as `[masked: card number]` before storage.
 * Secretlint's recommended rules and `find-credentials.ts` find API keys and tokens.
 * Private keys are found by their frame, card and account numbers by check digits, and passwords by their context.
 *
 * Ordinary messages take a few regular expressions and load nothing. A long text yields to the event loop after
 * each.
 *
 * @example
 * await maskSecrets('my password is hunter2') // { text: 'my password is [masked: password]', masked: [{ kind: 'password', count: 1 }] }
 */
export async function maskSecrets(text: string): Promise<MaskedText> {
  const counts = new Map<SecretKind, number>()
  let masked = text
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    const spans = await findSecrets(masked)
    if (spans.length === 0) break
    masked = replaceSpans(masked, spans, counts)
  }
  return { text: masked, masked: Array.from(counts, ([kind, count]) => ({ kind, count })) }
}

/** Returns the spans of all secrets, ordered and disjoint. */
async function findSecrets(text: string): Promise<readonly SecretSpan[]> {
  const spans: SecretSpan[] = [...findPrivateKeys(text)]
  for (let from = 0; from < text.length; from += WINDOW - OVERLAP) {
    const part = text.length <= WINDOW ? text : text.slice(from, from + WINDOW)
    for (const { start, end, kind } of await findInPart(part))
      spans.push({ start: from + start, end: from + end, kind })
    if (from + WINDOW >= text.length) break
  }
  return spans.length < 2 ? spans : joinOverlaps(spans)
}

/** Matches twelve digits with single separators. The shortest card number has twelve. */
const LOOKS_LIKE_CARD = /(?:\p{Nd}\P{L}{0,2}){12}/u
/** Matches runs of at least 16 characters, like tokens. */
const LOOKS_LIKE_KEY = /[A-Za-z0-9_+/=.~-]{16}/
const LOOKS_LIKE_ACCOUNT = /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}/

const FINDERS: readonly Finder[] = [
  (text) => (LOOKS_LIKE_KEY.test(text) ? findKeys(text) : []),
  ...CREDENTIALS,
  findInTables,
  (text) => (LOOKS_LIKE_CARD.test(text) ? findCardNumbers(text) : []),
  (text) => (LOOKS_LIKE_ACCOUNT.test(text) ? findAccountNumbers(text) : []),
  ...PASSWORDS,
]

async function findInPart(text: string): Promise<readonly SecretSpan[]> {
  const spans: SecretSpan[] = []
  for (const find of FINDERS) {
    if (text.length > LONG) await yieldToEventLoop()
    const found = find(text)
    spans.push(...(found instanceof Promise ? await found : found))
  }
  return spans
}

function replaceSpans(text: string, spans: readonly SecretSpan[], counts: Map<SecretKind, number>): string {
  const parts: string[] = []
  let from = 0
  for (const { start, end, kind } of spans) {
    parts.push(text.slice(from, start), `[masked: ${kind}]`)
    from = end
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return [...parts, text.slice(from)].join('')
}

/** Merges overlapping spans, so that no end of a longer secret stays visible. */
function joinOverlaps(spans: readonly SecretSpan[]): SecretSpan[] {
  const sorted = spans.toSorted((one, other) => one.start - other.start || other.end - one.end)
  const joined: SecretSpan[] = []
  for (const span of sorted) {
    const last = joined.at(-1)
    if (last === undefined || span.start >= last.end) joined.push(span)
    else if (span.end > last.end) joined[joined.length - 1] = { ...last, end: span.end }
  }
  return joined
}
