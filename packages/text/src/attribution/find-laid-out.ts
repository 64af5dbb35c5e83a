// Finds output, tables and forms by the arrangement of lines. Called by mask-unspoken.ts.
import type { IntroducedText } from './find-introduced.ts'
import { endOfParagraph } from './find-introduced.ts'
import { FIRST_PERSON, isEmpty, type Line, type Stretch } from './stretch.ts'

/** Finds command output, tables, forms and posts with a byline by the arrangement of their lines. */
export function findLaidOut({ text, lines }: IntroducedText): Stretch[] {
  const whole = lines.map((line) => ({ ...line, text: text.slice(line.start, line.end) }))
  const logged = whole.filter((line) => LOGGED.test(line.text))
  if (whole.length < 2) return logged
  const changed = whole.find((line) => CHANGED.test(line.text))
  return [
    ...logged,
    ...(changed === undefined ? [] : [{ start: changed.start, end: text.length }]),
    ...settingsIn(whole),
    ...printedIn(whole),
    ...formIn(whole),
    ...tableIn(whole),
    ...postIn(whole, text.length),
  ]
}

function settingsIn(lines: readonly Line[]): Stretch[] {
  return lines.flatMap((line, index) =>
    SECTION.test(line.text) && SETTING.test(lines[index + 1]?.text ?? '')
      ? [{ start: line.start, end: endOfParagraph(lines, index) }]
      : [],
  )
}

/** Returns a command and its output on the lines below. */
function printedIn(lines: readonly Line[]): Stretch[] {
  return lines.flatMap((line, index) =>
    PROMPT.test(line.text) ? [{ start: line.start, end: endOfParagraph(lines, index) }] : [],
  )
}

/** Returns the text up to the last blank of a form, in which “I” is the future signer. */
function formIn(lines: readonly Line[]): Stretch[] {
  const last = lines.findLast((line) => BLANK.test(line.text))
  return last === undefined ? [] : [{ start: 0, end: last.end }]
}

/** Returns the column names and the rows below them, which have at least as many separators. */
function tableIn(lines: readonly Line[]): Stretch[] {
  const filled = lines.filter((line) => !isEmpty(line))
  const index = filled.findIndex((line) => COLUMNS.test(line.text) && !FIRST_PERSON.test(line.text))
  const columns = filled[index]
  if (columns === undefined) return []
  const rows = filled.slice(index + 1)
  const end = rows.findIndex((row) => partsOf(row) < partsOf(columns))
  const last = rows[(end < 0 ? rows.length : end) - 1]
  return last === undefined ? [] : [{ start: columns.start, end: last.end }]
}

function partsOf({ text }: Line): number {
  return text.match(/[,;](?=\S)|[，；]/gu)?.length ?? 0
}

/** Returns a page or post, whose first line has several page elements and states nothing. */
function postIn(lines: readonly Line[], end: number): Stretch[] {
  const first = lines.find((line) => !isEmpty(line))
  if (first === undefined || first.text.length > 120) return []
  return SET_BESIDE.test(first.text) && !FIRST_PERSON.test(first.text) ? [{ start: first.start, end }] : []
}

/** Matches input after the prompt of a shell or an interpreter. */
const PROMPT =
  /^\s*(?:[$%❯➜]\s+[\w./~-]|>>>\s+\S|(?:\([\w.-]+\)\s*)?[\w.-]+@[\w.-]+[:\s][^\s$#]*\s?[$#]\s+\S|PS [A-Z]:\\[^>\n]*>\s*\S|[A-Z]:\\[^>\n]*>\s*\S)/u
/** Matches a labelled blank that is to be filled in or signed. */
const BLANK = /^\s*[^\n:：_]{1,40}[:：]?\s*(?:_{3,}|＿{3,}|…{3,}|\.{8,}|[□☐])/u
/** Matches column names: single words that begin no sentence. */
const COLUMNS = /^\s*["']?[\p{L}][\p{L}\d_-]*["']?(?:[,;，；]["']?[\p{L}][\p{L}\d_-]*["']?)+\s*$/u
/** Matches a section header of a configuration file: “[profile]” above “about = …”. */
const SECTION = /^\s*\[[\w.:-]{1,40}\]\s*$/
const SETTING = /^\s*[\w.-]{1,40}\s?=\s?\S/
/** Matches the header of a diff: “@@ -1,2 +1,2 @@”. */
const CHANGED = /^(?:@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@|diff --git )/
/** Matches a log line: “2026-01-02T10:00:00Z INFO …”. */
const LOGGED =
  /^\s*\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d\S{0,14}\]?\s+(?:\S{1,30}\s+)?\[?(?:INFO|DEBUG|WARN|WARNING|ERROR|TRACE|FATAL|NOTICE)\b|^\s*\[?(?:INFO|DEBUG|WARN|WARNING|ERROR|TRACE|FATAL|NOTICE)\]?:?\s+\[?[\d-]*[ T]?\d\d:\d\d/
/** Matches page elements in one line: “r/allergies • u/kite99 • 3h”, “Home · News · About”. */
const SET_BESIDE = /\S\s[•·‧・]\s\S/u
