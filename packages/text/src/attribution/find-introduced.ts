import { handsOver, handsOverAbove, leadsOverDash, LONGEST_LEAD, readLead } from './leading-words.ts'
import { isEmpty, type Line, type Stretch } from './stretch.ts'

/** A text as it was written, and with what is quoted or marked blanked out. */
export interface Given {
  readonly text: string
  readonly marked: string
  /** Of the marked text. */
  readonly lines: readonly Line[]
}

/** What stands before a colon, from where its sentence begins. */
export interface Head {
  readonly text: string
  readonly start: number
  /** Behind the colon. */
  readonly end: number
  readonly isDash?: boolean
}

/**
 * Texts handed over with a word: “Translate this: …”, “The mail I got:” with the mail below, 帮我总结以下内容：…. What is to be
 * worked on, and what stands on lines of its own, holds to the text's end; where it is named and begins in the same line, to the
 * paragraph's. What follows in quotation marks or a fence ends with these.
 */
export function findIntroduced(given: Given): Stretch[] {
  const { text, lines } = given
  const last = lines.findLast((line) => !isEmpty(line))
  if (last !== undefined && last !== lines.find((line) => !isEmpty(line)) && handsOverAbove(last.text))
    if (!hasRest(given, last.end) && !isLeadIn(given, last)) return [{ start: 0, end: last.start }]
  for (const [at, line] of lines.entries()) {
    const stretch = introducedBy(given, at) ?? null
    if (stretch !== null) return [stretch, ...(stretch.end < text.length ? after(given, stretch.end) : [])]
    if (at < lines.length - 1 && handsOver(line.text) && !isDelimited(given, line.end))
      return [{ start: line.end, end: text.length }]
  }
  return sameLine(given)
}

/** What is handed over behind what ended with its paragraph. */
function after(given: Given, end: number): Stretch[] {
  const lines = given.lines.filter((line) => line.start >= end)
  return lines.length === 0 ? [] : findIntroduced({ ...given, lines })
}

function isLeadIn(given: Given, line: Line): boolean {
  return headsOf(line).some((head) => hasRest(given, head.end) && readLead(head.text) !== null)
}

function introducedBy(given: Given, at: number): Stretch | null {
  const line = given.lines[at]
  if (line === undefined) return null
  for (const head of [...bracketsOf(line), ...headsOf(line), ...dashesOf(line)]) {
    const lead = head.isDash === true && !leadsOverDash(head.text) ? null : readLead(head.text)
    if (lead === null || isDelimited(given, head.end)) continue
    const isLabel =
      head.text.trim().split(/\s+/).length <= 3 &&
      head.text.trim() === line.text.slice(0, head.end - line.start - 1).trim()
    const isBelow = line.text.slice(head.end - line.start).trim() === ''
    const end = lead === 'work' || isBelow || isLabel ? given.text.length : endOfParagraph(given.lines, at)
    return { start: head.end, end }
  }
  return null
}

/** “Summarise this page. I live in Rome.”: a sentence that asks for it, and the text behind it. */
function sameLine({ text, marked }: Given): Stretch[] {
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

/** The stretches before a colon in a line; a colon within a time or an address is none. */
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

/** A label in brackets that a line begins with: “[Transcribed voice message] …”. */
function bracketsOf({ text, start }: Line): Head[] {
  const label = /^\s*\[([^\]\n]{2,60})\]\s+(?=\S)/u.exec(text)
  return label === null ? [] : [{ text: label[1] ?? '', start, end: start + label[0].length }]
}

/** The stretch before the first dash of a line: “Make this sound better - …”. */
export function dashesOf({ text, start }: Line): Head[] {
  const at = text.slice(0, LONGEST_LEAD).search(/\s(?:[-–—]|--)\s/)
  if (at <= 0) return []
  const from = text.slice(0, at).search(/[^.!?。！？]*$/)
  return [{ text: text.slice(from, at), start: start + from, end: start + at + 3, isDash: true }]
}

/** Whether what follows is marked as another's by itself, and so ends where its marks do. */
export function isDelimited({ text, marked }: Given, from: number): boolean {
  const place = text.slice(from, from + 2_000).search(/\S/)
  return place >= 0 && /\s/.test(marked.charAt(from + place))
}

/** Whether anything stands behind a place. */
function hasRest({ marked }: Given, from: number): boolean {
  return marked.trimEnd().length > from
}

/** Whether a line is there, and shows nothing. */
export function isEmptyAt(lines: readonly Line[], at: number): boolean {
  const line = lines[at]
  return line !== undefined && isEmpty(line)
}

/** The end of the lines up to the next empty one. */
export function endOfParagraph(lines: readonly Line[], at: number): number {
  let next = at + 1
  while (next < lines.length && !isEmptyAt(lines, next)) next += 1
  return lines[next - 1]?.end ?? 0
}
