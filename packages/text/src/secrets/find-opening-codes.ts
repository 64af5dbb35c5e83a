import type { SecretSpan } from './secret-span.ts'

/** Finds codes of locks and passwords without a verb: “the code for the safe is …”, “root pw …”. Called by find-passwords.ts. */
export function findOpeningCodes(text: string): SecretSpan[] {
  return [...OF_LOCKS, ...DIRECTLY_AFTER_NAME].flatMap((pattern, index) =>
    [...text.matchAll(pattern)].flatMap((match): SecretSpan[] => {
      const value = match.groups?.['secret'] ?? ''
      if (value === '' || value.includes('[') || (index >= OF_LOCKS.length && isCounted(value, match[0])))
        return []
      const start = match.index + match[0].lastIndexOf(value)
      return [{ start, end: start + value.length, kind: 'password' }]
    }),
  )
}

function isCounted(value: string, whole: string): boolean {
  return COUNTED.test(value) && /[A-Za-z]/.test(whole) && !/\p{Script=Han}/u.test(whole)
}

/** Objects with a digital lock. */
const LOCKED = String.raw`(?:front |back |main |garden |side |cellar )?(?:doors?|gates?|safes?|vaults?|alarms?|lock(?:s|er|ers|box)?|padlocks?|garages?|houses?|homes?|flats?|apartments?|buildings?|lobby|entrance|gym|sheds?|suitcases?|briefcases?|bikes?|key ?(?:safe|box)|boxes?|cabinets?|drawers?|phones?|laptops?|tablets?|lifts?|elevators?|offices?|stud(?:y|io)|mailbox|letterbox|cottage|cabin|boat|car)`
const OWNER = String.raw`(?:the|my|our|his|her|their|your|mum['’]s|dad['’]s)`
const IS = String.raw`(?:\s*(?:\b(?:is|was|are|will be|changed to|set to|now)\b|[:=：＝]|->|→|\s[-–—]\s)\s*(?:now |still |just )?|(?:['’]s)?\s+(?=\d))`
const DIGITS = String.raw`(?<secret>\d[\d#*]{2,11}(?:[ -]\d[\d#*]{0,7}){0,4}|\d{1,2}(?:[ -]\d{1,2}){2,4})(?![\p{L}\p{N}%€$£]|[.,]\d|\s?(?:%|€|\$|£|kg|km|m|cm|g|lines?|times|steps|people|euros?|dollars?|pounds?|years?|hours?|minutes?|days?|meters?|metres?|feet|pages?|characters?|digits?)\b)`

