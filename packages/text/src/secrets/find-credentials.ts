// Finds keys and tokens by their published forms, and passwords assigned to a name. Called by mask-secrets.ts.
import { either } from '../pattern.ts'
import { CONFIGURED, isMixed, key, password, type Form } from './find-configured.ts'
import { STATED_FORMS } from './find-stated.ts'
import { TYPED } from './find-typed.ts'
import type { Finder, SecretSpan } from './secret-span.ts'

/** Makes a form whose every match has 16 characters in a row, so that texts without such a run are not searched for it. */
const token: typeof key = (...form) => ({ ...key(...form), isToken: true })

/**
 * Published key formats that the recommended rules of secretlint lack: a hint, without which the form is not tried, the form, and a check of
 * its match. A comment names the service, unless the form has the prefixes of several.
 */
const SERVICE_KEYS: readonly Form[] = [
  // Requires one run of letters and digits after the prefix, since file names and slugs have dashes.
  token(
    /fw_|sk_|tgp_|ATBB|HRKU|nf[pocbu]_|pscale_|napi_|pul-|LTAI|AKID|AKLT|AQVN|CFPAT|rdme_|pnu_|aio_|EZ[AT]K|duffel_|ico-|cio|oy2|wandb_|apify_|e2b_/,
    /(?<![A-Za-z0-9_-])(?:fw_|sk_|tgp_v1_|ATBB|HRKU-|nf[pocbu]_|pscale_(?:tkn|pw|oauth)_|napi_|pul-|LTAI|AKID|AKLT|AQVN|CFPAT-|rdme_|pnu_|aio_|EZ[AT]K|duffel_(?:live|test)_|ico-|cio|oy2|wandb_v1_|apify_api_|e2b_)[A-Za-z0-9]{20,120}(?![A-Za-z0-9_-])/g,
    isMixed,
  ),
  token(
    /fm[12]_|sb_secret_|dp\.|CCI|bk[a-z]{2}_|dt0|snyk_|x(?:key|smtp)sib-/,
    /(?<![A-Za-z0-9_-])(?:fm[12]_|sb_secret_|dp\.(?:pt|st|ct|sa|scim|audit)\.|CCI(?:PAT|PRJ)_|bk(?:ua|ct|pt|aj)_|dt0[a-z]\d\d\.|snyk_[a-z]{3}\.|x(?:key|smtp)sib-)[A-Za-z0-9_.+/=-]{20,400}/g,
    isMixed,
  ),
  token(/pat[A-Za-z0-9]{14}\./, /(?<![A-Za-z0-9])pat[A-Za-z0-9]{14}\.[0-9a-f]{64}(?![A-Za-z0-9])/g), // Airtable
  token(/\d:[0-9a-f]{32}/, /(?<![\w/])[012]\/\d{13,17}(?:\/\d{13,17})?:[0-9a-f]{32}(?![A-Za-z0-9])/g), // Asana
  token(/-us\d/, /(?<![A-Za-z0-9])[0-9a-f]{32}-us\d{1,2}(?![A-Za-z0-9])/g), // Mailchimp
  token(/access_token\$/, /access_token\$(?:production|sandbox)\$[a-z0-9]{12,24}\$[0-9a-f]{32}/g), // Braintree
  token(/\.atlasv1\./, /(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,80}/g), // Terraform Cloud
  token(/:APA91b/, /(?<![\w-])AAAA[\w-]{7}:APA91b[\w-]{120,160}/g), // Firebase Cloud Messaging
  token(/A{20}/, /(?<![A-Za-z0-9])A{20}[A-Za-z0-9%]{40,200}/g, isMixed), // Twitter
  token(/v1\.0-/, /(?<![A-Za-z0-9])v1\.0-[0-9a-f]{24}-[0-9a-f]{100,160}(?![0-9a-f])/g), // Cloudflare
  token(/[0-9a-f]{32}\./, /(?<![A-Za-z0-9])[0-9a-f]{32}\.[A-Za-z0-9]{16}(?![A-Za-z0-9.])/g, (value) =>
    /[A-Z]/.test(value),
  ),
  token(/re_/, /(?<![A-Za-z0-9_-])re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,30}(?![A-Za-z0-9_-])/g, isMixed), // Resend
  token(/nsec1/, /(?<![A-Za-z0-9])nsec1[02-9ac-hj-np-z]{58}(?![a-z0-9])/g), // Nostr
  // Matches a key that is named in words: “the API secret is …”.
  token(
    /secret|token|key/i,
    /\b(?:api|app|application|client|access|auth|webhook|signing|consumer|bot|deploy|refresh)[ -](?:secret|token|key)s?\b(?:\s(?:for|of|to)\s\S{1,30}){0,2}\s{1,3}(?:is|was|are|will be)\s{1,3}["'`]?(?<secret>[A-Za-z0-9_+/=.~-]{16,500})/gi,
    isMixed,
  ),
]

