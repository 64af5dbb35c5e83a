// Each row: what it finds, a hint, the pattern, and a test of the value (secret-form.ts explains them).
import { either } from '../pattern.ts'
import { isMixed, key, password, token, type Form } from './secret-form.ts'

/** Prefixes of keys that services issue, such as “ghp_” and “sk-”. */
const KEY_PREFIXES = either(
  /gh[pousr]_|github_pat_|gl(?:pat|dt|ft|soat|rt|cbt|ptt|agent|oas|imt|ffct)-|xox[abceoprs][.-]|xapp-|xwfp-/,
  /sk-(?:ant|proj|svcacct|admin|or|lf)-|sk-|[sr]k_(?:live|test)_|whsec_|npm_|pypi-|do[opr]_v1_|hf_|gsk_|xai-|pplx-|nvapi-|r8_/,
  /shp(?:at|ca|pa|ss)_|SG\.|lin_(?:api|oauth)_|ntn_|secret_|fig[dou]r?_|dckr_(?:pat|oat)_|tskey-|hv[sbr]\.|dapi|rubygems_/,
  /sq0(?:atp|csp|idp)-|ATATT3|ATCTT3|gl(?:c|sa)_|PMAK-|sntry[su]_|ph[cxs]_|NRAK-|tfp_|ops_ey|sbp_|rnd_|cf(?:k|ut|at)_|vc[pirak]_/,
  /AGE-SECRET-KEY-1|EAA[A-Z]|EAACEdEose0cBA|key-|lsv2_|pat-|pk_live_|atlasv1|jfrt@|AKCp|oauth2_|tok_|api-|pcsk_|tvly-|ctx7sk-|sgp_|crates_/,
)
/** Keys of common services, and secrets of HTTP, addresses and commands. */
export const COMMON_KEYS: readonly Form[] = [
  token(
    'a JSON Web Token',
    /eyJ/,
    /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,6000}\.[A-Za-z0-9_-]{6,8000}(?:\.[A-Za-z0-9_-]{0,4000}){0,3}/g,
  ),
  token(
    'the id of an AWS key',
    /A3T|AKIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|ASIA|ABIA|ACCA|APKA|ASCA/,
    /(?<![A-Za-z0-9])(?:A3T[A-Z0-9]|AKIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|ASIA|ABIA|ACCA|APKA|ASCA)[A-Z0-9]{16}(?![A-Za-z0-9])/g,
  ),
  token(
    'an AWS key: “aws secret: …”',
    /secret|aws/i,
    /(?:secret|aws)[\w -]{0,30}(?:key|secret)?(?:["']?\s{0,3}(?::|=>|:=|=|\bis\b|\bwas\b)\s{0,3}["']?|\s{1,3})(?<secret>[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=]))/gi,
    isMixed,
  ),
  token(
    'the secret beside the id of an AWS key, in either order',
    /A[KS]IA/,
    /(?<![A-Za-z0-9])A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])[\s\S]{1,60}?(?<![A-Za-z0-9/+])(?<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])|(?<![A-Za-z0-9/+])(?<other>[A-Za-z0-9/+]{40})[^A-Za-z0-9/+=][\s\S]{0,59}?(?<![A-Za-z0-9])A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])/g,
    (value) => isMixed(value) && /[A-Z]/.test(value),
  ),
  token(
    'Google',
    /AIza|ya29\.|GOCSPX-|1\/\/0/,
    /(?<![A-Za-z0-9])(?:AIza[\w-]{35}|ya29\.[\w-]{20,2000}|GOCSPX-[\w-]{20,60}|1\/\/0[\w-]{30,200})/g,
  ),
  token('a Keepsake server', /ks_/, /(?<![A-Za-z0-9_])ks_[0-9a-f]{12}_[\w-]{20,60}/g),
  token(
    'keys with one of KEY_PREFIXES',
    /[a-z][_-]|\d[_-]|SG\.|SK|AC|EAA|ATATT|PMAK|sq0|r8_|NRAK|AGE-/,
    new RegExp(String.raw`(?<![A-Za-z0-9_-])(?:${KEY_PREFIXES})[A-Za-z0-9_.=/+-]{16,300}`, 'g'),
    isMixed,
  ),
  token('Twilio', /AC|SK/, /(?<![A-Za-z0-9])(?:SK|AC)[0-9a-f]{32}(?![A-Za-z0-9])/g),
  token('a Telegram bot', /:AA/, /(?<![A-Za-z0-9])\d{8,10}:AA[\w-]{32,34}(?![\w-])/g),
  token(
    'an address of a webhook of Slack, Discord or Teams',
    /hooks\.|webhook/i,
    /https:\/\/(?:hooks\.slack\.com\/(?:services|workflows|triggers)|(?:\w+\.)?discord(?:app)?\.com\/api\/webhooks|[\w-]+\.webhook\.office\.com)\/(?<secret>[\w/@-]{16,300})/g,
  ),
  token('a Discord bot', /[MNO]/, /(?<![\w-])[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])/g, isMixed),
  token(
    'a private key of Bitcoin',
    /[5KL]/,
    /(?<![A-Za-z0-9])(?:5[1-9A-HJ-NP-Za-km-z]{50}|[KL][1-9A-HJ-NP-Za-km-z]{51})(?![A-Za-z0-9])/g,
    isMixed,
  ),
  token(
    'an extended private key of Bitcoin',
    /prv/,
    /(?<![A-Za-z0-9])[xyzt]prv[1-9A-HJ-NP-Za-km-z]{100,112}/g,
  ),
  token(
    'a header: `Authorization: Bearer …`',
    /bearer|basic|token|apikey|digest|negotiate/i,
    /\b(?:Bearer|Basic|Token|ApiKey|Api-Key|Negotiate)\s{1,3}(?<secret>[A-Za-z0-9+/=_.~-]{16,4000})/gi,
    isMixed,
  ),
  key(
    'a header: `X-Api-Key: …`',
    /-key|-token|cookie|authorization/i,
    /\b(?:x-[\w-]{0,30}(?:key|token|secret|signature)|(?:proxy-)?authorization|private-token|job-token)["']?\s{0,3}[:=]\s{0,3}["']?(?:(?:Bearer|Basic|Token)\s+)?(?<secret>[^\s"',;]{8,4000})/gi,
  ),
  key(
    'a cookie: `sessionid=…`',
    /sess|sid|auth/i,
    /\b(?:[\w.-]{0,20}sess(?:ion)?(?:[_-]?id)?|[\w.-]{0,20}sid|auth)=(?<secret>[^;\s"'&]{12,1000})/gi,
    isMixed,
  ),
  key(
    'a key in the query of an address: `?token=…`',
    /[?&;]/,
    /[?&;](?:(?:access|refresh|id|auth|session|bearer)?_?token|api_?key|apikey|secret|client_secret|sig|signature|x-amz-(?:signature|credential|security-token)|key)=(?<secret>[^&\s#"'<>)]{8,2000})/gi,
    (value) => value.length >= 16 || isMixed(value),
  ),
  key(
    'a seed of one-time codes: `otpauth://…?secret=…`',
    /otpauth|secret=/i,
    /[?&]secret=(?<secret>[A-Z2-7]{8,200})/g,
  ),
  password(
    'a password in the query of an address: `?password=…`',
    /[?&;]/,
    /[?&;](?:password|passwd|pwd|pass)=(?<secret>[^&\s#"'<>)]{3,500})/gi,
  ),
  password(
    'a password in an address: `https://ana:…@host`',
    /:\/\//,
    /[a-z][a-z0-9+.-]{1,30}:\/\/[^\s/@:"'<>]{0,200}:(?<secret>[^\s"'<>]{1,300})@(?=[\p{L}\p{N}[_-])/giu,
    (value) => !/^\/\/|^\d{1,5}\//.test(value),
  ),
  password(
    'an option of a command: `--password …`',
    /-u|--/,
    /(?<![\w-])--?(?:password|passwd|passphrase|pass|pwd|secret|token|api-key|access-token|client-secret|auth-token)(?:\s{1,3}|=)["']?(?<secret>[^\s"']{3,300})/gi,
    (value) => !value.startsWith('-'),
  ),
  password(
    'a user of a command: `curl -u ana:…`',
    /-u/,
    /(?<=\s)(?:-u|--user|--proxy-user)\s{0,2}["']?[^\s:"']{1,100}:(?<secret>[^\s"']{1,200})/g,
  ),
  password(
    '`sshpass -p …`, `mysql -p…`',
    /sshpass|mysql/i,
    /\bsshpass\s+-p\s*["']?(?<secret>[^\s"']{1,200})|\bmysql(?:dump)?\b[^\n]{0,100}?\s-p(?<other>[^\s"']{3,200})/gi,
  ),
  password(
    'a QR code of a Wi-Fi network: `WIFI:S:name;P:…;`',
    /WIFI:/,
    /WIFI:[^\n]{0,200}?P:(?<double>[^;\n]{1,100});/g,
  ),
  password(
    'an XML element: `<password>…</password>`',
    /<\w*pass|<\w*pwd|<\w*secret|<\w*token/i,
    /<(?:[\w:-]*(?:password|passwd|passphrase|pwd|secret|token|apikey|api-key))(?:\s[^<>]{0,200})?>(?<secret>[^<>\n]{1,500})<\//gi,
  ),
]

/** Published key formats that the recommended rules of secretlint lack. */
export const SERVICE_KEYS: readonly Form[] = [
  token(
    'keys with a prefix: Fireworks, Together, Bitbucket, Heroku, Netlify, PlanetScale, Neon, Pulumi and others',
    /fw_|sk_|tgp_|ATBB|HRKU|nf[pocbu]_|pscale_|napi_|pul-|LTAI|AKID|AKLT|AQVN|CFPAT|rdme_|pnu_|aio_|EZ[AT]K|duffel_|ico-|cio|oy2|wandb_|apify_|e2b_/,
    /(?<![A-Za-z0-9_-])(?:fw_|sk_|tgp_v1_|ATBB|HRKU-|nf[pocbu]_|pscale_(?:tkn|pw|oauth)_|napi_|pul-|LTAI|AKID|AKLT|AQVN|CFPAT-|rdme_|pnu_|aio_|EZ[AT]K|duffel_(?:live|test)_|ico-|cio|oy2|wandb_v1_|apify_api_|e2b_)[A-Za-z0-9]{20,120}(?![A-Za-z0-9_-])/g,
    isMixed,
  ),
  token(
    'longer keys with a prefix: Fly.io, Supabase, Doppler, CircleCI, Buildkite, Dynatrace, Snyk, Brevo',
    /fm[12]_|sb_secret_|dp\.|CCI|bk[a-z]{2}_|dt0|snyk_|x(?:key|smtp)sib-/,
    /(?<![A-Za-z0-9_-])(?:fm[12]_|sb_secret_|dp\.(?:pt|st|ct|sa|scim|audit)\.|CCI(?:PAT|PRJ)_|bk(?:ua|ct|pt|aj)_|dt0[a-z]\d\d\.|snyk_[a-z]{3}\.|x(?:key|smtp)sib-)[A-Za-z0-9_.+/=-]{20,400}/g,
    isMixed,
  ),
  token(
    'Airtable',
    /pat[A-Za-z0-9]{14}\./,
    /(?<![A-Za-z0-9])pat[A-Za-z0-9]{14}\.[0-9a-f]{64}(?![A-Za-z0-9])/g,
  ),
  token(
    'Asana',
    /\d:[0-9a-f]{32}/,
    /(?<![\w/])[012]\/\d{13,17}(?:\/\d{13,17})?:[0-9a-f]{32}(?![A-Za-z0-9])/g,
  ),
  token('Mailchimp', /-us\d/, /(?<![A-Za-z0-9])[0-9a-f]{32}-us\d{1,2}(?![A-Za-z0-9])/g),
  token(
    'Braintree',
    /access_token\$/,
    /access_token\$(?:production|sandbox)\$[a-z0-9]{12,24}\$[0-9a-f]{32}/g,
  ),
  token('Terraform Cloud', /\.atlasv1\./, /(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,80}/g),
  token('Firebase Cloud Messaging', /:APA91b/, /(?<![\w-])AAAA[\w-]{7}:APA91b[\w-]{120,160}/g),
  token('Twitter', /A{20}/, /(?<![A-Za-z0-9])A{20}[A-Za-z0-9%]{40,200}/g, isMixed),
  token('Cloudflare', /v1\.0-/, /(?<![A-Za-z0-9])v1\.0-[0-9a-f]{24}-[0-9a-f]{100,160}(?![0-9a-f])/g),
  token(
    'Zhipu',
    /[0-9a-f]{32}\./,
    /(?<![A-Za-z0-9])[0-9a-f]{32}\.[A-Za-z0-9]{16}(?![A-Za-z0-9.])/g,
    (value) => /[A-Z]/.test(value),
  ),
  token('Resend', /re_/, /(?<![A-Za-z0-9_-])re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,30}(?![A-Za-z0-9_-])/g, isMixed),
  token('Nostr', /nsec1/, /(?<![A-Za-z0-9])nsec1[02-9ac-hj-np-z]{58}(?![a-z0-9])/g),
  token(
    'a key that is named in words: “the API secret is …”',
    /secret|token|key/i,
    /\b(?:api|app|application|client|access|auth|webhook|signing|consumer|bot|deploy|refresh)[ -](?:secret|token|key)s?\b(?:\s(?:for|of|to)\s\S{1,30}){0,2}\s{1,3}(?:is|was|are|will be)\s{1,3}["'`]?(?<secret>[A-Za-z0-9_+/=.~-]{16,500})/gi,
    isMixed,
  ),
]
