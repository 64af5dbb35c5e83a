// Each row: what it finds, a hint, the pattern, and a test of the value (secret-form.ts explains them).
import { isMixed, key, password, type Form } from './secret-form.ts'

/** Names of recovery phrases. */
const RECOVERY = String.raw`(?:seed|recovery|secret|backup|mnemonic|wallet) (?:phrase|words)|mnemonic`
const RECOVERY_ZH = '(?:助记词|助记符|恢复短语|恢复词|种子短语|种子词)'
const WORDS = String.raw`(?:[a-z]{3,8}[ ,]{1,3}){11,23}[a-z]{3,8}`

const HEX_64 = /^(?:0x)?[0-9a-f]{64}$/i

/** Forms of secrets in configuration files and commands, recovery phrases, and hashes. */
export const CONFIGURED: readonly Form[] = [
  password(
    'a recovery phrase behind its name, with numbers: “seed phrase: 1. apple 2. river …”',
    /seed|recovery|secret|backup|mnemonic|wallet/i,
    new RegExp(
      String.raw`\b(?:${RECOVERY})\b[^\n]{0,30}?[:=]?\s{0,3}(?<secret>(?:\d{1,2}\s?[.):]?\s{0,2}[a-z]{3,8}[\s,;]{1,3}){11,23}\d{1,2}\s?[.):]?\s{0,2}[a-z]{3,8})`,
      'gi',
    ),
  ),
  password(
    'a recovery phrase before its name: “apple river … is my seed phrase”',
    /seed|recovery|secret|backup|mnemonic|wallet/i,
    new RegExp(
      String.raw`(?<![a-z])(?<secret>${WORDS})\s{1,3}(?:is|are|was|were)\s(?:my|the|our)\s(?:\w{1,12}\s){0,2}(?:${RECOVERY})`,
      'g',
    ),
  ),
  password(
    'a Chinese recovery phrase: characters with separators, or English words (stated-forms.ts has the others)',
    /[助种恢][记子复]/,
    new RegExp(
      String.raw`${RECOVERY_ZH}[^，。\n]{0,6}?(?:是|为|[:：=])?\s{0,3}(?<secret>(?:\p{Script=Han}[ \u3000、,，]{1,2}){11,23}\p{Script=Han}(?!\p{Script=Han})|${WORDS})`,
      'gu',
    ),
  ),
  key(
    'the address that an authenticator app exports',
    /otpauth-migration/i,
    /otpauth-migration:\/\/\w+\/?\?data=(?<secret>[\w%+/=-]{16,4000})/gi,
  ),
  key(
    'a seed of one-time codes: “2FA secret: …”',
    /authenticat|2fa|totp|two-factor|setup key|验证器|两步/i,
    /(?:authenticat\w{1,5}|2fa|totp|two-factor|setup key|验证器|两步验证)[^\n:：]{0,24}?(?:key|secret|seed|code|密钥|秘钥)\s?(?:is|was|是|为|[:：=])?\s{0,3}(?<secret>(?:[a-z2-7]{4}[ -]?){3,15}[a-z2-7]{4}(?![a-z0-9]))/gi,
    isMixed,
  ),
  password(
    'a line of .netrc: `machine HOST login NAME password …`',
    /login|account/i,
    /\b(?:machine\s{1,9}\S{1,200}|default)\s{1,9}login\s{1,9}\S{1,100}\s{1,9}password\s{1,9}(?<secret>\S{1,200})/gi,
  ),
  password(
    'a line of .pgpass: `HOST:PORT:DATABASE:USER:PASSWORD`',
    /:(?:\d{4,5}|\*):/,
    /^[^\s:/]{1,200}:(?:\d{4,5}|\*):[^\s:]{1,64}:[^\s:]{1,64}:(?<secret>[^\s:]{3,200})$/gm,
    (value) => /[\d\p{S}@#%&*_!]/u.test(value),
  ),
  key('a client secret of Azure', /Q~/, /(?<![\w.~-])[\w.~-]{3}\dQ~[\w.~-]{31,34}(?![\w~-])/g),
  key('a key file of PuTTY', /Private-MAC/, /Private-MAC:\s{0,3}(?<secret>[0-9a-f]{40,64})/gi),
  password(
    'password hashes, from which short passwords can be recovered',
    /\$(?:2[abxy]|apr1|[156y]|argon2)/,
    /\$(?<secret>2[abxy]\$\d\d\$[./A-Za-z0-9]{53}|(?:apr1|1|5|6)\$(?:rounds=\d{1,9}\$)?[^\s$:]{1,16}\$[./A-Za-z0-9]{22,86}|y\$[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{1,86}\$[./A-Za-z0-9]{43}|argon2(?:id|i|d)\$v=\d{1,3}\$[mtp=,\d]{5,40}\$[\w+/]{8,100}\$[\w+/]{16,200})/g,
  ),
  key(
    '“my wallet private key is 0x…”, a recovery key of BitLocker',
    /priv|\d{6}-\d{6}-/i,
    /\b(?:private|priv) ?key\b[^\n:=]{0,20}?(?:\b(?:is|was)\b|[:=]|(?=\s))\s{0,3}(?<secret>(?:0x)?[0-9a-f]{32,128}|[1-9A-HJ-NP-Za-km-z]{43,90})(?![A-Za-z\d])|(?<![\d-])(?<other>(?:\d{6}-){7}\d{6})(?![\d-])/gi,
  ),
  key(
    '我的私钥是… (“my private key is …”)',
    /[私密秘]钥|令牌/,
    /(?:[私密秘]钥|令牌)[^\s，。:：]{0,6}?(?:是|为|\s{0,2}[:：=＝])\s{0,3}["“'`]?(?<secret>[\w+/=.~-]{16,500})/g,
    (value) => isMixed(value) || HEX_64.test(value),
  ),
  password(
    '`sqlplus NAME/…@HOST`',
    /oracle|sqlplus/i,
    /(?:jdbc:oracle:\w{1,10}:|\bsqlplus\s{1,3})[^\s/@]{1,64}\/(?<secret>[^\s@/"']{1,200})@/gi,
  ),
  password(
    'a command of PowerShell: `ConvertTo-SecureString "…"`',
    /SecureString/i,
    /ConvertTo-SecureString\s{1,3}(?:-String\s{1,3})?["'](?<secret>[^"'\n]{1,200})["']/gi,
  ),
  password(
    'a command of Windows: `net use … /user:NAME …`',
    /net use|net user/i,
    /\bnet\s{1,3}use\s[^\n]{0,120}?\/user:\S{1,100}\s{1,3}(?<secret>[^\s/]\S{1,200})/gi,
  ),
  password(
    '“739204 is your verification code”',
    /code|码/i,
    /(?<![\d.,-])(?<secret>\d{4,8})\s{1,3}(?:is|was)\s(?:your|my|the)\s(?:[\w-]{1,20}\s){0,2}(?:verification|confirmation|security|login|sign-?in|access|one-time|authentication|2fa)\scode\b|(?<![\d.,-])(?<other>\d{4,8})\s{0,2}[是为][你您我]的[^，。\s]{0,8}(?:验证码|校验码|动态码|确认码)/gi,
  ),
  password(
    '验证码739204 (“code 739204”)',
    /[验校]证?码|校验码|动态码/,
    /(?:验证码|校验码|动态码)\s{0,2}(?<secret>\d{4,8})(?!\d)/g,
  ),
]