/** Names of values that are always passwords. Values named by `SECRET_NAME` are secret only if they look so. */
const PASSWORD_NAME = String.raw`passw(?:or)?d|passwort|kennwort|passphrase|passcode|pass|pwd|contrase(?:ñ|n)a|senha|parola|password|mdp|密码|口令`
const SECRET_NAME = String.raw`secret|token|api[_. -]?key|apikey|app[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?key|account[_-]?key|shared[_-]?key|sharedaccesskey|accountkey|client[_-]?secret|signing[_-]?key|encryption[_-]?key|master[_-]?key|license[_-]?key|credentials?|auth(?!ors?(?!\p{L}))|jwt|session[_-]?id|key`
/** A value in double quotes, in single quotes, or without quotes. */
const VALUE = String.raw`(?:\\?"(?<double>(?:[^"\\\n]|\\(?!")[^\n]){1,500})\\?"|'(?<single>[^'\n]{1,500})'|(?<plain>[^\s"'${'`'}<>,;&{}()[\]|\\]{3,500}))`
/** The sign between a name and its value: “=”, “: ”, “->”. */
const LINK = String.raw`(?:\\?["'’])?\]?\s{0,3}(?::=|=>|->|::|={1,3}|[:：＝])\s{0,3}`

/** Matches a password assigned to a name: `DB_PASSWORD=…`, `"password": "…"`. `SET_SECRET` matches `api_key: …`. */
const SET_PASSWORD = new RegExp(
  String.raw`(?<![\p{L}\p{N}_.-])(?<name>[\w.-]{0,40}?(?:${PASSWORD_NAME})[\w-]{0,20})${LINK}${VALUE}`,
  'giu',
)
const SET_SECRET = new RegExp(
  String.raw`(?<![\p{L}\p{N}_.-])(?<name>[\w.-]{0,40}?(?:${SECRET_NAME})[\w-]{0,20})${LINK}${VALUE}`,
  'giu',
)

