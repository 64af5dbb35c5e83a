import { pattern } from '@keepsake/text'

/** Matches a “when” that asks for a time. It does not match “how did she feel when …” or “when she left, what …”. */
const WHEN = pattern(
  'i',
  /^\W*when\b(?!.*,\s*(?:what|which|who|where|why|how|did|does|do|is|was)\b)/,
  /(?:[,;:–—]|\b(?:and|or|since|until|till|by|from))\s+when\b(?=\W*$|\s+(?:did|does|do|is|was|are|were|will|has|have|had|would|can|could|should)\b)/,
  /\bwhen\W*$/,
)
/** Matches questions for a date or time, below for a number and for a person. */
const ASKS_DATE =
  /\b(?:what|which) (?:date|day|time|year|month|week)\b|什么时候|什么时间|几点|哪一?[天年月]|何时|几号|几月/i
const ASKS_NUMBER =
  /\bhow (?:many|much|old|often|long|far|tall)\b|多少|几[个只次岁本条位家台]|多[大久长远高]/i
const ASKS_WHO = /\bwho(?:m|se)?\b|谁|哪一?位/i

/** Reports whether a question asks for a time. */
export function asksWhen(question: string): boolean {
  return WHEN.test(question) || ASKS_DATE.test(question)
}

/** Reports whether a question asks for a number. */
export function asksNumber(question: string): boolean {
  return ASKS_NUMBER.test(question)
}

/** Reports whether a question asks for a person. */
export function asksWho(question: string): boolean {
  return ASKS_WHO.test(question)
}

/** Reports whether a sentence ends with a question mark. */
export function isQuestion(sentence: string): boolean {
  return /[?？]["'”’」』)）!！\s]*$/u.test(sentence)
}
