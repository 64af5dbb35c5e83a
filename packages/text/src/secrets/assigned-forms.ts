// Each row: what it finds, a hint, the pattern, and a test of the value (secret-form.ts explains them).
import { isMixed, key, password, type Form } from './secret-form.ts'

/** Names of values that are always passwords. Values of the names below are secret only if they look so. */
const PASSWORD_NAME = String.raw`passw(?:or)?d|passwort|kennwort|passphrase|passcode|pass|pwd|contrase(?:ñ|n)a|senha|parola|password|mdp|密码|口令`
const SECRET_NAME = String.raw`secret|token|api[_. -]?key|apikey|app[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?key|account[_-]?key|shared[_-]?key|sharedaccesskey|accountkey|client[_-]?secret|signing[_-]?key|encryption[_-]?key|master[_-]?key|license[_-]?key|credentials?|auth(?!ors?(?!\p{L}))|jwt|session[_-]?id|key`
/** A value in double quotes, in single quotes, or without quotes. */
const VALUE = String.raw`(?:\\?"(?<double>(?:[^"\\\n]|\\(?!")[^\n]){1,500})\\?"|'(?<single>[^'\n]{1,500})'|(?<plain>[^\s"'${'`'}<>,;&{}()[\]|\\]{3,500}))`
/** The sign between a name and its value: “=”, “: ”, “->”. */
const LINK = String.raw`(?:\\?["'’])?\]?\s{0,3}(?::=|=>|->|::|={1,3}|[:：＝])\s{0,3}`

const assigned = (names: string): RegExp =>
  new RegExp(
    String.raw`(?<![\p{L}\p{N}_.-])(?<name>[\w.-]{0,40}?(?:${names})[\w-]{0,20})${LINK}${VALUE}`,
    'giu',
  )

/** Secrets assigned to a name. */
export const ASSIGNED: readonly Form[] = [
  password(
    '`DB_PASSWORD=…`, `"password": "…"`',
    /pass|pwd|kennwort|contrase|senha|parola|mdp|密码|口令/i,
    assigned(PASSWORD_NAME),
    isAssignedPassword,
  ),
  key('`api_key: …`', /[:=：＝>]/, assigned(SECRET_NAME), isAssignedKey),
]

/** Reports whether a name is for a password. Longer words that only begin with “pass” are not, as in “Passengers: 120”. */
function namesPassword(name: string): boolean {
  return (
    /passw|passphr|passco|passke|pwd|kennwort|contrase|senha|parola|mdp|密码|口令/i.test(name) ||
    /[Pp]ass(?![a-zß-ÿ])|PASS(?![A-Z])/.test(name)
  )
}

/** Reports whether a value measures how many passes succeeded or how long one took: “pass: 60%”, `"scan_over_pass": 1.54`. */
function isMeasureOfPasses(name: string, value: string): boolean {
  return !/passw|passphr|passco|passke|pwd/i.test(name) && /^\d{0,4}\.\d+$|^\d{1,3}(?:\.\d+)?%$/.test(value)
}

/** Reports whether a value assigned to the name of a password is one. A value after a mere colon may be ordinary text. */
function isAssignedPassword(value: string, match: RegExpExecArray): boolean {
  const { name, isQuoted, isIdentifier, hasEqualsSign } = readAssignment(match)
  if (!namesPassword(name) || (!hasEqualsSign && isMeasureOfPasses(name, value))) return false
  if (/pass$/i.test(name) && !isIdentifier && !hasEqualsSign) return isQuoted && isMixed(value)
  return hasEqualsSign || (isQuoted && value.length >= 3) || isIdentifier || /[\d@#%&*_$!]/.test(value)
}

/** Reports whether a value assigned to the name of a key is one. */
function isAssignedKey(value: string, match: RegExpExecArray): boolean {
  const { name, isQuoted, isIdentifier, hasEqualsSign } = readAssignment(match)
  // “key” and “auth” are also ordinary words, so that only a long value after them is a secret.
  const isOrdinaryWord = /^(?:key|auth|[a-z]*keys?)$/i.test(name)
  const minLength = isOrdinaryWord ? 16 : 8
  return (
    isMixed(value) &&
    value.length >= minLength &&
    !/\s/.test(value) &&
    !/^(?:https?:|\/|\.\/|\d{4}-\d\d)/.test(value) &&
    (hasEqualsSign || isQuoted || isIdentifier || value.length >= 16)
  )
}

function readAssignment(match: RegExpExecArray) {
  const { name = '', double, single, plain = '' } = match.groups ?? {}
  const quoted = double ?? single
  const valueLength = (quoted ?? plain).length
  return {
    name,
    isQuoted: quoted !== undefined,
    isIdentifier: /[_.-]|[a-z][A-Z]|^[A-Z]{4,}$/.test(name),
    hasEqualsSign: match[0].slice(name.length, match[0].length - valueLength).includes('='),
  }
}