/** Prefixes of keys that services issue, such as “ghp_” and “sk-”. */
const KEY_PREFIXES = either(
  /gh[pousr]_|github_pat_|gl(?:pat|dt|ft|soat|rt|cbt|ptt|agent|oas|imt|ffct)-|xox[abceoprs][.-]|xapp-|xwfp-/,
  /sk-(?:ant|proj|svcacct|admin|or|lf)-|sk-|[sr]k_(?:live|test)_|whsec_|npm_|pypi-|do[opr]_v1_|hf_|gsk_|xai-|pplx-|nvapi-|r8_/,
  /shp(?:at|ca|pa|ss)_|SG\.|lin_(?:api|oauth)_|ntn_|secret_|fig[dou]r?_|dckr_(?:pat|oat)_|tskey-|hv[sbr]\.|dapi|rubygems_/,
  /sq0(?:atp|csp|idp)-|ATATT3|ATCTT3|gl(?:c|sa)_|PMAK-|sntry[su]_|ph[cxs]_|NRAK-|tfp_|ops_ey|sbp_|rnd_|cf(?:k|ut|at)_|vc[pirak]_/,
  /AGE-SECRET-KEY-1|EAA[A-Z]|EAACEdEose0cBA|key-|lsv2_|pat-|pk_live_|atlasv1|jfrt@|AKCp|oauth2_|tok_|api-|pcsk_|tvly-|ctx7sk-|sgp_|crates_/,
)
const FORMS: readonly Form[] = [
  token(
    /eyJ/, // a JSON Web Token
    /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,6000}\.[A-Za-z0-9_-]{6,8000}(?:\.[A-Za-z0-9_-]{0,4000}){0,3}/g,
  ),
  token(
    /A3T|AKIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|ASIA|ABIA|ACCA|APKA|ASCA/, // the id of an AWS key
    /(?<![A-Za-z0-9])(?:A3T[A-Z0-9]|AKIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|ASIA|ABIA|ACCA|APKA|ASCA)[A-Z0-9]{16}(?![A-Za-z0-9])/g,
  ),
  token(
    /secret|aws/i, // an AWS key: “aws secret: …”
    /(?:secret|aws)[\w -]{0,30}(?:key|secret)?(?:["']?\s{0,3}(?::|=>|:=|=|\bis\b|\bwas\b)\s{0,3}["']?|\s{1,3})(?<secret>[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=]))/gi,
    isMixed,
  ),
  token(
    /A[KS]IA/, // the secret beside the id of an AWS key, in either order
    /(?<![A-Za-z0-9])A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])[\s\S]{1,60}?(?<![A-Za-z0-9/+])(?<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])|(?<![A-Za-z0-9/+])(?<other>[A-Za-z0-9/+]{40})[^A-Za-z0-9/+=][\s\S]{0,59}?(?<![A-Za-z0-9])A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])/g,
    (value) => isMixed(value) && /[A-Z]/.test(value),
  ),
  token(
    /AIza|ya29\.|GOCSPX-|1\/\/0/, // a key of Google
    /(?<![A-Za-z0-9])(?:AIza[\w-]{35}|ya29\.[\w-]{20,2000}|GOCSPX-[\w-]{20,60}|1\/\/0[\w-]{30,200})/g,
  ),
  token(/ks_/, /(?<![A-Za-z0-9_])ks_[0-9a-f]{12}_[\w-]{20,60}/g), // a key of a Keepsake server
  token(
    /[a-z][_-]|\d[_-]|SG\.|SK|AC|EAA|ATATT|PMAK|sq0|r8_|NRAK|AGE-/,
    new RegExp(String.raw`(?<![A-Za-z0-9_-])(?:${KEY_PREFIXES})[A-Za-z0-9_.=/+-]{16,300}`, 'g'),
    isMixed,
  ),
  token(/AC|SK/, /(?<![A-Za-z0-9])(?:SK|AC)[0-9a-f]{32}(?![A-Za-z0-9])/g), // Twilio
  token(/:AA/, /(?<![A-Za-z0-9])\d{8,10}:AA[\w-]{32,34}(?![\w-])/g), // a Telegram bot
  token(
    /hooks\.|webhook/i, // an address of a webhook of Slack, Discord or Teams
    /https:\/\/(?:hooks\.slack\.com\/(?:services|workflows|triggers)|(?:\w+\.)?discord(?:app)?\.com\/api\/webhooks|[\w-]+\.webhook\.office\.com)\/(?<secret>[\w/@-]{16,300})/g,
  ),
  token(/[MNO]/, /(?<![\w-])[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])/g, isMixed), // a Discord bot
  token(
    /[5KL]/, // a private key of Bitcoin
    /(?<![A-Za-z0-9])(?:5[1-9A-HJ-NP-Za-km-z]{50}|[KL][1-9A-HJ-NP-Za-km-z]{51})(?![A-Za-z0-9])/g,
    isMixed,
  ),
  token(/prv/, /(?<![A-Za-z0-9])[xyzt]prv[1-9A-HJ-NP-Za-km-z]{100,112}/g), // an extended private key of Bitcoin
  token(
    /bearer|basic|token|apikey|digest|negotiate/i, // a header: `Authorization: Bearer …`
    /\b(?:Bearer|Basic|Token|ApiKey|Api-Key|Negotiate)\s{1,3}(?<secret>[A-Za-z0-9+/=_.~-]{16,4000})/gi,
    isMixed,
  ),
  key(
    /-key|-token|cookie|authorization/i, // a header: `X-Api-Key: …`
    /\b(?:x-[\w-]{0,30}(?:key|token|secret|signature)|(?:proxy-)?authorization|private-token|job-token)["']?\s{0,3}[:=]\s{0,3}["']?(?:(?:Bearer|Basic|Token)\s+)?(?<secret>[^\s"',;]{8,4000})/gi,
  ),
  key(
    /sess|sid|auth/i, // a cookie: `sessionid=…`
    /\b(?:[\w.-]{0,20}sess(?:ion)?(?:[_-]?id)?|[\w.-]{0,20}sid|auth)=(?<secret>[^;\s"'&]{12,1000})/gi,
    isMixed,
  ),
  key(
    /[?&;]/,
    /[?&;](?:(?:access|refresh|id|auth|session|bearer)?_?token|api_?key|apikey|secret|client_secret|sig|signature|x-amz-(?:signature|credential|security-token)|key)=(?<secret>[^&\s#"'<>)]{8,2000})/gi,
    (value) => value.length >= 16 || isMixed(value),
  ),
  key(/otpauth|secret=/i, /[?&]secret=(?<secret>[A-Z2-7]{8,200})/g),
  password(/[?&;]/, /[?&;](?:password|passwd|pwd|pass)=(?<secret>[^&\s#"'<>)]{3,500})/gi),
  password(
    /:\/\//,
    /[a-z][a-z0-9+.-]{1,30}:\/\/[^\s/@:"'<>]{0,200}:(?<secret>[^\s"'<>]{1,300})@(?=[\p{L}\p{N}[_-])/giu,
    (value) => !/^\/\/|^\d{1,5}\//.test(value),
  ),
  password(
    /-u|--/,
    /(?<![\w-])--?(?:password|passwd|passphrase|pass|pwd|secret|token|api-key|access-token|client-secret|auth-token)(?:\s{1,3}|=)["']?(?<secret>[^\s"']{3,300})/gi,
    (value) => !value.startsWith('-'),
  ),
  password(/-u/, /(?<=\s)(?:-u|--user|--proxy-user)\s{0,2}["']?[^\s:"']{1,100}:(?<secret>[^\s"']{1,200})/g),
  password(
    /sshpass|mysql/i,
    /\bsshpass\s+-p\s*["']?(?<secret>[^\s"']{1,200})|\bmysql(?:dump)?\b[^\n]{0,100}?\s-p(?<other>[^\s"']{3,200})/gi,
  ),
  { hint: /WIFI:/, pattern: /WIFI:[^\n]{0,200}?P:(?<double>[^;\n]{1,100});/g, kind: 'password' },
  password(
    /<\w*pass|<\w*pwd|<\w*secret|<\w*token/i,
    /<(?:[\w:-]*(?:password|passwd|passphrase|pwd|secret|token|apikey|api-key))(?:\s[^<>]{0,200})?>(?<secret>[^<>\n]{1,500})<\//gi,
  ),
  password(/pass|pwd|kennwort|contrase|senha|parola|mdp|密码|口令/i, SET_PASSWORD),
  { hint: /[:=：＝>]/, pattern: SET_SECRET, kind: 'key' },
  ...CONFIGURED,
  ...SERVICE_KEYS,
  ...TYPED,
  ...STATED_FORMS,
]

/** Matches placeholders for a missing or masked value. */
const PLACEHOLDER =
  /^(?:\[masked|\*+$|x{3,}$|\.{3,}|<|\$\{?\w|%\w+%|\{\{|(?:null|none|nil|true|false|undefined|required|optional|string|number|text|hidden|redacted|example|changeme|your[_-].*|todo|tbd|n\/a|yes|no|process\.env.*|os\.environ.*|env\..*|req\..*|self\..*|this\..*|config\..*)$)/i

/** Finds keys, tokens and passwords. Each finder looks for one form and returns spans that are exact to the character. */
export const CREDENTIALS: readonly Finder[] = FORMS.map((form) => (text) => findForm(form, text))
/** The finders of `CREDENTIALS` that can match a text without 16 key characters in a row. */
export const SHORT_CREDENTIALS: readonly Finder[] = CREDENTIALS.filter((_, at) => FORMS[at]?.isToken !== true)

function findForm({ hint, pattern, kind, isSecret }: Form, text: string): SecretSpan[] {
  if (!hint.test(text)) return []
  return [...text.matchAll(pattern)].flatMap((match): SecretSpan[] => {
    const found = valueOf(match)
    if (found === null || PLACEHOLDER.test(found.value)) return []
    if (isSecret?.(found.value) === false) return []
    const isAssignment = pattern === SET_PASSWORD || pattern === SET_SECRET
    return isAssignment && !isAssignedSecret(match, found, pattern === SET_PASSWORD)
      ? []
      : [{ start: found.start, end: found.start + found.value.length, kind }]
  })
}

interface Value {
  readonly value: string
  readonly start: number
}

/** Returns the matched value, without the full stop of its sentence. */
function valueOf(match: RegExpExecArray): Value | null {
  const { secret, other, double, single, plain } = match.groups ?? {}
  const value =
    secret ?? other ?? double ?? single ?? plain ?? (match.groups === undefined ? match[0] : undefined)
  if (value === undefined || value === '') return null
  const start = match.index + match[0].lastIndexOf(value)
  const isBare = double === undefined && single === undefined
  const trimmed = isBare ? value.replace(/[.,;!?。，；！？）)'"]+$/u, '') : value
  return trimmed === '' ? null : { value: trimmed, start }
}

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

/** Reports whether an assigned value is a secret. A value after a mere colon may be ordinary text. */
function isAssignedSecret(match: RegExpExecArray, { value }: Value, isPassword: boolean): boolean {
  const { name = '', double, single, plain } = match.groups ?? {}
  const isQuoted = (double ?? single) !== undefined
  const hasEqualsSign = match[0]
    .slice(name.length, match[0].length - (double ?? single ?? plain ?? '').length)
    .includes('=')
  const isIdentifier = /[_.-]|[a-z][A-Z]|^[A-Z]{4,}$/.test(name)
  if (isPassword) {
    if (!namesPassword(name) || (!hasEqualsSign && isMeasureOfPasses(name, value))) return false
    if (/pass$/i.test(name) && !isIdentifier && !hasEqualsSign) return isQuoted && isMixed(value)
    return hasEqualsSign || (isQuoted && value.length >= 3) || isIdentifier || /[\d@#%&*_$!]/.test(value)
  }
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
