import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import * as fc from 'fast-check'
import { filesHolding } from './search-bytes.ts'

/** What somebody careless or hostile hands over, and the secret in it, no byte of which may be stored. */
export interface HostileText {
  readonly text: string
  readonly secret: string
}

/** Texts for each way in: a few in the short run, where chance differs each time, more in the long one. */
export const HOSTILE_RUNS = process.env['KEEPSAKE_LONG_TESTS'] === undefined ? 2 : 5

/** Stands in every hostile text, so that a test sees that the text was stored at all. */
export const HARMLESS = 'lighthouse'

const letters = 'abcdefghijklmnopqrstuvwxyz'.split('')
const digits = '0123456789'.split('')
const upper = letters.map((letter) => letter.toUpperCase())
/** Not made simpler when a test fails: the rules let pass what nobody would use, such as a key of the letter a. */
const run = (units: readonly string[], length: number): fc.Arbitrary<string> =>
  fc.noShrink(fc.string({ unit: fc.constantFrom(...units), minLength: length, maxLength: length }))
const mixed = (length: number) => run([...letters, ...upper, ...digits], length)

/** With a digit, which no state that a password is said to be in has. */
const word = fc.tuple(mixed(5), run(digits, 2), mixed(5)).map((parts) => parts.join(''))

/** Written in pieces: whole ones here would set off those who look for keys in repositories. */
const key = fc.oneof(
  mixed(36).map((rest) => ['gh', 'p_', rest].join('')),
  mixed(36).map((rest) => ['np', 'm_', rest].join('')),
  mixed(20).map((rest) => ['glp', 'at-', rest].join('')),
  fc.tuple(mixed(22), mixed(43)).map((rest) => ['S', 'G', ...rest].join('.').replace('.', '')),
  fc.tuple(mixed(62), mixed(64), mixed(28)).map(privateKey),
)

/** Begins as the keys of all the usual forms do: others are taken for examples. */
function privateKey(lines: readonly string[]): string {
  const edge = (which: string): string => ['-----', which, ' PRIVATE', ' KEY-----'].join('')
  return [edge('BEGIN'), `MI${lines.join('\n')}`, edge('END')].join('\n')
}

function withCheckDigit(body: string): string {
  const sum = body
    .split('')
    .toReversed()
    .map((digit, place) => (place % 2 === 0 ? Number(digit) * 2 : Number(digit)))
    .reduce((total, value) => total + (value > 9 ? value - 9 : value), 0)
  return `${body}${(10 - (sum % 10)) % 10}`
}

const card = fc
  .tuple(run(digits, 14), fc.constantFrom('', ' ', '-'))
  .map(([rest, gap]) => (withCheckDigit(`4${rest}`).match(/.{4}/g) ?? []).join(gap))

/** Each kind of secret that is known, in words that tell it, and the secret alone. */
const told: fc.Arbitrary<readonly [words: string, secret: string]> = fc.oneof(
  key.map((secret) => [`use ${secret} please`, secret] as const),
  word.map((secret) => [`https://ana:${secret}@example.org/inbox`, secret] as const),
  card.map((secret) => [`my card is ${secret} ok`, secret] as const),
  word.map((secret) => [`my password is ${secret} ok`, secret] as const),
  word.map((secret) => [`the passcode for my wifi: ${secret}`, secret] as const),
  run(digits, 11).map((secret) => [`my pin is ${secret}`, secret] as const),
  word.map((secret) => [`我的密码是${secret}，别告诉别人`, secret] as const),
)

const control = fc.constantFrom('\0', '\b', '\u001b', '\u007f', '\u0084', '\u009f')
/** What stands around: any characters, halves of pairs, controls, letters in pieces. */
const noise = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 8 }),
      control,
      fc.constantFrom('\ud83d', '\udc00', 'e\u0301'),
    ),
    {
      maxLength: 4,
    },
  )
  .map((pieces) => pieces.join(''))

/** Texts with a secret of any kind, a control character in the midst of some, among characters that no file should hold. */
export const hostileText: fc.Arbitrary<HostileText> = fc
  .record({ told, noise: fc.tuple(noise, noise), control: fc.option(control), place: fc.nat() })
  .map(({ told: [words, secret], noise: [before, after], control: hidden, place }) => {
    const cut = 1 + (place % (secret.length - 1))
    const written = hidden === null ? secret : secret.slice(0, cut) + hidden + secret.slice(cut)
    return { text: `${HARMLESS} ${before}\n${words.replace(secret, () => written)}\n${after}`, secret }
  })

/** What no text of a file may hold: halves of pairs made into escapes, control characters, as they are or escaped. */
const ESCAPED = /(?<!\\)(?:\\\\)*\\u(?:00(?:0[0-8ef]|1[\da-f]|7f|8[0-46-9a-f]|9[\da-f])|d[89a-f])/i
const CONTROL = /(?![\t-\r\u0085])\p{Cc}/u

/** What of a hostile text reached the files of a folder, in sentences; nothing, as it should be. */
export function leaksOf(folder: string, { secret }: HostileText): string[] {
  const masked = filesHolding(folder, [secret]).map((file) => `${file} holds the secret`)
  return [...masked, ...illFormedIn(folder)]
}

/** Whether the harmless part of a text was stored. */
export function isStored(folder: string): boolean {
  return filesHolding(folder, [HARMLESS]).length > 0
}

/** Texts in the databases of a folder that are not as the gate leaves them, in sentences. */
function illFormedIn(folder: string): string[] {
  const files = readdirSync(folder).map((file) => join(folder, file))
  const databases = files.filter((file) => readFileSync(file).subarray(0, 6).toString() === 'SQLite')
  return databases.flatMap(textsOf).flatMap(({ table, column, text }) => {
    // Terms of the index are letters and digits, kept apart by a character of the engine's own.
    const problem = column === 'terms' ? null : problemOf(text)
    return problem === null ? [] : [`${table}.${column} holds ${problem}: ${JSON.stringify(text)}`]
  })
}

function textsOf(path: string): { table: string; column: string; text: string }[] {
  const database = new Database(path, { readonly: true })
  const all = (sql: string) => database.prepare(sql).all() as Record<string, unknown>[]
  try {
    return all(`SELECT name FROM sqlite_schema WHERE type = 'table'`).flatMap(({ name: table }) =>
      all(`SELECT * FROM "${String(table)}"`).flatMap((row) =>
        Object.entries(row).flatMap(([column, text]) =>
          typeof text === 'string' ? [{ table: String(table), column, text }] : [],
        ),
      ),
    )
  } finally {
    database.close()
  }
}

function problemOf(text: string): string | null {
  if (!text.isWellFormed()) return 'half a pair'
  if (CONTROL.test(text)) return 'a control character'
  if (ESCAPED.test(text)) return 'an escaped control character or half a pair'
  return text === text.normalize('NFC') ? null : 'what is not composed'
}
