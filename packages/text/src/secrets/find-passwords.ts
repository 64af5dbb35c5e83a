// Finds passwords that sentences state: “my password is hunter2”. Called by mask-secrets.ts.
import { either, pattern } from '../pattern.ts'
import { findOpeningCodes } from './find-opening-codes.ts'
import { findSpelled } from './find-spelled.ts'
import type { Finder, SecretSpan } from './secret-span.ts'

/** Find stated passwords: “my password is hunter2”, 我的密码是…. A plain word is a password unless it describes a state. */
export const PASSWORDS: readonly Finder[] = [
  findOpeningCodes,
  findSpelled,
  findInEnglish,
  findInOtherLanguages,
  findInChinese,
  findAfterMisspeltName,
  findInOtherOrders,
]

/** Reports whether a word only describes a password, as “wrong” does, and is none itself. */
export function isState(word: string): boolean {
  return STATE.test(word)
}

function findAfterMisspeltName(text: string): SecretSpan[] {
  return [...text.matchAll(MISSPELT_NAME)].flatMap((match) => {
    const { word = '', secret = '' } = match.groups ?? {}
    const isMeant = ['password', 'passwd', 'passcode'].some((name) => isNear(word.toLowerCase(), name))
    if (!isMeant || secret.startsWith('[masked')) return []
    return [spanAt(match.index + match[0].lastIndexOf(secret), secret)]
  })
}

/** Reports whether two words differ by one edit or a transposition. */
function isNear(word: string, name: string): boolean {
  if (word === name || Math.abs(word.length - name.length) > 1) return false
  let index = 0
  while (index < word.length && word[index] === name[index]) index += 1
  const [rest, wanted] = [word.slice(index), name.slice(index)]
  return (
    rest.slice(1) === wanted.slice(1) ||
    rest.slice(1) === wanted ||
    rest === wanted.slice(1) ||
    (rest[0] === wanted[1] && rest[1] === wanted[0] && rest.slice(2) === wanted.slice(2))
  )
}

function spanAt(start: number, value: string): SecretSpan {
  return { start, end: start + value.length, kind: 'password' }
}

function findInEnglish(text: string): SecretSpan[] {
  return [...text.matchAll(ENGLISH)].flatMap((match) => {
    const [whole, double, single, plain] = match
    const quoted = double ?? single
    const value = quoted ?? plain
    if (value === undefined) return []
    const start = match.index + whole.lastIndexOf(value)
    const isPhrase = /phrase|words|mnemonic/i.test(whole)
    const isBare = quoted === undefined && !whole.includes('=') && isPlainWord(value)
    const behind = isBare ? wordsBehind(text, start + value.length, isPhrase) : ''
    if (COUNTS.test(`${value}${behind}`) || (isPhrase && isSentence(`${value}${behind}`))) return []
    const isMeant = isSecret(value, quoted !== undefined, isCode(whole)) || (isBare && isPassphrase(behind))
    return isMeant && !value.startsWith('[masked') ? [spanAt(start, value + behind)] : []
  })
}

