import { yieldToEventLoop } from '../yield.ts'
import { findAccountNumbers } from './find-account-numbers.ts'
import { findCardNumbers } from './find-card-numbers.ts'
import { CREDENTIALS } from './find-credentials.ts'
import { findKeys } from './find-keys.ts'
import { PASSWORDS } from './find-passwords.ts'
import { findPrivateKeys } from './find-private-keys.ts'
import { findInTables } from './find-typed.ts'

export type SecretKind = 'key' | 'card number' | 'account number' | 'password'

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

/** Looks for one kind of secret in a part of a text. */
export type Finder = (text: string) => readonly SecretSpan[] | Promise<readonly SecretSpan[]>

/** A text is looked through in windows, each with the end of the one before, so that the time it takes grows with its length alone. */
const WINDOW = 32_000
/** The longest secrets but private keys, which are looked for in the whole, are tokens of some thousand characters. */
const OVERLAP = 8_000
/** What is shorter is looked through in less than a millisecond, and gives way to nothing. */
const LONG = 2_000
/** A marker may bring apart what stood together: what is found then is masked as well. */
const MOST_PASSES = 4

/**
 * Replaces secrets by a marker such as `[masked: card number]`, before a text is stored. API keys and tokens are found by secretlint's recommended rules and the forms of
 * `find-credentials.ts`, private keys by their frame, card and account numbers by their check digits, passwords by the words and signs around them.
 *
 * Ordinary talk passes a few regular expressions and loads nothing. A long text gives way to other work after each of them.
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

/** Where secrets stand, in order, none of them twice. */
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

/** Twelve digits, with single marks between them. The shortest card number has twelve. */
const LOOKS_LIKE_CARD = /(?:\p{Nd}\P{L}{0,2}){12}/u
/** Tokens are runs of 16 and more. */
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

/** Overlapping finds become one, so that no end of a longer secret shows. */
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
