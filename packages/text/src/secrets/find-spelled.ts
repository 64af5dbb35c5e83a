// Finds secrets that are spelled character by character, or whose digits are words: “my pin is four two seven one”. Called by find-passwords.ts.
import { either } from '../pattern.ts'
import type { SecretSpan } from './secret-span.ts'

/** Digits as words in six languages: “seven”, “double four”, “sieben”. */
const DIGIT_WORDS = either(
  /zero|oh|one|two|three|four|five|six|seven|eight|nine/u,
  /null|eins|zwei|zwo|drei|vier|f(?:ü|ue)nf|sechs|sieben|acht|neun/u,
  /cero|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|z[eé]ro|un|deux|trois|quatre|cinq|sept|huit|neuf/u,
  /um|dois|tr[eê]s|quatro|sete|oito|nove|due|tre|quattro|cinque|sei|sette|otto/u,
)
const DIGIT_WORD = String.raw`(?:(?:double|triple) )?(?:${DIGIT_WORDS})`
const CHARACTER = String.raw`(?:(?:capital|upper ?case|lower ?case|big|small) )?[A-Za-z\d]`
/** A spelled value: at least three digit words, or four characters, between spaces, commas, dots or dashes. */
const SPELLED = String.raw`(?:${DIGIT_WORD}(?:[ ,-]{1,2}${DIGIT_WORD}){2,31}|${CHARACTER}(?:[ ._-]${CHARACTER}){3,31})(?![\p{L}\p{N}])`
/** Words after a spelled value that show it to be whole. */
const ENDS = String.raw`(?=\s*(?:$|[.,;!?)"'\n]|(?:hash|star|pound|and|but|so|ok|okay|now|for|please|don['’]?t|thanks|btw|und|y|et|e)\b))`

const NAMES = either(
  /pass ?(?:word|code|phrase|key)|pwd|pw|passwd|pin(?:[ -]?(?:code|number))?|cv[vc]2?|otp|(?:wi-?fi|wlan|network|wpa) (?:key|code)|(?:safe|lock(?:er)?|padlock|bike|suitcase|vault|door|gym|case)(?: lock)? (?:combination|combo)/u,
  /(?:door|gate|alarm|disarm(?:ing)?|security|unlock|lock|access|safe|entry|verification|confirmation|2fa|login|bank|card|keypad|garage) (?:code|pin)|(?:burglar )?alarm|padlock/u,
  /contrase[ñn]a|clave|c[oó]digo(?! postal)|mot de passe|code(?! postal)(?: secret)?|passwort|kennwort|geheimzahl|zugangscode|senha|palavra-passe|parola/u,
)
/** Words of a name that make it an example: “the most common pin”. */
const EXAMPLES =
  'common|popular|typical|usual|default|weak|bad|example|sample|error|status|promo|discount|area|morse|zip|dial(?:l)?ing|country|post|postal|product|course|booking|colou?r|exit|bar|hex|airport|class|reason|ticket|reference|return|response|tax|stock|item|voucher|cheat'
const LINKS = String.raw`(?:\s+(?:is|was|are|ist|es|est|é|è|lautet)(?!\p{L})|['’]s|\s*[:=]|,? (?:it|that)['’]?s)(?: (?:now|still|just|um|uh|er|also|like|changed to)\b,?)*`
/** Matches “my pin is four two seven one” and “the wifi key: g u e s t 9”. */
const AFTER_NAME = new RegExp(
  String.raw`(?<!\p{L})(?<!\b(?:${EXAMPLES}) )(?:${NAMES})(?: (?:for|to|of|on|at) (?:[^\s.,;]+ ){0,3}?[^\s.,;]+)??${LINKS}\s*["“']?(?<secret>${SPELLED})${ENDS}`,
  'giu',
)
/** Matches “k-i-t-e-4-4, that's my password”. */
const BEFORE_NAME = new RegExp(
  String.raw`(?<![\p{L}\p{N}-])(?<secret>${SPELLED}),? (?:is|that['’]?s|that is) (?:my|our|the) (?:\p{L}+ ){0,2}(?:${NAMES})(?!\p{L})`,
  'giu',
)

const DIGIT_ZH = '[零〇一二三四五六七八九幺两壹贰叁肆伍陆柒捌玖]'
const CHARACTER_ZH = '(?:[大小]写)?[A-Za-z\\d]'
/** A spelled value in Chinese: 一二三四, 八个八, a b c 1 2 3. */
const SPELLED_ZH = `(?:${DIGIT_ZH}(?:[、，,\\s-]?${DIGIT_ZH}){2,31}|[三四五六七八]个${DIGIT_ZH}|${CHARACTER_ZH}(?:[ ._-]?${CHARACTER_ZH}){3,31})(?![A-Za-z\\d十百千万])`
const NAMES_ZH =
  '密[码碼](?!提示|本|学|锁|问题)|口令(?!(?:是|[:：])\\s*一二)|(?:解锁|取件|提取|开门|开锁|门禁|支付|安全|通行|验证|动态)码'
const ENDS_ZH = '(?=[了吧哦啊呢]?\\s*(?:$|[，。！？,.!?；;、\\n]))'
/** Match 密码是一二三四, and 一二三四是我的密码. Without a verb, four digits are needed: 密码一二三四. */
const CHINESE = [
  new RegExp(
    `(?:${NAMES_ZH})(?:(?:现在|刚|已经|就)*(?:是|为|改成|换成|设成|叫)了?|[:：=])\\s*[“"「]?(?<secret>${SPELLED_ZH})${ENDS_ZH}`,
    'gu',
  ),
  new RegExp(`(?:${NAMES_ZH})(?<secret>${DIGIT_ZH}{4,31})${ENDS_ZH}`, 'gu'),
  new RegExp(
    `(?<![\\p{Script=Han}A-Za-z\\d])(?<secret>${SPELLED_ZH})[，,]?(?:就|这)?是(?:我|咱|我们)的?[^，。]{0,6}(?:${NAMES_ZH})`,
    'gu',
  ),
]

/** Finds passwords and codes that are spelled out, beside their names. */
export function findSpelled(text: string): SecretSpan[] {
  const patterns = /\p{Script=Han}/u.test(text)
    ? [AFTER_NAME, BEFORE_NAME, ...CHINESE]
    : [AFTER_NAME, BEFORE_NAME]
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ 0: whole, index, groups }) => {
      const secret = groups?.['secret'] ?? ''
      const start = index + whole.indexOf(secret, pattern === AFTER_NAME ? whole.length - secret.length : 0)
      return { start, end: start + secret.length, kind: 'password' as const }
    }),
  )
}
