import type { SecretKind } from './secret-span.ts'

/** A form of secret. The group named `secret` is masked, or the whole match without that group. */
export interface Form {
  /** Matches characters of which every match of `pattern` contains some. It is tested first, since it is cheaper. */
  readonly hint: RegExp
  readonly pattern: RegExp
  readonly kind: SecretKind
  readonly isSecret?: (value: string) => boolean
  /** Whether every match has 16 characters of a key in a row. Texts without such a run then skip the form. */
  readonly isToken?: boolean
}

/** Returns a function that makes forms for one kind of secret. */
const formMaker =
  (kind: SecretKind) =>
  (hint: RegExp, pattern: RegExp, isSecret: Form['isSecret'] = () => true): Form => ({
    hint,
    pattern,
    kind,
    isSecret,
  })
/** Make a form for a password, an account number, or a key. */
export const password = formMaker('password')
export const account = formMaker('account number')
export const key = formMaker('key')

/** Reports whether a value has both letters and digits, as no word has. */
export function isMixed(value: string): boolean {
  return /\d/.test(value) && /[A-Za-z]/.test(value)
}

/** Names of recovery phrases. */
const RECOVERY = String.raw`(?:seed|recovery|secret|backup|mnemonic|wallet) (?:phrase|words)|mnemonic`
const RECOVERY_ZH = '(?:助记词|助记符|恢复短语|恢复词|种子短语|种子词)'
const WORDS = String.raw`(?:[a-z]{3,8}[ ,]{1,3}){11,23}[a-z]{3,8}`

const HEX_64 = /^(?:0x)?[0-9a-f]{64}$/i

