import { styleText } from 'node:util'
import stringWidth from 'string-width'
import wrapAnsi from 'wrap-ansi'
import type { Io } from '../io.ts'

type Paint = (text: string) => string

/** The style of terminal output: colours, and a line width. */
export interface Style {
  readonly width: number
  readonly bold: Paint
  readonly dim: Paint
  readonly good: Paint
  readonly warn: Paint
  readonly accent: Paint
}

/** Lines wider than this are hard to read on any terminal. */
const MAX_WIDTH = 100
const WIDTH_WITHOUT_TERMINAL = 80
const MIN_WIDTH = 40

/** Colours are used on terminals only: not in pipes and files, not with NO_COLOR, not on a dumb terminal. */
export function styleFor({ stdout, env }: Pick<Io, 'stdout' | 'env'>): Style {
  const isColoured = stdout.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
  const paint =
    (format: Parameters<typeof styleText>[0]): Paint =>
    (text) =>
      isColoured ? styleText(format, text, { validateStream: false }) : text
  return {
    width: Math.max(MIN_WIDTH, Math.min(MAX_WIDTH, stdout.columns ?? WIDTH_WITHOUT_TERMINAL)),
    bold: paint('bold'),
    dim: paint('dim'),
    good: paint('green'),
    warn: paint('yellow'),
    accent: paint('cyan'),
  }
}

/** Breaks text into lines of at most `width` columns. The first line begins with `first`, the others with `rest`. */
export function wrap(text: string, width: number, first = '', rest = ' '.repeat(stringWidth(first))): string {
  const contentWidth = Math.max(10, width - Math.max(stringWidth(first), stringWidth(rest)))
  // An address stays whole, so that it can be copied.
  const hard = !text.includes('://')
  const lines = wrapAnsi(text.trim(), contentWidth, { hard }).split('\n')
  return lines.map((line, index) => `${index === 0 ? first : rest}${line.trim()}`.trimEnd()).join('\n')
}

/** Matches the beginning of a line, by whose width the broken rest is indented: spaces, `- `, `--db <file>  `. */
const LINE_HEAD = /^\s*(?:[$•-] |\S+(?: \S+)* {2,})?/

/** Breaks the lines of a text that are wider than `width`, at words. */
export function wrapLines(text: string, width: number): string {
  return text.replaceAll(/^.+$/gm, (line) => {
    if (stringWidth(line) <= width) return line
    const [head = ''] = LINE_HEAD.exec(line) ?? []
    const indent = stringWidth(head)
    if (indent > width / 2) return wrap(line, width, /^\s*/.exec(line)?.[0], '    ')
    return wrap(line.slice(head.length), width, head, ' '.repeat(indent))
  })
}

/** Formats with less width, and indents the result by `columns`. */
export function indentBy(style: Style, columns: number, format: (narrow: Style) => string): string {
  const text = format({ ...style, width: style.width - columns })
  return text.replaceAll(/^(?=.)/gm, ' '.repeat(columns))
}

/** Cuts text to `width` columns, on one line, with an ellipsis. */
export function shorten(text: string, width: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  if (stringWidth(line) <= width) return line
  let cut = ''
  for (const { segment } of new Intl.Segmenter().segment(line)) {
    if (stringWidth(cut + segment) > width - 1) break
    cut += segment
  }
  return `${cut.trimEnd()}…`
}

export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)))
}

/** Replaces control characters except line breaks in text from conversations. They could move the cursor or change colours. */
export function printable(text: string): string {
  return text.replaceAll(/(?!\n)[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]+/gu, ' ')
}

/** Returns a user's printable name. For erased users, keys and webhooks contain only a digest of the name. */
export function printableUser(name: string): string {
  return name.startsWith('erased:') ? 'an erased user' : printable(name)
}

/** Names the tenants and users of a key or webhook: `acme / ana`. `null` means all. */
export function nameUsers(
  tenants: readonly string[] | null,
  users: readonly string[] | null,
  all: string,
): string {
  if (tenants === null && users === null) return all
  const names = (list: readonly string[] | null, allText: string): string =>
    list?.map(printableUser).join(', ') ?? allText
  return `${names(tenants, 'every tenant')} / ${names(users, 'every user')}`
}

/** Joins non-empty marks: `a · b`. */
export function joinMarks(marks: readonly string[], separator = ' · '): string {
  return marks.filter((mark) => mark !== '').join(separator)
}

/** Ends a message with a full stop on one line, so that another sentence can follow. */
export function sentence(message: string): string {
  const line = message.replaceAll(/\s+/g, ' ').trim()
  return /[.!?。！？]["”'’)]?$/u.test(line) ? line : `${line}.`
}
