const PAST =
  /\b(?:used to|before|previous(?:ly)?|former(?:ly)?|earlier|once|back then|originally|did|was|were|had|ago|ever)\b|以前|之前|从前|曾|过去|原来|当时|那时|原先/i

/** Reports whether a question may be about the past. A wrong yes does little harm, since it only changes the order of ended facts. */
export function asksPast(question: string): boolean {
  return PAST.test(question)
}

const NOW = String.raw`\b(?:now|today|these days|nowadays|currently|at the moment|still|in the end|finally|eventually)\b|现在|如今|目前|最后|最终|到底`
const THEN = String.raw`\b(?:before|at first|first|originally|used to|use to|earlier|previously|back then|in the beginning|initially|then|was)\b|以前|之前|原来|原先|一开始|起初|本来|先前|当初|过去`
const CHANGE = new RegExp(
  String.raw`(?:${NOW}).*(?:${THEN})|(?:${THEN}).*(?:${NOW})|\bchang(?:e|ed|es)\b|怎么变|变化|变了|变没变|前后`,
  'i',
)

/** Reports whether a question asks for both the present and the past state: “Where do I live now, and where before?”. */
export function asksChange(question: string): boolean {
  return CHANGE.test(question)
}
