// Finds identity numbers: directly after their name, or near it with correct check digits. Called by mask-secrets.ts.
import { either } from '../pattern.ts'
import type { SecretSpan } from './secret-span.ts'

/** A country's number: its names, its form, and the check of its digits. */
interface IdentityNumber {
  readonly names: RegExp
  readonly pattern: RegExp
  readonly isValid: (value: string) => boolean
}

const weigh = (digits: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, index) => sum + weight * Number(digits[index]), 0)

const LETTERS_OF_DNI = 'TRWAGMYFPDXBNJZSQVHLCKE'

/** Checks a number of Spain. Its last letter stands for the number modulo 23. X, Y and Z of foreigners count as 0, 1 and 2. */
function isDni(value: string): boolean {
  const digits = value.slice(0, -1).replace(/^[XYZ]/, (letter) => String('XYZ'.indexOf(letter)))
  return LETTERS_OF_DNI[Number(digits) % 23] === value.at(-1)
}

/** Checks a tax number of Germany by ISO 7064, MOD 11,10. */
function isSteuerId(value: string): boolean {
  let product = 10
  for (const digit of value.slice(0, 10)) {
    const sum = (Number(digit) + product) % 10 || 10
    product = (sum * 2) % 11
  }
  return (11 - product) % 10 === Number(value[10])
}

/** Checks a number of Brazil. Its last two digits are weighted sums of the digits before them. */
function isCpf(value: string): boolean {
  return [9, 10].every((length) => {
    const weights = Array.from({ length }, (_, index) => length + 1 - index)
    return ((weigh(value, weights) * 10) % 11) % 10 === Number(value[length])
  })
}

/** Checks a number of Sweden by Luhn's algorithm over the last ten digits. */
function isPersonnummer(value: string): boolean {
  const doubled = Array.from(value.slice(-10), (digit, index) => Number(digit) * (index % 2 === 0 ? 2 : 1))
  return doubled.reduce((sum, one) => sum + (one > 9 ? one - 9 : one), 0) % 10 === 0
}

/**
 * Checks a number of France or Belgium. Its last two digits are 97 minus the remainder of the digits before them by 97.
 * `before` is put before the number: Belgium puts 2 before that of a person born from 2000 on.
 */
const isModulo97 = (value: string, before = ''): boolean =>
  97 - (Number(before + value.slice(0, -2)) % 97) === Number(value.slice(-2))

/** Checks a number of China. Its last character is the weighted sum modulo 11, with X for ten. */
const isChineseIdentity = (value: string): boolean =>
  '10X98765432'[weigh(value, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]) % 11] === value[17]

