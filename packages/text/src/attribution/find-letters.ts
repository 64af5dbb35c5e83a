// Finds mails and letters by their headers, greetings and closings. Called by mask-unspoken.ts.
import { either } from '../pattern.ts'
import type { IntroducedText } from './find-introduced.ts'
import { TO_AGENT } from './leading-words.ts'
import { isEmpty, type Line, type Stretch } from './stretch.ts'

/** Finds mails, from headers or a quoted mail to the text's end, and letters, from salutation to signature. */
export function findLetters({ text, lines }: IntroducedText): Stretch[] {
  if (lines.length < 2) return []
  const headers = lines.map((line) => HEADER.test(line.text))
  for (const [i, line] of lines.entries()) {
    const isBlock =
      headers[i] === true && (headers[i + 1] === true || (headers[i + 2] === true && i + 2 < lines.length))
    const isAlone = SUBJECT.test(line.text) && lines[i + 1] !== undefined
    const opens =
      isBlock ||
      isAlone ||
      (ADDRESSED.test(text.slice(line.start, line.end)) && lines[i + 1] !== undefined) ||
      PASSED_ON.test(line.text) ||
      PASSED_ON.test(text.slice(line.start, line.end))
    if (opens) return [{ start: line.start, end: text.length }]
    if (SIGNATURE.test(line.text) && i > 0 && lines.length - i <= 8)
      return [{ start: line.start, end: text.length }]
  }
  const first = lines.findIndex((line) => !isEmpty(line))
  const from = lines.findIndex(
    (line, index) => SALUTATION.test(line.text) || (index > first && GREETING.test(line.text)),
  )
  if (
    from === first &&
    TO_AGENT.test(lines[from]?.text ?? '') &&
    lines.slice(-3).some((line) => VALEDICTION.test(line.text))
  )
    return []
  const signed = lines.findLastIndex((line, i) => i > from + 1 && VALEDICTION.test(line.text))
  const isSigned =
    /[,，]\s*(?:$|\p{Lu})/u.test(lines[signed]?.text ?? '') || !isEmptyOrNone(lines[signed + 1])
  if (from < 0 || signed < 0 || !isSigned) return []
  const behind = lines.findIndex((line, index) => index > signed + 1 && isEmpty(line))
  return [
    { start: lines[from]?.start ?? 0, end: (behind < 0 ? lines.at(-1) : lines[behind])?.end ?? text.length },
  ]
}

function isEmptyOrNone(line: Line | undefined): boolean {
  return line === undefined || isEmpty(line)
}

