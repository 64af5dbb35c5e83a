// Masks secrets before anything is stored. Called for every text by text-gate.ts.
import { yieldToEventLoop } from '../yield.ts'
import { CREDENTIALS, SHORT_CREDENTIALS } from './find-credentials.ts'
import { MAY_TELL_PASSWORD, PASSWORDS } from './find-passwords.ts'
import { findIdentityNumbers } from './find-identity-numbers.ts'
import { findListed } from './find-listed.ts'
import { findPrivateKeys } from './find-private-keys.ts'
import { findInTables } from './find-in-tables.ts'
import type { SecretKind, SecretSpan, Finder } from './secret-span.ts'

interface Context {
  readonly sharedOptions: object
  createTranslator(): () => { readonly message: string; readonly messageId: string }
  report(found: { readonly range: readonly [start: number, end: number] }): void
  ignore(): void
}

/** The parts of a secretlint rule that are used here. */
interface Rule {
  readonly meta: { readonly id: string }
  create(context: Context, options: object): { file?(source: object): void | Promise<void> }
}

/** Rules of secretlint that are not used. */
const UNUSED_RULES: ReadonlySet<string> = new Set([
  // Excluded because find-credentials.ts finds these exactly, and their reported ranges differ from the secret.
  '@secretlint/secretlint-rule-aws',
  '@secretlint/secretlint-rule-basicauth',
  // Excluded because it lets a text disable the other rules by a comment.
  '@secretlint/secretlint-rule-filter-comments',
])
/** Matches characters of which every key found by these rules contains some. Texts without any skip the rules. */
const HINTS =
  /gh[pousr]_|github_pat|glpat|xox|xapp|hooks\.slack|sk-|sk_|rk_|gsk_|hf_|lin_api|ntn_|secret_|SG\.|shp|npm_|_auth|glc_|glsa_|ops_ey|hv[sbr]\.|vc[pixrk]?[iark]?_|dapi|dckr_|figd_|cfk_|cfut_|cfat_|tskey|mongodb|mysql|postgres|x-oauth|private_key|PRIVATE KEY/i
/** From this many characters on, the event loop runs between two rules. On shorter texts a rule takes a few microseconds. */
const MIN_CHARACTERS_TO_YIELD = 2_000
let loaded: Promise<readonly Rule[]> | undefined

async function loadRules(): Promise<readonly Rule[]> {
  const { rules } = await import('@secretlint/secretlint-rule-preset-recommend')
  return (rules as unknown as readonly Rule[]).filter(({ meta }) => !UNUSED_RULES.has(meta.id))
}

/** Finds keys by secretlint's maintained rules, without its core, whose post-processing is quadratic and can be disabled. */
async function findKeys(text: string): Promise<SecretSpan[]> {
  if (!HINTS.test(text)) return []
  const spans: SecretSpan[] = []
  const context: Context = {
    sharedOptions: {},
    createTranslator: () => () => ({ message: '', messageId: '' }),
    report: ({ range: [start, end] }) => spans.push({ start, end, kind: 'key' }),
    ignore: () => undefined,
  }
  const source = { content: text, filePath: 'turn.txt', ext: '.txt', contentType: 'text', hasBOM: false }
  for (const rule of await (loaded ??= loadRules())) {
    if (text.length > MIN_CHARACTERS_TO_YIELD) await yieldToEventLoop()
    await rule.create(context, {}).file?.(source)
  }
  return spans
}