/** Returns the plain words of a password up to the end of the clause: “hunter of the blue boats”. */
function wordsBehind(text: string, from: number, isPhrase: boolean): string {
  const maxWords = isPhrase ? 30 : 7
  // `BEHIND` reads one word more than the maximum, which is enough to know that there are too many.
  const behind = BEHIND[isPhrase ? 'phrase' : 'password'].exec(text.slice(from, from + 300))?.[0] ?? ''
  const words = behind.split(/(?=[ \t])/).filter(Boolean)
  const stop = isPhrase ? -1 : words.findIndex((word) => STOPS.has(word.trim().toLowerCase()))
  const taken = stop < 0 ? words : words.slice(0, stop)
  return taken.length > maxWords ? '' : taken.join('')
}
const BEHIND = {
  phrase: /^(?:[ \t]+[\p{L}\p{N}'-]+){0,31}/u,
  password: /^(?:[ \t]+[\p{L}\p{N}'-]+){0,8}/u,
} as const

/** Reports whether words are a sentence about phrases in general: “a seed phrase is twelve words that you should write down”. */
function isSentence(words: string): boolean {
  return (
    (words.match(/(?<![\p{L}])(?:that|you|the|and|should|your|for|with|from|which|down|to|it)(?!\p{L})/giu)
      ?.length ?? 0) >= 3
  )
}

function isPlainWord(value: string): boolean {
  return /^[\p{L}'-]+$/u.test(value)
}

/** Reports whether the words after a first one make a passphrase: at least three, none of which describes a state or a time. */
function isPassphrase(behind: string): boolean {
  const words = behind.trim().split(/\s+/)
  return (
    words.length >= 3 &&
    words.every((word) => word.length >= 4 && !isState(word) && !TIME_WORDS.has(word.toLowerCase()))
  )
}
/** Words that may follow a password in its sentence and are no part of it: “again”, “yesterday”. */
const TIME_WORDS = new Set(
  'every single again time times today tomorrow yesterday according than before after until each even though there here always never ever more most already still only also just anyway either these those week month year'.split(
    ' ',
  ),
)

/** Reports whether matched words begin with the name of a numeric code, such as a pin. */
function isCode(whole: string): boolean {
  return CODE_NAME.test(whole)
}

/** Reports whether a value is a secret. A pin needs digits, since a pin on a board or a map is none. */
function isSecret(value: string, isQuoted: boolean, isPin: boolean): boolean {
  if (value.startsWith('[masked')) return false
  if (isPin) return /^\d[\d -]{1,14}\d$/.test(value)
  if (/[\d\p{S}@#%&*_]/u.test(value) || isQuoted) return true
  return !isState(value)
}

/** Finds passwords in other languages. A plain short word counts only after a colon or in quotation marks. */
function findInOtherLanguages(text: string): SecretSpan[] {
  return [...text.matchAll(OTHERS)].flatMap((match) => {
    const [whole, quoted, plain] = match
    const value = (quoted ?? plain ?? '').replace(/(?:です|입니다|이에요|예요)$/u, '')
    if (value === '' || value.startsWith('[masked')) return []
    const start = match.index + whole.lastIndexOf(value)
    const isStated = quoted !== undefined || /[:=：＝]\s*$/.test(whole.slice(0, whole.lastIndexOf(value)))
    const isMarked = /[\d\p{S}@#%&*_!]|\p{Ll}\p{Lu}/u.test(value) || (isStated && !isState(value))
    return isMarked && (!isCode(whole) || /^\d/.test(value)) ? [spanAt(start, value)] : []
  })
}

function findInChinese(text: string): SecretSpan[] {
  return [...text.matchAll(CHINESE), ...text.matchAll(CHINESE_QUOTED)].flatMap((match) => {
    const value = match[1]
    if (value === undefined || value.startsWith('[masked')) return []
    return [spanAt(match.index + match[0].lastIndexOf(value), value)]
  })
}

/** Finds values by the patterns of OTHER_ORDERS. A value must have a digit or a sign. */
function findInOtherOrders(text: string): SecretSpan[] {
  return OTHER_ORDERS.flatMap((pattern) => [...text.matchAll(pattern)]).flatMap((match) => {
    const value = match[1] ?? ''
    if (!/[\d\p{S}@#%&*_!]/u.test(value) || value.includes('masked') || value.includes('[')) return []
    return [spanAt(match.index + match[0].indexOf(value), value)]
  })
}

/** Words that may follow “my password is” and are no password: “not”, “wrong”, “written”. */
const STATE_WORDS = either(
  /not|no|in|on|at|too|so|very|really|quite|pretty|the|a|an|my|your|his|her|our|their|what|when|where|how|why|who|which|that|this|there|it|also/,
  /always|never|safe|wrong|weak|strong|long|short|easy|hard|simple|different|same|correct|right|lost|gone|okay|ok|fine|good|bad|great|invalid/,
  /secure|unique|hidden|written|stuck|almost|probably|something|nothing|anything|case|only|being|and|or|but|if|because|to|for|from|with|under/,
  /by|about|empty|blank|new|old|due|optional|mandatory|needed|asked|sent|here|public|private|secret|enough|up|out|off|key|one|all|saved|reset/,
  /super|kept|made|set|known|shown|broken|forgotten|rubbish|nonsense|annoying|ready|required|unknown|important/,
  /stolen|sold/,
)
/** Matches a word that describes the state, kind or place of a password, by list or by ending (“expired”, “n't”). */
const STATE = pattern('i', String.raw`^(?:${STATE_WORDS})$`, /(?:ed|ing|able|ible|ly|ous|ful|less|n['’]t)$/)
/** Words that follow a passphrase and do not belong to it: “and”, “because”, “thanks”. */
const STOPS: ReadonlySet<string> = new Set(
  'and but so because which for on in at please ok okay thanks thank by to now then if or when while since as i you he she we they it that this not is was if btw by don just write keep tell with from of the'.split(
    ' ',
  ),
)
/** Matches words that count what a password consists of, or its age: “two words long”, “between eight”. */
const COUNTS =
  /^(?:between|over|(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2})(?: (?:random|plain|different|common))? (?:words?|years?|months?|weeks?|days?|characters?|letters?|digits?|numbers?))(?!\p{L})/iu
/** Names of passwords by language. */
const NAMES = {
  en: String.raw`pass ?(?:word|code|phrase|key)s?|pwd|passwd|pw|pass-?phrase|(?:seed|recovery|secret|backup|mnemonic) (?:phrase|words|key|passphrase)|mnemonic|(?:wi-?fi|wlan|wpa\d?|hotspot|network security) (?:key|code)`,
  others: String.raw`contrase[ñn]as?|clave(?: de acceso)?|mot de passe|mots de passe|mdp|code d['’]acc[eè]s|passwort|passwörter|kennwort|zugangscode|senha|palavra[- ]passe|password|parola d['’]ordine|chiave del(?:la)? (?:wi-?fi|rete)|parola|wachtwoord|lösenord|adgangskode|passord|salasana|hasło|heslo|jelszó|parolă|şifre(?:m|niz)?|sifre(?:m)?|parolam|пароль|пароля|κωδικός(?: πρόσβασης)?|סיסמ[הת]י?|الرقم السري|كلمة (?:السر|المرور)|كلمة مروري?|पासवर्ड|パスワード|暗証番号|비밀번호|암호|รหัสผ่าน|mật khẩu|kata sandi|sandi|senha`,
} as const
/** Names of numeric codes. */
const CODES = String.raw`pin(?: (?:code|number))?|cv[vc]2?|security code|(?:door|gate|alarm|disarm(?:ing)?|arming|duress|unlock|lock|access|safe|entry|verification|confirmation|2fa|one-time|login|bank|card) (?:code|pin)|otp|código(?! postal)(?: pin)?|geheimzahl|pin-?code|code secret|код|pin码`
const ENGLISH = new RegExp(
  String.raw`\b(?:${NAMES.en}|${CODES})\b(?: (?:for|to|of|on|at) (?:[^\s[]+ ){0,4}?[^\s[]+?)??(?:\s*(?:\b(?:is|was|are|will be|has been|changed to|set to|reset to|used to be)\b|[:=：＝]|->|=>|→|\s[-–—]\s)\s*)(?:now |actually |still |just |set to |called )*(?:["“${'`'}‘]([^"”${'`'}’\n]{3,120})["”${'`'}’]|'([^'\n]{3,120})'(?!\p{L})|'?([^\s"'”’${'`'}]{3,64}?)(?=[.,;!?)'’]*(?:\s|$)))`,
  'giu',
)
const OTHERS = new RegExp(
  String.raw`(?<!\p{L})(?:${NAMES.others}|${CODES})(?!\p{Script=Latin}|\p{Script=Cyrillic})(?:\s+(?:de|del|da|do|para|pour|du|für|von|per|na|do|voor|för|mi|my|wifi|wi-fi|wlan|[\p{L}\d.-]{1,16})){0,4}?(?:,?\s*(?:(?<!\p{L})(?:es|est|c['’]est|serait|sarebbe|é|è|ist|lautet|heißt|is|är|er|on|jest|to|je|este|e|era|war|היא|هو|هي|είναι|это)(?!\p{L})|[:=：＝]|[-–—](?=\s)|は|が|是|은|는|:|है|คือ|là|adalah)\s*)(?:["“„«「'${'`'}‘]([^"”“»」'${'`'}’\n]{3,120})["”“»」'${'`'}’]|([^\s"“”«»「」'’${'`'}、。，]{3,64}?)(?=[.,;!?)。，、]*(?:\s|$|[。，、です입이예]|です)))`,
  'giu',
)
const CHINESE =
  /(?:密码|密碼|口令|解锁码|取件码|提取码|开门码|开锁码|门禁码|支付码|安全码|通行码|验证码|暗号)(?:现在|改成|设)?\s*(?:是|为|：|:|=|改成了?|设成了?|叫)\s*["“「'`]?([\x21-\x7e]{3,64}?)(?=[.,;!?]*(?:["”」'`\s，。；！？、\u3400-\u9fff]|$))/gu
const CHINESE_QUOTED =
  /(?:密码|密碼|口令|暗号)[^\s，。]{0,6}?(?:是|为|：|:|=|叫)\s*["“「『]([^"”」』\n]{2,64})["”」』]/gu
/** Match “hunter2 is my password”, “use hunter2 as the password” and “log in with ana / hunter2”. The first group is the password. */
const OTHER_ORDERS: readonly RegExp[] = [
  /(?<![\p{L}\p{N}])([^\s"'“”]{3,64}?)['"”]?\s+(?:is|was)\s+(?:(?:still|now|also)\s+)?(?:my|the|our|his|her|their|your)\s+(?:[\w-]+\s+){0,2}(?:pass ?(?:word|code|phrase)|pwd|pin)\b/giu,
  /\b(?:use|using|used|try|type|enter|with|put|send|give)\s+(?:in\s+)?["“'`]?([^\s"'“”`]{3,64}?)["”'`]?\s+(?:as|for)\s+(?:(?:my|the|our|his|her|their|your|a)\s+)?(?:[\w-]+\s+){0,2}(?:pass ?(?:word|code|phrase)|pwd|pin)\b/giu,
  /\b(?:chang|set|reset|updat|switch)\w*\s+[^.\n]{0,40}?\b(?:pass ?(?:word|code|phrase)|pwd|pin)\b[^.\n]{0,30}?\s(?:to|into)\s+["“'`]?([^\s"'“”`]{3,64}?)(?=[.,;!?)'"”`]*(?:\s|$))/giu,
  /\b(?:log(?:in|-in|on| in)?|sign(?:in|-in| in)?|credentials?|creds|user(?:name)?(?: and password|\/pass(?:word)?))\b\s*(?:is|are|with|as|:|=)\s*["'`]?[^\s"'`/|:]{1,64}["'`]?\s*(?:\/|\||:|\band\b|,)\s*["'`]?([^\s"'`]{3,64}?)(?=[.,;!?)'"`]*(?:\s|$))/giu,
  // Matches “Soleil!2024 c'est mon mot de passe” and “Sonne#77 ist mein Passwort”.
  new RegExp(
    String.raw`(?<![\p{L}\p{N}])(?=\S{0,60}[\d\p{S}])([^\s"'“”«»]{5,64}?)['"”»]?,?\s+(?:c['’]est|est|ist|es|é|è|is)\s+(?:le|mon|notre|das|mein|unser|la|mi|nuestra|a|minha|nossa|(?:la )?mia|het|mijn)\s+(?:${NAMES.others})(?!\p{L})`,
    'giu',
  ),
  // Matches “the password is the dog's name, Pickle99”.
  /\b(?:pass ?(?:word|code|phrase)|pwd|pw)\b\s{0,3}(?:(?:is|was)\s)?(?:still |just |also |now )?(?:the same|same|my|our|the|his|her|their)\b[^.;:\n]{1,50}?,\s{0,3}["'“]?((?=[!-~]{0,40}\d)(?=[!-~]{0,40}\p{L})[!-~]{5,64}?)(?=[.,;!?)'"”]*(?:$|\n|\s(?:and|but|so)\b))/giu,
  /\b(?:imei|ssn|social security(?: number)?)\b\s*(?:is|:|=)\s*(\d[\d -]{7,17}\d)/giu,
]
/** Matches a part of any name of a secret. Most texts fail this cheap test and skip the finders of `PASSWORDS`. */
export const MAY_TELL_PASSWORD = pattern(
  'i',
  /pass|\bp[a-z]{0,2}s+[a-z]{1,4}d\b|combination|combo|keypad|\bpuk\b|\btan\b|wlan|wi-?fi/u,
  /取件码|提取码|[锁门付全]码|门禁|\bpunch|\bdial|\benter|\bpress|\b(?:opens?|unlocks?|disarms?|safe|alarm|lock|answer)|pwd|\bpw\b|\bpins?\b|cv[vc]/u,
  /code|otp|phrase|words|key|mnemonic|log|sign|cred|user|ssn|social|contrase|clave|mdp|kennwort|senha|palavra|parola|wachtwoord/u,
  /lösenord|adgangskode|salasana|hasło|heslo|jelszó|şifre|sifre|geheim|c[óo]digo|парол|код|κωδικ|סיסמ|كلمة|الرقم|पासवर्ड/u,
  /パスワード|暗証|비밀|암호|รหัส|khẩu|sandi|密码|密碼|口令|通行码|验证码|暗号/u,
)
/** Matches a word that may be “password” with an error, and the value after it: “passwrod is …”, “pasword: …”. */
const MISSPELT_NAME =
  /(?<!\p{L})(?<word>p[a-z]{4,8})(?:\s(?:for|to|of|on)\s[^\s[]{1,30}(?:\s[^\s[]{1,30})?)?\s{0,2}(?:\b(?:is|was)\b|[:=])\s{0,2}["'`]?(?<secret>(?=[!-~]{0,60}\d)(?=[!-~]{0,60}[A-Za-z])[!-~]{5,64}?)(?=[.,;!?)'"`]*(?:\s|$))/giu
const CODE_NAME = new RegExp(`^(?:${CODES})`, 'iu')
