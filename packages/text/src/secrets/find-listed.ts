// Finds the further secrets of a list: of “my pins are 4471 and 9023” other finders see the first. Called by mask-secrets.ts.
import { isMixed } from './find-configured.ts'
import type { SecretSpan } from './secret-span.ts'

/** Matches the next value of a list of codes. */
const NEXT =
  /^(?:\s*[,;/&+、，]\s*|\s+)(?:(?:and|or|then|und|oder|y|o|et|ou|e|和|或)\s+)?(?<secret>[A-Za-z\d][A-Za-z\d*#-]{2,40})(?![\p{L}\p{N}])/u
/** Matches another password that the sentence names behind the first: “… and the new one is …”, “… to …”, “, netflix pass …”. */
const ALSO =
  /^["'”]?(?=[^\n]{0,70})(?:[,;]?\s+(?:(?:and|but|now|then|for|my|the|its?|in|on)\s+){0,3}(?:[\p{L}\d'’-]{1,16}\s+){0,4}?(?:one|other|pass(?:word|code|phrase)?|pwd?|is|was|to|into)(?:['’]s)?(?:\s+(?:is|was|now|to))*|\s*(?:->|→|=>))\s*[:=]?\s*["'“]?(?<secret>[!-~]{5,64}?)(?=[.,;!?)'"”]{0,3}(?:\s|$))/iu

/** Returns the values that go on a list of found passwords: those of the same form, and those that the sentence names as well. */
export function findListed(text: string, found: readonly SecretSpan[]): SecretSpan[] {
  return found.filter(({ kind }) => kind === 'password').flatMap((span) => listedBehind(text, span))
}

function listedBehind(text: string, { start, end, kind }: SecretSpan): SecretSpan[] {
  const behind = text.slice(end, end + 150)
  const form = formOf(text.slice(start, end))
  const next = NEXT.exec(behind)
  const isNext = form.includes('0') && formOf(next?.groups?.['secret'] ?? '') === form
  const match = isNext ? next : ALSO.exec(behind)
  const secret = match?.groups?.['secret'] ?? ''
  if (match === null || (!isNext && !isMixed(secret)) || /:\/\/|@[\w-]+\./.test(secret)) return []
  const from = end + match[0].lastIndexOf(secret)
  const span = { start: from, end: from + secret.length, kind }
  return [span, ...listedBehind(text, span)]
}

/** Returns the form of a value: “0000-aaaa” for “4471-abcd”. */
function formOf(value: string): string {
  return value.replace(/\d/g, '0').replace(/[A-Za-z]/g, 'a')
}