/** Lists the numbers by country. A name must stand beside a number, since digits alone may be an order number. */
const NUMBERS: readonly IdentityNumber[] = [
  {
    names: /\b(?:dni|nie|nif)\b/i,
    pattern: /(?<![\w.-])(?:\d{8}|\d{2}\.\d{3}\.\d{3}|[XYZ][ -]?\d{7})[ -]?[A-Z](?!\w)/gi,
    isValid: isDni,
  },
  {
    names: /\b(?:bsn|burgerservicenummer|sofi-?nummer)\b/i,
    pattern: /(?<![\w.-])\d{3}[ .]?\d{3}[ .]?\d{3}(?!\w)/g,
    isValid: (value) => weigh(value, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0,
  },
  {
    names: /steuer-?(?:id(?:ent\p{L}*)?)\b|steuerliche id|\bidnr\b|german tax (?:id|number)/iu,
    pattern: /(?<![\w.-])\d{2} ?\d{3} ?\d{3} ?\d{3}(?!\w)/g,
    isValid: isSteuerId,
  },
  {
    names: /s[ée]curit[ée] sociale|num[ée]ro s[ée]cu\b|\b(?:nir|insee)\b/i,
    pattern: /(?<![\w.-])[12] ?\d\d ?\d\d ?\d\d ?\d{3} ?\d{3} ?\d\d(?!\w)/g,
    isValid: isModulo97,
  },
  {
    names: /rijksregister|registre national|national (?:register )?number/i,
    pattern: /(?<![\w-])\d\d[. ]?\d\d[. ]?\d\d[- ]?\d{3}[. ]?\d\d(?!\w)/g,
    isValid: (value) => isModulo97(value) || isModulo97(value, '2'),
  },
  { names: /\bcpf\b/i, pattern: /(?<![\w-])\d{3}\.?\d{3}\.?\d{3}[ -]?\d\d(?!\w)/g, isValid: isCpf },
  {
    names: /\bpesel\b/i,
    pattern: /(?<![\w.-])\d{11}(?!\w)/g,
    isValid: (value) => weigh(value, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0,
  },
  { names: /personnummer/i, pattern: /(?<![\w.-])(?:\d\d)?\d{6}[-+ ]?\d{4}(?!\w)/g, isValid: isPersonnummer },
  {
    // A number of China needs no name beside it, since its form has a date of birth.
    names: /^/,
    pattern:
      /(?<![A-Za-z0-9])[1-9]\d{5}(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx](?![A-Za-z0-9])/g,
    isValid: isChineseIdentity,
  },
  {
    // Driving licences have different checks in each state, so that none is made.
    names: /\bdriv(?:er['’]?s?|ing) licen[cs]e|f[üu]hrerschein(?:nummer|nr)|permis de conduire n/i,
    pattern: /(?<![\w-])(?=[A-Z]*\d*[A-Z])(?=(?:[A-Z]*\d){5})[A-Z\d]{7,18}(?!\w)/g,
    isValid: () => true,
  },
]

/** Names that identify a number by standing directly before it. Its check digits are not tested. */
const NAMES_BEFORE = either(
  /national insurance|n\.?i\.?|nino|nhs|medicare|social insurance|tax file|(?:[a-z]{4,12} )?(?:national|identity|citizen|turkish)(?: (?:id|identity))?(?: card)?|aadhaa?r/u,
  /(?:t\.?c\.?\s?)?kimlik|codice fiscale|(?:personal)?ausweis|carte d['’]identité|carta d['’]identità|주민(?:등록)?\s?번호|マイナンバー|個人番号/u,
)
const NUMBER_WORDS = String.raw`(?:[\s-]?(?:number|num|no|nummer|nr|numaram?|numarası|numero|numéro|n[°º]|id|card|#)\.?){0,2}`
/** Matches a named number of at least five digits: “NI number is QQ 12 34 56 C”, “TC kimlik no …”, 주민등록번호 …. */
const NAMED = new RegExp(
  String.raw`(?<![\p{L}])(?:${NAMES_BEFORE})(?<word>${NUMBER_WORDS})(?:\s?(?:is|was|ist|lautet|est|è|[:=：]|는|은|は))?\s{0,3}(?<secret>(?:[A-Z]{2} )?[A-Z]{0,6}\d[A-Z\d]*(?:[ .-](?:[A-Z]{0,2}\d[A-Z\d]*|[A-Z])(?![A-Z]))*)`,
  'giu',
)

function findNamed(text: string): SecretSpan[] {
  return [...text.matchAll(NAMED)].flatMap(({ 0: whole, index, groups }): SecretSpan[] => {
    const [secret = '', word = ''] = [groups?.['secret'], groups?.['word']]
    const isShort = /^(?:n\.?i|nhs|medicare|national|identity|citizen)\b/i.test(whole) && word === ''
    const end = index + whole.length
    return isShort || secret.replace(/\D/g, '').length < 5
      ? []
      : [{ start: end - secret.length, end, kind: 'account number' }]
  })
}

/** Characters searched for a name before and after a number. */
const CHARACTERS_BEFORE = 40
const CHARACTERS_AFTER = 30

/** Finds identity numbers of some countries. A span has only the number, without its name. */
export function findIdentityNumbers(text: string): SecretSpan[] {
  if (!/\d{2}/.test(text)) return []
  const checked = NUMBERS.filter(({ names }) => names.test(text)).flatMap(({ names, pattern, isValid }) =>
    [...text.matchAll(pattern)].flatMap(({ 0: written, index }): SecretSpan[] => {
      const end = index + written.length
      const [before = ''] = /[^\n]*$/.exec(text.slice(Math.max(0, index - CHARACTERS_BEFORE), index)) ?? []
      const [after = ''] = /^[^\n.!?]*/.exec(text.slice(end, end + CHARACTERS_AFTER)) ?? []
      const isNamed = names.test(before) || names.test(after)
      return isNamed && isValid(written.toUpperCase().replace(/[^A-Z\d]/g, ''))
        ? [{ start: index, end, kind: 'account number' }]
        : []
    }),
  )
  return [...checked, ...findNamed(text)]
}
