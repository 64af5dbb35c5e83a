/** Matches a request for a secret at the end of a text: “what's the wifi password?”, 密码是多少？. */
const ASKS =
  /(?:\bpass ?(?:word|code|phrase)|\bpasswd|\bpwd|\bpin|\b(?:access|door|gate|alarm|safe|lock|verification|security|login) code|\bcode (?:for|to|of) the \p{L}+|密[码碼]|口令|暗号|验证码|取件码|提取码)s?(?!\p{Script=Latin})[^\n.!。！]{0,60}[?？:：]\s*$/iu
/** Matches a secret at the start of a reply: letters with digits or signs, or digits alone. “ok” and the like may come first. */
const GIVEN =
  /^\s*(?:(?:ok(?:ay)?|sure|yes|yeah|oh|um|好的?|嗯|哦|行|是的)[,，.!。！\s]+)?(?:(?:it|that)(?:['’]?s| is)\s+|(?:就|还)?是\s*)?["'`“]?(?<secret>(?=[!-~]{0,60}[\d@#$%&*_])(?=[!-~]{0,60}[A-Za-z])[!-~]{5,64}?|\d{4,12}[#*]?)["'`”]?[.,!?，。！]*(?=\s|$|\p{Script=Han})/iu
/** Characters inspected at the end of a text. */
const TAIL = 200
/** Matches values that are no password: “14:30”, “2026-03-01”, “3pm”, “windows11”, “https://…”. */
const NO_SECRET =
  /^(?:https?:|www\.|[\w.+-]+@[\w-]+\.|\d{1,2}[:.]\d\d|\d{4}-\d\d|\d+(?:am|pm|th|nd|rd|st|km|kg|min|h)$|[a-z]+-[a-z-]+$|[a-z]+['’][a-z]+$)/i

/** Reports whether a text asks for a secret, which the next turn may contain. */
export function asksForSecret(text: string): boolean {
  return ASKS.test(text.slice(-TAIL))
}

/** Finds the secret in a reply to a request for one, such as “it's tulip9boat”. Returns `null` if there is none. */
export function findGivenSecret(answer: string): { readonly start: number; readonly end: number } | null {
  const match = GIVEN.exec(answer.slice(0, TAIL))
  const secret = match?.groups?.['secret']
  if (match === null || secret === undefined || NO_SECRET.test(secret) || secret.startsWith('[masked'))
    return null
  const start = match.index + match[0].lastIndexOf(secret)
  return { start, end: start + secret.length }
}