/** Separators of groups: spaces, dashes, dots and slashes of all kinds. */
const GAP = String.raw`[ \u00A0\u2000-\u200D\u202F\u2060\u3000.\-\u2010-\u2015\u2212_/·•]`
/** Matches 13 to 19 digits, grouped or not, without a digit or letter next to them. */
const CARD_SHAPE = new RegExp(
  String.raw`(?<![\p{Script=Latin}\p{Nd},+]|\p{Nd}[.-])\p{Nd}(?:${GAP}{0,3}\p{Nd}){12,18}(?![\p{Script=Latin}\p{Nd}]|${GAP}\p{Nd})`,
  'gu',
)
/** Matches a card number as cards show it: in one piece or in groups. */
const CARD_GROUPS =
  /^(?:\d{13,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{1,7}|\d{4}(?:-\d{4}){3}-\d{1,3}|\d{4}([ -])\d{6}\2\d{4,5}|\d{6}([ -])\d{8,13}|\d([ -]\d){12,18})$/

/** Matches groups separated by commas or line ends. A word must name the card, since four numbers in a row may be anything. */
const LISTED =
  /(?:\bcards?\b|\bvisa\b|master ?card|\bamex\b|卡)[^\d\n]{0,40}[\s:：]{0,4}(?<digits>\d{4}(?:(?:[ \t,，]{0,2}\r?\n[ \t]{0,2}|[ \t]?[,，][ \t]{0,2}|[ \t])\d{2,6}){2,5})(?![\d-])/giu

/** Finds card numbers by issuer, length and Luhn's check. The check includes UnionPay, or any long number after 62 would pass. */
async function findCardNumbers(text: string): Promise<SecretSpan[]> {
  const together = [...text.matchAll(CARD_SHAPE)]
    .map((match) => ({ start: match.index, length: match[0].length, digits: plainDigits(match[0]) }))
    .filter((candidate) => CARD_GROUPS.test(candidate.digits))
  const candidates = [...together, ...listedIn(text)]
  if (candidates.length === 0) return []
  const { default: validator } = await import('card-validator')
  return candidates
    .filter(({ digits }) => validator.number(digits, { luhnValidateUnionPay: true }).isValid)
    .map(({ start, length }) => ({ start, end: start + length, kind: 'card number' }))
}

function listedIn(text: string) {
  return [...text.matchAll(LISTED)].map(({ index, 0: whole, groups }) => {
    const written = groups?.['digits'] ?? ''
    const start = index + whole.length - written.length
    return { start, length: written.length, digits: written.replace(/\D+/g, '') }
  })
}

/** Converts digits of any script to ASCII, and all separators to one kind. */
function plainDigits(written: string): string {
  return written
    .replace(/\p{Nd}/gu, (digit) => String(valueOf(digit)))
    .replace(new RegExp(`${GAP}+`, 'gu'), '-')
}

/** Returns the value of a digit. The ten digits of a script follow its zero. */
function valueOf(digit: string): number {
  const code = digit.normalize('NFKC').codePointAt(0) ?? 0
  if (code < 128) return code - 48
  let zero = code
  while (code - zero < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return code - zero
}

/** Matches an account number (IBAN): a country, two check digits, and up to thirty letters and digits, grouped or not. */
const ACCOUNT_SHAPE =
  /(?<![A-Za-z0-9_-])[A-Za-z]{2}\d{2}(?:[ \n\u00A0\u202F-]?[A-Za-z0-9]){11,30}(?![A-Za-z0-9-])/g
/** Lengths by country, from the registry of ISO 13616. A run of any other length is an id. */
const ACCOUNT_LENGTHS: ReadonlyMap<string, number> = new Map(
  'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20'
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
)

/** Finds account numbers (IBAN) by their check digits. */
function findAccountNumbers(text: string): SecretSpan[] {
  return [...text.matchAll(ACCOUNT_SHAPE)].flatMap(({ 0: written, index }) => {
    // Tries the longest prefix first, since words that follow may look like a last group.
    for (const end of endsOf(written)) {
      const given = written.slice(0, end).replace(/[ \n\u00A0\u202F.-]/g, '')
      const plain = given.toUpperCase()
      const isWhole =
        plain.length === ACCOUNT_LENGTHS.get(plain.slice(0, 2)) &&
        (given === plain || given === given.toLowerCase())
      if (isWhole && isIban(plain))
        return [{ start: index, end: index + end, kind: 'account number' as const }]
    }
    return []
  })
}

function endsOf(written: string): number[] {
  const ends = [...written.matchAll(/(?=[ \n\u00A0\u202F.-])|$/g)].map(({ index }) => index)
  return ends.toReversed()
}

/** Reports whether an IBAN has correct check digits: with letters as numbers, the remainder by 97 is 1 (ISO 7064). */
function isIban(plain: string): boolean {
  const moved = plain.slice(4) + plain.slice(0, 4)
  let rest = 0
  for (const character of moved) {
    const value = parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1 && (plain.match(/\d/g)?.length ?? 0) >= 8
}

/** The kind and count of secrets masked before storage, never the secrets themselves. */
export interface MaskedSecret {
  readonly kind: SecretKind
  readonly count: number
}

export interface MaskedText {
  readonly text: string
  readonly masked: readonly MaskedSecret[]
}

/** Characters of a search window. With windows, the time grows linearly with the text. */
const WINDOW = 32_000
/** Characters by which windows overlap. No secret is longer, except private keys, which are searched in the whole text. */
const OVERLAP = 8_000
/** Maximum passes. A marker may expose another secret, which the next pass masks. */
const MAX_PASSES = 4

/**
 * Replaces secrets with a marker such as `[masked: card number]` before storage. Secretlint's recommended rules and `find-credentials.ts`
 * find API keys and tokens. Private keys are found by their frame, card and account numbers by check digits, and passwords by their context.
 * Ordinary messages take a few regular expressions and load nothing. A long text yields to the event loop after each.
 *
 * @example
 * await maskSecrets('my password is hunter2') // { text: 'my password is [masked: password]', masked: [{ kind: 'password', count: 1 }] }
 */
export async function maskSecrets(text: string): Promise<MaskedText> {
  const counts = new Map<SecretKind, number>()
  let masked = text
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
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

/** Matches twelve digits with at most two separators between them. A text without them has no card number. */
const LOOKS_LIKE_CARD = /(?:\p{Nd}\P{L}{0,2}){12}/u
/** Matches runs of at least 16 characters, like tokens. */
const LOOKS_LIKE_KEY = /[A-Za-z0-9_+/=.~-]{16}/
const LOOKS_LIKE_ACCOUNT = /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}/

const FINDERS: readonly Finder[] = [
  findInTables,
  (text) => (LOOKS_LIKE_CARD.test(text) ? findCardNumbers(text) : []),
  (text) => (LOOKS_LIKE_ACCOUNT.test(text) ? findAccountNumbers(text) : []),
  findIdentityNumbers,
]

async function findInPart(text: string): Promise<readonly SecretSpan[]> {
  const spans: SecretSpan[] = []
  const credentials = LOOKS_LIKE_KEY.test(text) ? [findKeys, ...CREDENTIALS] : SHORT_CREDENTIALS
  const passwords = MAY_TELL_PASSWORD.test(text) ? PASSWORDS : []
  for (const find of [...credentials, ...FINDERS, ...passwords]) {
    if (text.length > MIN_CHARACTERS_TO_YIELD) await yieldToEventLoop()
    const found = find(text)
    spans.push(...(found instanceof Promise ? await found : found))
  }
  return [...spans, ...findListed(text, spans)]
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
  const sorted = spans.toSorted((a, b) => a.start - b.start || b.end - a.end)
  const joined: SecretSpan[] = []
  for (const span of sorted) {
    const last = joined.at(-1)
    if (last === undefined || span.start >= last.end) joined.push(span)
    else if (span.end > last.end) joined[joined.length - 1] = { ...last, end: span.end }
  }
  return joined
}
