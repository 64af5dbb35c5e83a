import { isMixed, type Form } from './find-configured.ts'

const key = (hint: RegExp, pattern: RegExp, isSecret?: Form['isSecret']): Form =>
  isSecret === undefined ? { hint, pattern, kind: 'key' } : { hint, pattern, kind: 'key', isSecret }

/** Published key formats that secretlint's rules and `find-credentials.ts` lack. */
export const SERVICE_KEYS: readonly Form[] = [
  // Requires one run of letters and digits after the prefix, since file names and slugs have dashes.
  key(
    /fw_|sk_|tgp_|ATBB|HRKU|nf[pocbu]_|pscale_|napi_|pul-|LTAI|AKID|AKLT|AQVN|CFPAT|rdme_|pnu_|aio_|EZ[AT]K|duffel_|ico-|cio|oy2|wandb_|apify_|e2b_/,
    /(?<![A-Za-z0-9_-])(?:fw_|sk_|tgp_v1_|ATBB|HRKU-|nf[pocbu]_|pscale_(?:tkn|pw|oauth)_|napi_|pul-|LTAI|AKID|AKLT|AQVN|CFPAT-|rdme_|pnu_|aio_|EZ[AT]K|duffel_(?:live|test)_|ico-|cio|oy2|wandb_v1_|apify_api_|e2b_)[A-Za-z0-9]{20,120}(?![A-Za-z0-9_-])/g,
    isMixed,
  ),
  key(
    /fm[12]_|sb_secret_|dp\.|CCI|bk[a-z]{2}_|dt0|snyk_|x(?:key|smtp)sib-/,
    /(?<![A-Za-z0-9_-])(?:fm[12]_|sb_secret_|dp\.(?:pt|st|ct|sa|scim|audit)\.|CCI(?:PAT|PRJ)_|bk(?:ua|ct|pt|aj)_|dt0[a-z]\d\d\.|snyk_[a-z]{3}\.|x(?:key|smtp)sib-)[A-Za-z0-9_.+/=-]{20,400}/g,
    isMixed,
  ),
  key(/pat[A-Za-z0-9]{14}\./, /(?<![A-Za-z0-9])pat[A-Za-z0-9]{14}\.[0-9a-f]{64}(?![A-Za-z0-9])/g),
  key(/\d:[0-9a-f]{32}/, /(?<![\w/])[012]\/\d{13,17}(?:\/\d{13,17})?:[0-9a-f]{32}(?![A-Za-z0-9])/g),
  key(/-us\d/, /(?<![A-Za-z0-9])[0-9a-f]{32}-us\d{1,2}(?![A-Za-z0-9])/g),
  key(/access_token\$/, /access_token\$(?:production|sandbox)\$[a-z0-9]{12,24}\$[0-9a-f]{32}/g),
  key(/\.atlasv1\./, /(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,80}/g),
  key(/:APA91b/, /(?<![\w-])AAAA[\w-]{7}:APA91b[\w-]{120,160}/g),
  key(/A{20}/, /(?<![A-Za-z0-9])A{20}[A-Za-z0-9%]{40,200}/g, isMixed),
  key(/v1\.0-/, /(?<![A-Za-z0-9])v1\.0-[0-9a-f]{24}-[0-9a-f]{100,160}(?![0-9a-f])/g),
  key(/[0-9a-f]{32}\./, /(?<![A-Za-z0-9])[0-9a-f]{32}\.[A-Za-z0-9]{16}(?![A-Za-z0-9.])/g, (value) =>
    /[A-Z]/.test(value),
  ),
  key(/re_/, /(?<![A-Za-z0-9_-])re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,30}(?![A-Za-z0-9_-])/g, isMixed),
  key(/nsec1/, /(?<![A-Za-z0-9])nsec1[02-9ac-hj-np-z]{58}(?![a-z0-9])/g),
  // Matches a key that is named in words: “the API secret is …”.
  key(
    /secret|token|key/i,
    /\b(?:api|app|application|client|access|auth|webhook|signing|consumer|bot|deploy|refresh)[ -](?:secret|token|key)s?\b(?:\s(?:for|of|to)\s\S{1,30}){0,2}\s{1,3}(?:is|was|are|will be)\s{1,3}["'`]?(?<secret>[A-Za-z0-9_+/=.~-]{16,500})/gi,
    isMixed,
  ),
]