/** Forms of secrets in configuration files and commands, recovery phrases, and hashes. */
export const CONFIGURED: readonly Form[] = [
  password(
    /seed|recovery|secret|backup|mnemonic|wallet/i,
    new RegExp(
      String.raw`\b(?:${RECOVERY})\b[^\n]{0,30}?[:=]?\s{0,3}(?<secret>(?:\d{1,2}\s?[.):]?\s{0,2}[a-z]{3,8}[\s,;]{1,3}){11,23}\d{1,2}\s?[.):]?\s{0,2}[a-z]{3,8})`,
      'gi',
    ),
  ),
  password(
    /seed|recovery|secret|backup|mnemonic|wallet/i,
    new RegExp(
      String.raw`(?<![a-z])(?<secret>${WORDS})\s{1,3}(?:is|are|was|were)\s(?:my|the|our)\s(?:\w{1,12}\s){0,2}(?:${RECOVERY})`,
      'g',
    ),
  ),
  // Matches Chinese recovery words, which have one character each. find-stated.ts reads those without separators.
  password(
    /[助种恢][记子复]/,
    new RegExp(
      String.raw`${RECOVERY_ZH}[^，。\n]{0,6}?(?:是|为|[:：=])?\s{0,3}(?<secret>(?:\p{Script=Han}[ \u3000、,，]{1,2}){11,23}\p{Script=Han}(?!\p{Script=Han})|${WORDS})`,
      'gu',
    ),
  ),
  // Matches the address that an authenticator app exports.
  key(/otpauth-migration/i, /otpauth-migration:\/\/\w+\/?\?data=(?<secret>[\w%+/=-]{16,4000})/gi),
  // Matches “2FA secret: …”.
  key(
    /authenticat|2fa|totp|two-factor|setup key|验证器|两步/i,
    /(?:authenticat\w{1,5}|2fa|totp|two-factor|setup key|验证器|两步验证)[^\n:：]{0,24}?(?:key|secret|seed|code|密钥|秘钥)\s?(?:is|was|是|为|[:：=])?\s{0,3}(?<secret>(?:[a-z2-7]{4}[ -]?){3,15}[a-z2-7]{4}(?![a-z0-9]))/gi,
    isMixed,
  ),
  // Matches a line of .netrc: `machine HOST login NAME password …`.
  password(
    /login|account/i,
    /\b(?:machine\s{1,9}\S{1,200}|default)\s{1,9}login\s{1,9}\S{1,100}\s{1,9}password\s{1,9}(?<secret>\S{1,200})/gi,
  ),
  // Matches a line of .pgpass: `HOST:PORT:DATABASE:USER:PASSWORD`.
  password(
    /:(?:\d{4,5}|\*):/,
    /^[^\s:/]{1,200}:(?:\d{4,5}|\*):[^\s:]{1,64}:[^\s:]{1,64}:(?<secret>[^\s:]{3,200})$/gm,
    (value) => /[\d\p{S}@#%&*_!]/u.test(value),
  ),
  { hint: /Q~/, pattern: /(?<![\w.~-])[\w.~-]{3}\dQ~[\w.~-]{31,34}(?![\w~-])/g, kind: 'key' }, // a client secret of Azure
  { hint: /Private-MAC/, pattern: /Private-MAC:\s{0,3}(?<secret>[0-9a-f]{40,64})/gi, kind: 'key' }, // a key file of PuTTY
  // Matches password hashes, from which short passwords can be recovered.
  password(
    /\$(?:2[abxy]|apr1|[156y]|argon2)/,
    /\$(?<secret>2[abxy]\$\d\d\$[./A-Za-z0-9]{53}|(?:apr1|1|5|6)\$(?:rounds=\d{1,9}\$)?[^\s$:]{1,16}\$[./A-Za-z0-9]{22,86}|y\$[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{1,86}\$[./A-Za-z0-9]{43}|argon2(?:id|i|d)\$v=\d{1,3}\$[mtp=,\d]{5,40}\$[\w+/]{8,100}\$[\w+/]{16,200})/g,
  ),
  // Matches “my wallet private key is 0x…” and the recovery key of BitLocker.
  key(
    /priv|\d{6}-\d{6}-/i,
    /\b(?:private|priv) ?key\b[^\n:=]{0,20}?(?:\b(?:is|was)\b|[:=]|(?=\s))\s{0,3}(?<secret>(?:0x)?[0-9a-f]{32,128}|[1-9A-HJ-NP-Za-km-z]{43,90})(?![A-Za-z\d])|(?<![\d-])(?<other>(?:\d{6}-){7}\d{6})(?![\d-])/gi,
  ),
  // Matches 我的私钥是….
  key(
    /[私密秘]钥|令牌/,
    /(?:[私密秘]钥|令牌)[^\s，。:：]{0,6}?(?:是|为|\s{0,2}[:：=＝])\s{0,3}["“'`]?(?<secret>[\w+/=.~-]{16,500})/g,
    (value) => isMixed(value) || HEX_64.test(value),
  ),
  // Matches `sqlplus NAME/…@HOST`.
  password(
    /oracle|sqlplus/i,
    /(?:jdbc:oracle:\w{1,10}:|\bsqlplus\s{1,3})[^\s/@]{1,64}\/(?<secret>[^\s@/"']{1,200})@/gi,
  ),
  // Matches a command of PowerShell: `ConvertTo-SecureString '…'`.
  password(
    /SecureString/i,
    /ConvertTo-SecureString\s{1,3}(?:-String\s{1,3})?["'](?<secret>[^"'\n]{1,200})["']/gi,
  ),
  // Matches a command of Windows: `net use … /user:NAME …`.
  password(
    /net use|net user/i,
    /\bnet\s{1,3}use\s[^\n]{0,120}?\/user:\S{1,100}\s{1,3}(?<secret>[^\s/]\S{1,200})/gi,
  ),
  // Matches “739204 is your verification code”.
  password(
    /code|码/i,
    /(?<![\d.,-])(?<secret>\d{4,8})\s{1,3}(?:is|was)\s(?:your|my|the)\s(?:[\w-]{1,20}\s){0,2}(?:verification|confirmation|security|login|sign-?in|access|one-time|authentication|2fa)\scode\b|(?<![\d.,-])(?<other>\d{4,8})\s{0,2}[是为][你您我]的[^，。\s]{0,8}(?:验证码|校验码|动态码|确认码)/gi,
  ),
  // Matches 验证码739204.
  password(/[验校]证?码|校验码|动态码/, /(?:验证码|校验码|动态码)\s{0,2}(?<secret>\d{4,8})(?!\d)/g),
]