/** Names of the headers of mails: “from”, “betreff”, 主题. */
const HEADER_NAMES = either(
  /from|to|cc|bcc|subject|re|date|sent|reply-to|return-path|received|message-id|delivered-to|mime-version|content-type/,
  /x-[\w-]+|von|an|betreff|gesendet|de|à|para|da|objet|envoyé|asunto|enviado|assunto|oggetto|inviato|от|кому|тема/,
  /差出人|宛先|件名|보낸 ?사람|받는 ?사람|제목|发件人|收件人|抄送|主题|日期|发送时间|寄件者|收件者|主旨|发自|回复/,
)
/** Matches a header line of a mail: “Subject: …”, 发件人：…. */
const HEADER = new RegExp(String.raw`^\s*[*_]{0,2}(?:${HEADER_NAMES})[*_]{0,2}\s*[:：]`, 'i')
/** Matches a header that alone identifies a mail. */
const SUBJECT = /^\s*[*_]{0,2}(?:subject|fwd?|fw|re|主题|转发|回复|答复)[*_]{0,2}\s*[:：]\s*\S/i
/** Matches a name with a mail address: “Author: Rui <rui@…>”. */
const ADDRESSED = /^\s*\p{L}[\p{L}-]{1,20}\s*[:：]\s.{0,80}<[^<>\s@]{1,80}@[^<>\s@]{1,120}>\s*$/u
/** Lines above a quoted or forwarded mail: “On Monday Ana wrote:”, “-- Forwarded --”, 写道：. */
const QUOTED_MAIL_STARTS = either(
  /-{2,}.*(?:original|forwarded|原始|转发|原邮件).*|begin forwarded message.*|forwarded (?:message|from|by|as received|many times)\b.*/,
  /on .{4,120}\bwrote\s*:|am .{4,120}\bschrieb\b.*:|(?:le|el|em|il|op|den) .{4,120}\b(?:a écrit|escribió|escreveu|ha scritto|schreef|skrev)\b.{0,60}:/,
  /在?.{4,80}(?:写道|寫道)\s*[:：]|转发(?:自|的)?.{0,20}[:：]|(?:shared|reposted|quoted) from .*|sent from my .*/,
)
/** Matches the start of a quoted or forwarded mail. */
const PASSED_ON = new RegExp(String.raw`^[\s>*_-]*(?:${QUOTED_MAIL_STARTS})\s*$`, 'i')
const SIGNATURE = /^\s*(?:-- |--|—|__+)\s*$/
/** Greetings with a name: “dear Ana”, “hi team”, 王老师您好. */
const SALUTATION_WORDS = either(
  /dear\b.{1,60}|(?:sehr geehrte[rs]?|liebe[rs]?|chère?|madame|monsieur|(?:estimad|querid|prezad|car)[oa]s?)(?!\p{L}).{0,60}/u,
  /to whom it may concern\b.{0,10}/u,
  /(?:hi|hello|hey|good (?:morning|afternoon|evening))(?:\s+(?:team|folks|mr\.?|mrs\.?|ms\.?|dr\.?|prof\.?|\p{Lu}[\p{L}'’.-]*)){1,4}/u,
  /(?:尊敬|敬爱|亲爱)的.{1,20}|.{1,12}[，,]?(?:您好|你好|台鉴|惠鉴|钧鉴|如晤)/u,
)
/** Matches a line that greets the reader of a letter: “Dear Ana,”, 尊敬的王先生：. */
const SALUTATION = new RegExp(String.raw`^\s*(?:${SALUTATION_WORDS})\s*[,，:：!！.。]?\s*$`, 'iu')
/** Matches a greeting without a name. Below other words it begins another's letter. */
const GREETING =
  /^\s*(?:hi|hello|hey|good (?:morning|afternoon|evening)|greetings|hallo|guten (?:tag|morgen)|bonjour|bonsoir|hola|buenos días|olá|bom dia|buongiorno|[您你]好)\s*[,，:：!！.。]\s*$/iu
/** Closings of letters: “best wishes”, “cordialement”, 敬礼. */
const VALEDICTION_WORDS = either(
  /(?:with\s+)?(?:(?:best|kind|kindest|warm|warmest|many|sincere|friendly)\s+)*(?:regards|wishes|thanks|greetings|love)|best|sincerely/u,
  /(?:sincerely|truly|faithfully|respectfully)\s+yours|yours(?:\s+(?:truly|sincerely|faithfully|ever))?|respectfully|cordially|cheers/u,
  /love|xoxo|hugs|take care|all the best|thanks(?: again)?|thank you/u,
  /(?:(?:mit )?(?:freundlichen|vielen|liebe|viele|beste) )?grü(?:ß|ss)en?|cordialement|bien à vous|saludos|un saludo|atentamente|cumprimentos/u,
  /atenciosamente|cordiali saluti/u,
  /祝好|此致|敬礼|敬上|谨上|顺颂商祺|祝(?:工作|身体|一切|万事|生活).{1,8}|致敬|(?:您|你)的/u,
)
/** Matches a line that closes a letter: “Best regards,”, 此致. */
const VALEDICTION = new RegExp(
  String.raw`^\s*(?:${VALEDICTION_WORDS})\s*(?:[,，!！.。]?|,\s*\p{L}[\p{L}.'’]{0,14}(?: \p{L}[\p{L}.'’]{0,14}){0,2})\s*$`,
  'iu',
)
