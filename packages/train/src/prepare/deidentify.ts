import { escapePattern, maskSecrets } from '@keepsake/text'
import type { Life } from '../store/life.ts'
import { findNames } from './find-names.ts'
import { NOT_NAMES, NAMES_THAT_ARE_WORDS } from './ordinary-capitals.ts'

/** Identifiers that are not names, and their placeholders. */
const DETAILS: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['email', /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu],
  ['link', /https?:\/\/[^\s"'<>）)]+|\bwww\.[^\s"'<>）)]+/giu],
  ['handle', /(?<![\p{L}\p{N}])@[\p{L}\p{N}_.]{2,}/gu],
  ['number', /(?<![\p{L}\p{N}-])\+?\d(?:[ ().-]?\d){6,}(?![\p{L}\p{N}-])/gu],
]
/** Dates and times do not identify: `2026-03-05`, `2026-03-05 18:00`. */
const DAY = /^\d{4}[-./]\d{1,2}[-./]\d{1,2}/
/** Fields with spoken or written text, at any depth. */
const TEXT_FIELDS: ReadonlySet<string> = new Set(['text', 'value', 'quote', 'speaker', 'subject', 'reason'])
const ROLES: ReadonlySet<string> = new Set(['user', 'agent', 'other'])
/** Keys of the persona sheet whose value is a name. */
const NAME_KEYS: ReadonlySet<string> = new Set(['name', 'nickname', 'form-of-address'])
const HAN = /\p{Script=Han}/u

/** A user's lives without identifiers, and the number of replacements. */
export interface Deidentified {
  readonly lives: readonly Life[]
  readonly names: number
  /** Replaced emails, links, handles and long numbers. */
  readonly details: number
}

/**
 * Replaces names by numbered placeholders, and other identifiers by their kind. Rules lower the risk of identification, and do not remove it.
 *
 * @param known the user's ids, which may be names
 */
export async function deidentify(lives: readonly Life[], known: readonly string[]): Promise<Deidentified> {
  const names = namesGiven(lives, known)
  const placeholders = numberNames(names, findNames(textsOf(lives)))
  const replaceNames = makeReplacer(placeholders)
  let details = 0
  const clean = async (text: string): Promise<string> => {
    const { text: masked } = await maskSecrets(text)
    const plain = DETAILS.reduce(
      (replaced, [kind, pattern]) =>
        replaced.replace(pattern, (found) => {
          if (kind === 'number' && DAY.test(found)) return found
          details += 1
          return `[${kind}]`
        }),
      masked,
    )
    return replaceNames(plain)
  }
  const cleaned: Life[] = []
  for (const life of lives) {
    const { turns, operations, memories, ...rest } = life
    cleaned.push({
      ...rest,
      turns: await changeTexts(turns, clean),
      operations: await changeTexts(operations, clean),
      memories: new Map(await changeTexts([...memories], clean)),
    })
  }
  return { lives: cleaned, names: new Set(placeholders.values()).size, details }
}

/** Returns the names that the memory states: ids of scopes, speakers of turns, subjects, and names on the persona sheet. */
function namesGiven(lives: readonly Life[], known: readonly string[]): string[] {
  const ofLives = lives.flatMap(({ turns, memories }) => [
    ...turns.flatMap(({ speaker }) => speaker ?? []),
    ...[...memories.values()].flatMap(({ subject, key, value }) => [
      ...(ROLES.has(subject) ? [] : [subject]),
      ...(NAME_KEYS.has(key ?? '') && value !== null ? [value] : []),
    ]),
  ])
  return [...new Set([...known, ...ofLives].map((name) => name.trim()))].filter(
    (name) => (name.length > 2 || HAN.test(name)) && !NOT_NAMES.has(name.toLowerCase()),
  )
}

function textsOf(lives: readonly Life[]): string[] {
  return lives.flatMap(({ turns, memories }) => [
    ...turns.map(({ text }) => text),
    ...[...memories.values()].map(({ text }) => text),
  ])
}

/**
 * Numbers each name. A part of a longer name gets the number of the longer one.
 *
 * @param given names that the memory states, which are also found in lower case
 */
function numberNames(given: readonly string[], found: readonly string[]): ReadonlyMap<string, string> {
  const numbers = new Map<string, number>()
  let last = 0
  for (const name of [...given, ...found].toSorted((one, other) => other.length - one.length)) {
    if (numbers.has(name)) continue
    last += 1
    numbers.set(name, last)
    for (const part of HAN.test(name) ? [] : name.split(/\s+/))
      if (part.length > 2 && /^\p{Lu}/u.test(part) && !numbers.has(part)) numbers.set(part, last)
  }
  for (const name of given) {
    const lower = name.toLowerCase()
    const number = numbers.get(name)
    if (number === undefined || HAN.test(name)) continue
    if (NAMES_THAT_ARE_WORDS.has(lower)) numbers.delete(lower)
    else numbers.set(lower, number)
    numbers.set(lower.charAt(0).toUpperCase() + lower.slice(1), number)
  }
  // Names are also found in capitals, as users write them to shout: MIA!
  const shouted = [...numbers].flatMap(([name, number]): [string, number][] =>
    name.length > 2 && !HAN.test(name) && !NAMES_THAT_ARE_WORDS.has(name.toLowerCase())
      ? [[name.toUpperCase(), number]]
      : [],
  )
  return new Map([...numbers, ...shouted].map(([name, number]) => [name, `[name ${number}]`]))
}

/** Makes a function that replaces the names of a text, longer names first. */
function makeReplacer(placeholders: ReadonlyMap<string, string>): (text: string) => string {
  const names = [...placeholders.keys()].toSorted((one, other) => other.length - one.length)
  if (names.length === 0) return (text) => text
  const forms = names.map((name) => {
    const escaped = escapePattern(name)
    return HAN.test(name) ? escaped : String.raw`(?<![\p{L}\p{N}])${escaped}(?![\p{L}\p{N}])`
  })
  const pattern = new RegExp(forms.join('|'), 'gu')
  return (text) => text.replace(pattern, (name) => placeholders.get(name) ?? name)
}

/** Changes the text of every field of `TEXT_FIELDS` in a value, at any depth. */
async function changeTexts<Value>(value: Value, change: (text: string) => Promise<string>): Promise<Value> {
  const walk = async (part: unknown, field: string): Promise<unknown> => {
    if (typeof part === 'string') {
      const isRole = field === 'subject' && ROLES.has(part)
      return TEXT_FIELDS.has(field) && !isRole ? change(part) : part
    }
    if (Array.isArray(part)) return Promise.all(part.map((inner) => walk(inner, field)))
    if (typeof part !== 'object' || part === null) return part
    const entries = Object.entries(part).map(async ([name, inner]) => [name, await walk(inner, name)])
    return Object.fromEntries(await Promise.all(entries))
  }
  return (await walk(value, '')) as Value
}
