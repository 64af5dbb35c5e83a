// Finds text that a head before a colon attributes to another speaker.
import { handsOver, handsOverAbove, leadsOverDash, LONGEST_LEAD, readLead } from './leading-words.ts'
import { isEmpty, type Line, type Stretch } from './stretch.ts'

/** A text as written, and the same text with quoted and marked spans redacted. */
export interface IntroducedText {
  readonly text: string
  readonly marked: string
  readonly lines: readonly Line[]
}

/** The words before a colon, from the start of their sentence. */
export interface Head {
  readonly text: string
  readonly start: number
  /** Offset after the colon. */
  readonly end: number
  readonly isDash?: boolean
}

/**
 * Finds texts after words that introduce them: “Translate this: …”, “The mail I got:” with the mail below, 帮我总结以下内容：….
 * A text for work, or one that starts on its own line, runs to the end of the message. A text that is only named, and starts in the same
 * line, runs to the end of the paragraph. A text in quotation marks or a fence is masked elsewhere.
 */
export function findIntroduced(given: IntroducedText): Stretch[] {
  const { text, lines } = given
  const first = lines.find((line) => !isEmpty(line))
  const last = lines.findLast((line) => !isEmpty(line))
  // The last line may ask for work on the text above it.
  const isRequestBelow =
    last !== undefined &&
    last !== first &&
    handsOverAbove(last.text) &&
    !hasRest(given, last.end) &&
    !isLeadIn(given, last)
  if (isRequestBelow) return [{ start: 0, end: last.start }]
  for (const [index, line] of lines.entries()) {
    const stretch = introducedBy(given, index) ?? null
    if (stretch !== null) return [stretch, ...(stretch.end < text.length ? after(given, stretch.end) : [])]
    if (index < lines.length - 1 && handsOver(line.text) && !isDelimited(given, line.end))
      return [{ start: line.end, end: text.length }]
  }
  return sameLine(given)
}

/** Returns the text after an introducer that ended with its paragraph. */
function after(given: IntroducedText, end: number): Stretch[] {
  const lines = given.lines.filter((line) => line.start >= end)
  return lines.length === 0 ? [] : findIntroduced({ ...given, lines })
}

/** Reports whether a line introduces a text that follows it. */
function isLeadIn(given: IntroducedText, line: Line): boolean {
  return headsOf(line).some((head) => hasRest(given, head.end) && readLead(head.text) !== null)
}

/** Returns the text that a head in a line introduces. */
function introducedBy(given: IntroducedText, index: number): Stretch | null {
  const line = given.lines[index]
  if (line === undefined) return null
  for (const head of [...bracketsOf(line), ...headsOf(line), ...dashesOf(line)]) {
    const lead = head.isDash === true && !leadsOverDash(head.text) ? null : readLead(head.text)
    if (lead === null || (isDelimited(given, head.end) && !isList(given.text, head.end))) continue
    const isLabel =
      head.text.trim().split(/\s+/).length <= 3 &&
      head.text.trim() === line.text.slice(0, head.end - line.start - 1).trim()
    const isBelow = line.text.slice(head.end - line.start).trim() === ''
    const end = lead === 'work' || isBelow || isLabel ? given.text.length : endOfParagraph(given.lines, index)
    return { start: head.end, end }
  }
  return null
}

/** Finds the text after a request in the same line: “Summarise this page. I live in Rome.” */
function sameLine({ text, marked }: IntroducedText): Stretch[] {
  let start = 0
  for (const { 0: ending, index } of marked.matchAll(/[.!?。！？]+|\n/gu)) {
    const end = index + ending.length
    const sentence = marked.slice(start, end)
    start = end
    if (
      ending !== '\n' &&
      sentence.length > ending.length &&
      sentence.length <= LONGEST_LEAD &&
      handsOverAbove(sentence) &&
      handsOver(sentence) &&
      /\bth(?:is|e following|ese)\b|below|以下|下面|这/iu.test(sentence)
    )
      return /\S/.test(marked.slice(end)) ? [{ start: end, end: text.length }] : []
  }
  return []
}

/** Returns the heads before the colons of a line. Colons within times and addresses do not count. */
export function headsOf({ text, start }: Line): Head[] {
  const heads: Head[] = []
  let from = 0
  for (const { 0: sign, index } of text.matchAll(
    /[.!?。！？;；](?=\s|$|\p{Script=Han})|[:：](?=\s|$|\p{Script=Han})|：/gu,
  )) {
    const end = index + sign.length
    if (/[:：]/.test(sign)) {
      const words = text.slice(from, index)
      if (words.trim() !== '' && words.length <= LONGEST_LEAD)
        heads.push({ text: words, start: start + from, end: start + end })
    } else from = end
  }
  return heads
}

/** Returns the bracketed label at the start of a line: “[Transcribed voice message] …”. */
function bracketsOf({ text, start }: Line): Head[] {
  const label = /^\s*\[([^\]\n]{2,60})\]\s+(?=\S)/u.exec(text)
  return label === null ? [] : [{ text: label[1] ?? '', start, end: start + label[0].length }]
}

/** Returns the head before the first dash of a line: “Make this sound better - …”. */
export function dashesOf({ text, start }: Line): Head[] {
  const index = text.slice(0, LONGEST_LEAD).search(/\s(?:[-–—]|--)\s/)
  if (index <= 0) return []
  const from = text.slice(0, index).search(/[^.!?。！？]*$/)
  return [{ text: text.slice(from, index), start: start + from, end: start + index + 3, isDash: true }]
}

/** Reports whether the following text has its own quotation marks or fence, which end it. */
export function isDelimited({ text, marked }: IntroducedText, from: number): boolean {
  const index = text.slice(from, from + 2_000).search(/\S/)
  return index >= 0 && /\s/.test(marked.charAt(from + index))
}

/** Reports whether a list follows. Its bullets are redacted like quotation marks, but do not end a text. */
const isList = (text: string, from: number): boolean => /^\s*[-•·–—]\s/.test(text.slice(from, from + 200))

/** Reports whether any text follows an offset. */
function hasRest({ marked }: IntroducedText, from: number): boolean {
  return marked.trimEnd().length > from
}

/** Reports whether a line exists and is empty. */
export function isEmptyAt(lines: readonly Line[], index: number): boolean {
  const line = lines[index]
  return line !== undefined && isEmpty(line)
}

/** Returns the end of the lines before the next empty one. */
export function endOfParagraph(lines: readonly Line[], index: number): number {
  let next = index + 1
  while (next < lines.length && !isEmptyAt(lines, next)) next += 1
  return lines[next - 1]?.end ?? 0
}
