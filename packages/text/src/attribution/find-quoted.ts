// Masks quoted text, except titles. Called by mask-unspoken.ts.
import { blankOut, type Stretch } from './stretch.ts'

/** Redacts quoted text and inline marks. A title keeps its words and loses only its quotation marks. */
export function findQuoted(text: string): string {
  const titled = text
    .replace(TITLE, ' $1 ')
    .replace(LINK, (link, words: string) => ` ${words}`.padEnd(link.length))
  const unquoted = blankOut(titled, speechIn(titled))
  return MARKED.reduce(
    (masked, pattern) => masked.replace(pattern, (stretch) => stretch.replace(/[^\n]/g, ' ')),
    unquoted,
  )
}

/** Closing marks allowed for each opening mark. */
const CLOSES: Readonly<Record<string, readonly string[]>> = {
  '"': ['"'],
  '“': ['”', '"', '“'],
  '„': ['“', '”', '"'],
}

interface Mark {
  readonly at: number
  readonly sign: string
  /** Offsets of the next marks after this one, by character. */
  readonly next: Readonly<Record<string, number>>
}

/** Returns the quotation marks of a text. Each links to the following ones, so one pass is enough. */
function marksOf(text: string): Mark[] {
  let next: Record<string, number> = {}
  const marks: Mark[] = []
  for (const { 0: sign, index: at } of [...text.matchAll(/["“„”]/g)].toReversed()) {
    marks.push({ at, sign, next })
    next = { ...next, [sign]: at }
  }
  return marks.toReversed()
}

/**
 * Finds quoted speech between marks, which may span lines. A quotation without a closing mark ends with its line. If its mark begins a
 * line, it ends with the text.
 */
function speechIn(text: string): Stretch[] {
  const found: Stretch[] = []
  const marks = marksOf(text)
  const isPaired = marks.filter(({ sign }) => sign === '"').length % 2 === 0
  let [end, lineEnd] = [0, -1]
  for (const mark of marks) {
    if (mark.at < end || !opensAt(text, mark.at)) continue
    if (lineEnd < mark.at) lineEnd = endOfLine(text, mark.at)
    const close = Math.min(...(CLOSES[mark.sign] ?? []).map((sign) => mark.next[sign] ?? Infinity))
    const isClosed = close < lineEnd || (close < Infinity && (mark.sign !== '"' || isPaired))
    const endIfOpen = leadsIn(text, mark.at) ? text.length : lineEnd
    end = isClosed ? close + 1 : endIfOpen
    found.push({ start: mark.at, end })
  }
  return found
}

/** Reports whether a mark can open a quotation. Inch marks and marks after a word cannot. */
function opensAt(text: string, index: number): boolean {
  const [before, sign, next] = [text.charAt(index - 1), text.charAt(index), text.charAt(index + 1)]
  if (next === '' || sign === '”') return false
  return sign !== '"' || (!/\s/.test(next) && !/[\p{Script=Latin}\p{N}]/u.test(before))
}

/** Reports whether an opening mark begins a line or follows a colon. */
function leadsIn(text: string, index: number): boolean {
  return /(?:^|\n|[:：])\s*$/.test(text.slice(Math.max(0, index - 40), index)) && index >= 0
}

function endOfLine(text: string, index: number): number {
  const end = text.indexOf('\n', index)
  return end < 0 ? text.length : end
}

/** Match inline marks: code, links, *actions*, asides, mail quotes, and list bullets. */
const MARKED: readonly RegExp[] = [
  /^[ \t]*[-•·–—](?=\s)/gm,
  /`[^`\n]*`/g,
  /~~[^~\n]{1,400}~~/g,
  /^[ \t]*[>＞│┃»].*$/gm,
  /https?:\/\/\S+/g,
  /(?<![\w*])\*[^*\n]{1,400}\*(?!\*)/g,
  /\*\*[^*\n]{1,400}\*\*/g,
  /(?<![\p{L}\p{N}_])_[^_\n]{1,400}_(?![\p{L}\p{N}_])/gu,
  /(?<![\p{L}\p{N}])[‘'](?=\S[^’'\n]{3,1200}[’'](?![\p{L}\p{N}]))[^’'\n]{2,600}\s[^’'\n]{1,600}[’'](?![\p{L}\p{N}])/gu,
  /「[^」]*(?:」|$)|『[^』]*(?:』|$)|【[^】]{1,600}】|«[^»]*(?:»|$)/g,
  /（[^）\n]{1,400}）|\([^)\n]{1,400}\)/g,
]

/** Matches a quoted title: capitalised words, short ones between them, no full stop, and no verb of saying before it. */
const TITLE =
  /(?<!(?:say|said|says|ask|asked|told|tell|tells|repl(?:y|ied)|shout|shouted|like|went|answer|answered)[,:]?\s*)["“](\p{Lu}[\p{L}\p{N}'’&-]*(?:\s(?:\p{Lu}[\p{L}\p{N}'’&-]*|\p{N}+|of|the|and|a|an|in|on|to|for|with|at|de|la))*)["”]/gu

/** Matches a link on a few words, which stay. A longer link text is the title of a page. */
const LINK = /\[([^\s\][]+(?: [^\s\][]+){0,3})\]\(https?:[^\s()]+\)/g