/** Forms of codes: “AB12-CD34”, “1234 5678”. */
const CODE_FORMS = String.raw`(?:(?=[A-Za-z]{0,11}\d)[A-Za-z\d]{3,12}|[A-Z]{3,12})(?:-[A-Za-z\d]{2,12}){1,7}|\d{4,12}(?:[ ,-]{1,2}\d{4,12}){0,11}`
/** Uses of codes: “recovery”, “2fa”. */
const CODE_USES = 'backup|recovery|rescue|reset|scratch|one-?time|2fa|mfa|restore|emergency'
/** Match “the code for the safe is 4471-2290”, “bike lock code 7749”, “combination to the locker: 12-34-07”. */
const OF_LOCKS: readonly RegExp[] = [
  new RegExp(
    String.raw`\b(?:codes?|combinations?|combos?|numbers?|digits) (?:for|to|of|on|that opens) ${OWNER} (?:[\w'’-]+ ){0,2}?${LOCKED}\b${IS}${DIGITS}`,
    'giu',
  ),
  new RegExp(
    String.raw`\b${LOCKED}(?:['’]s)? (?:key ?pad|code|combination|combo|pin|number)(?: code)?\b${IS}${DIGITS}`,
    'giu',
  ),
  new RegExp(String.raw`\bkey ?pad(?: code)?\b${IS}${DIGITS}`, 'giu'),
  // Matches codes of cards and accounts: “my bank card pin is 4821”.
  new RegExp(
    String.raw`\b(?:puk\d?|(?:voice ?mail|phone|sim|card|bank|account|debit|credit|atm|login|unlock|screen|my|our|his|her) (?:pin|puk|tan|otp|passcode))(?: (?:code|number))?\b${IS}(?<secret>\d{4,10})(?!\d|[.,]\d)`,
    'giu',
  ),
  // Matches “The gate opens with 2580”, “enter 7749 to open the lockbox” and “our safe: 12-34-56”.
  new RegExp(
    String.raw`\b${LOCKED}\s+(?:opens?|unlocks?|locks?|disarms?|is (?:opened|unlocked|locked|disarmed|switched off|turned off)|can be (?:opened|unlocked|switched off))\s+(?:with|by|using|on)\s+(?:the (?:code|number|pin) )?${DIGITS}`,
    'giu',
  ),
  new RegExp(
    String.raw`\b(?:enter|punch in|punch|type in|type|press|dial|key in|put in|use|code)\s+${DIGITS}\s+(?:to\s+(?:open|unlock|disarm|get (?:in|into)|enter|switch off)|(?:at|on|for|into) (?:the|my|our) ${LOCKED})\b`,
    'giu',
  ),
  new RegExp(
    String.raw`\b(?:safe|vault|alarm|lock ?box|padlock|key (?:safe|box))\s*(?:[:=]|\bis\b)\s*(?!(?:[01]\d|2[0-3])[0-5]\d(?!\d))${DIGITS}`,
    'giu',
  ),
  /\b(?:cv[vc]2?\s{1,3}|security code(?: on the back)?(?:['’]s| is| was)?\s*:?\s*)(?<secret>\d{3,4})(?![\p{L}\p{N}])/giu,
  // Matches names that need no owner: “passcode 556677”, “pin's 4481”, “key safe 2580”.
  new RegExp(
    String.raw`\b(?:passcode|pin(?=['’]s)|pins|key (?:safe|box)|lock ?box|padlock)\b(?:${IS}|\?\s+)${DIGITS}`,
    'giu',
  ),
  // Matches “the door code changed, it's 5589#” and “gym locker 0442 is the code”.
  new RegExp(
    String.raw`\b${LOCKED} (?:code|combination|combo|pin)s?\b[^\n.\d]{0,30}?[,;] (?:it['’]?s|it is|now|it['’]ll be)(?: now)? ${DIGITS}`,
    'giu',
  ),
  new RegExp(
    String.raw`\b${LOCKED} ${DIGITS} (?:is|was) (?:the|my|our) (?:new )?(?:code|combination|combo|pin)\b`,
    'giu',
  ),
  // Matches codes that replace a password: “2FA backup codes: AB12-CD34”.
  new RegExp(
    String.raw`\b(?:${CODE_USES})[- ](?:codes?|keys?)\b\s*(?:(?:is|are|was|were)\b|[:=：]|\s[-–—]\s)?\s*(?<secret>${CODE_FORMS})(?![\p{L}\p{N}-])`,
    'giu',
  ),
]
/** Match a password name directly before letters and digits: “root pw x9Kq2!”, “ssh pass: tr0ub4dor”, 门禁密码2580. */
const DIRECTLY_AFTER_NAME: readonly RegExp[] = [
  /(?:(?<![\p{L}\p{N}])(?:pass ?(?:word|code|phrase)|pwd|passwd|pw)\s+|(?<![\p{L}\p{N}])pass\s?[:=]\s*|\b(?:user|root|admin|login|ssh|ftp|sftp|wi-?fi|vpn|sudo|smtp|imap|db|database|server|router|account)(?:\s[\w.@-]{1,40})?,?\s(?:pass|pw)\s+(?:is\s+)?)["'`(（]?(?<secret>(?=[^\s"'`]{0,60}\d)(?=[^\s"'`]{0,60}\p{L})[^\s"'`[\]]{5,64}?)(?=[.,;!?)'"`]*(?:\s|$))/giu,
  /(?:密码|密碼|口令|验证码|驗證碼|暗号|取件码|提取码|开门码|门禁码|门禁)\s{0,2}(?<secret>\d{4,10}[#*]?|(?=[!-~]{0,40}\d)(?=[!-~]{0,40}[A-Za-z])[!-~]{6,40}?)(?![\d!-~]|\s{0,2}[位个次遍天年元分秒])/gu,
]
/** Matches counts, measures and versions: “2nd”, “90210km”. */
const COUNTED =
  /^(?:v?\d+(?:st|nd|rd|th|km|kg|am|pm|gb|mb|bits?|chars?|hours?|mins?|days?|px|ms|s)?|[a-z]+-\d{1,2}|\d+-[a-z]+|https?:.*|\d{1,2}:\d\d.*|windows\d+|covid-?19)$/i
