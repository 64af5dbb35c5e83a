// Finds the further secrets of a list. Other finders find only the first in “my pins are 4471 and 9023”. Called by mask-secrets.ts.
import { isMixed } from './secret-form.ts'
import type { SecretSpan } from './secret-span.ts'

/** Matches the next value of a list of codes. */
const NEXT =
  /^(?:\s*[,;/&+、，]\s*|\s+)(?:(?:and|or|then|und|oder|y|o|et|ou|e|和|或)\s+)?(?<secret>[A-Za-z\d][A-Za-z\d*#-]{2,40})(?![\p{L}\p{N}])/u
/** Matches another password that the sentence names behind the first: “… and the new one is …”, “… to …”, “, netflix pass …”. */
const ALSO =
  /^["'”]?(?=[^\n]{0,70})(?:[,;]?\s+(?:(?:and|but|now|then|for|my|the|its?|in|on)\s+){0,3}(?:[\p{L}\d'’-]{1,16}\s+){0,4}?(?:one|other|pass(?:word|code|phrase)?|pwd?|pin|card|it['’]?s|is|was|to|into)(?:['’]s)?(?:\s+(?:is|was|now|to))*|\s*(?:->|→|=>))\s*[:=]?\s*["'“]?(?<secret>[!-~]{3,64}?)(?=[.,;!?)'"”]{0,3}(?:\s|$))/iu

/** Matches a name of another number of the same form: “my new one is 9023”, “other card 9920”. */
const ANOTHER = /\b(?:one|other|pins?|card|pass\w*|pwd?)\b/i
/** Matches the other number of a bank account: sort code and account. */
const OF_ACCOUNT =
  /^[,;]?\s+(?:(?:and|my|the)\s+){0,2}(?:(?:account|acct|acc|a\/c|sort|routing|bsb)\.?\s+(?:(?:code|number|num|no|#)\.?\s*)?(?:is\s+|[:=]\s*)?|(?=\d{8}(?!\d)))(?<secret>\d{2}[ -]\d{2}[ -]\d{2}|\d{6,12})(?![\p{L}\p{N}]|[.,-]\d)/iu

/** Returns the values that continue a list after a found password: those of the same form, and those that the sentence names too. */
export function findListed(text: string, found: readonly SecretSpan[]): SecretSpan[] {
  return found.flatMap((span) => {
    if (span.kind === 'password') return listedBehind(text, span)
    return span.kind === 'account number' ? spanBehind(text, span, OF_ACCOUNT) : []
  })
}

function listedBehind(text: string, first: SecretSpan): SecretSpan[] {
  const spans: SecretSpan[] = []
  for (let span = nextBehind(text, first); span !== null; span = nextBehind(text, span)) spans.push(span)
  return spans
}

function nextBehind(text: string, { start, end, kind }: SecretSpan): SecretSpan | null {
  const behind = text.slice(end, end + 150)
  const form = formOf(text.slice(start, end))
  const hasForm = (value = ''): boolean => form.includes('0') && formOf(value) === form
  const next = NEXT.exec(behind)
  const isNext = hasForm(next?.groups?.['secret'])
  const match = isNext ? next : ALSO.exec(behind)
  const secret = match?.groups?.['secret'] ?? ''
  const isMeant =
    isNext || (isMixed(secret) && secret.length >= 5) || (hasForm(secret) && ANOTHER.test(match?.[0] ?? ''))
  if (match === null || !isMeant || /:\/\/|@[\w-]+\./.test(secret)) return null
  const from = end + match[0].lastIndexOf(secret)
  return { start: from, end: from + secret.length, kind }
}

function spanBehind(text: string, { end, kind }: SecretSpan, next: RegExp): SecretSpan[] {
  const match = next.exec(text.slice(end, end + 80))
  const from = end + (match?.[0].length ?? 0)
  return match === null ? [] : [{ start: from - (match.groups?.['secret'] ?? '').length, end: from, kind }]
}

/** Returns the form of a value: “0000-aaaa” for “4471-abcd”. */
function formOf(value: string): string {
  return value.replace(/\d/g, '0').replace(/[A-Za-z]/g, 'a')
}
