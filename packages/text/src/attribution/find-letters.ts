import type { Given } from './find-introduced.ts'
import { isEmpty, type Line, type Stretch } from './stretch.ts'

const HEADER =
  /^\s*[*_]{0,2}(?:from|to|cc|bcc|subject|re|date|sent|reply-to|return-path|received|message-id|delivered-to|mime-version|content-type|x-[\w-]+|发件人|收件人|抄送|主题|日期|发送时间|寄件者|收件者|主旨|发自|回复)[*_]{0,2}\s*[:：]/i
/** Matches a header that alone identifies a mail. */
const SUBJECT = /^\s*[*_]{0,2}(?:subject|fwd?|fw|re|主题|转发|回复|答复)[*_]{0,2}\s*[:：]\s*\S/i
/** Matches a name with a mail address: “Author: Rui <rui@…>”. */
const ADDRESSED = /^\s*\p{L}[\p{L}-]{1,20}\s*[:：]\s.{0,80}<[^<>\s@]{1,80}@[^<>\s@]{1,120}>\s*$/u
/** Matches the start of a quoted or forwarded mail. */
const PASSED_ON =
  /^[\s>*_-]*(?:-{2,}.*(?:original|forwarded|原始|转发|原邮件).*|begin forwarded message.*|forwarded (?:message|from|by|as received|many times)\b.*|on .{4,120}\bwrote\s*:|am .{4,120}\bschrieb\b.*:|在?.{4,80}(?:写道|寫道)\s*[:：]|转发(?:自|的)?.{0,20}[:：]|(?:shared|reposted|quoted) from .*|sent from my .*)\s*$/i
const SIGNATURE = /^\s*(?:-- |--|—|__+)\s*$/
const SALUTATION =
  /^\s*(?:dear\b.{1,60}|to whom it may concern\b.{0,10}|(?:hi|hello|hey|good (?:morning|afternoon|evening))(?:\s+(?:team|folks|mr\.?|mrs\.?|ms\.?|dr\.?|prof\.?|\p{Lu}[\p{L}'’.-]*)){1,4}|(?:尊敬|敬爱|亲爱)的.{1,20}|.{1,12}[，,]?(?:您好|你好|台鉴|惠鉴|钧鉴|如晤))\s*[,，:：!！.。]?\s*$/iu
const VALEDICTION =
  /^\s*(?:(?:with\s+)?(?:(?:best|kind|kindest|warm|warmest|many|sincere|friendly)\s+)*(?:regards|wishes|thanks|greetings|love)|best|sincerely|(?:sincerely|truly|faithfully|respectfully)\s+yours|yours(?:\s+(?:truly|sincerely|faithfully|ever))?|respectfully|cordially|cheers|love|xoxo|hugs|take care|all the best|thanks(?: again)?|thank you|祝好|此致|敬礼|敬上|谨上|顺颂商祺|祝(?:工作|身体|一切|万事|生活).{1,8}|致敬|(?:您|你)的)\s*[,，!！.。]?\s*$/iu

/**
 * Finds mails and letters.
 * A mail runs from its headers, or from the start of a quoted mail, to the end of the text.
 * A letter runs from its salutation to the signature.
 */
export function findLetters({ text, lines }: Given): Stretch[] {
  if (lines.length < 2) return []
  const headers = lines.map((line) => HEADER.test(line.text))
  for (const [at, line] of lines.entries()) {
    const isBlock =
      headers[at] === true &&
      (headers[at + 1] === true || (headers[at + 2] === true && at + 2 < lines.length))
    const isAlone = SUBJECT.test(line.text) && lines[at + 1] !== undefined
    const opens =
      isBlock ||
      isAlone ||
      (ADDRESSED.test(text.slice(line.start, line.end)) && lines[at + 1] !== undefined) ||
      PASSED_ON.test(line.text) ||
      PASSED_ON.test(text.slice(line.start, line.end))
    if (opens) return [{ start: line.start, end: text.length }]
    if (SIGNATURE.test(line.text) && at > 0 && lines.length - at <= 8)
      return [{ start: line.start, end: text.length }]
  }
  const from = lines.findIndex((line) => SALUTATION.test(line.text))
  const signed = lines.findLastIndex((line, at) => at > from + 1 && VALEDICTION.test(line.text))
  const isSigned = /[,，]\s*$/.test(lines[signed]?.text ?? '') || !isEmptyOrNone(lines[signed + 1])
  if (from < 0 || signed < 0 || !isSigned) return []
  const behind = lines.findIndex((line, at) => at > signed + 1 && isEmpty(line))
  return [
    { start: lines[from]?.start ?? 0, end: (behind < 0 ? lines.at(-1) : lines[behind])?.end ?? text.length },
  ]
}

function isEmptyOrNone(line: Line | undefined): boolean {
  return line === undefined || isEmpty(line)
}
