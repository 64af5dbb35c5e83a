import { blankOut, type Stretch } from './stretch.ts'

/** Marks within lines: code, links, *actions*, asides, lines quoted as in a mail; and the dots of lists. */
const MARKED: readonly RegExp[] = [
  /^[ \t]*[-•·–—](?=\s)/gm,
  /`[^`\n]*`/g,
  /^[ \t]*[>＞│┃»].*$/gm,
  /https?:\/\/\S+/g,
  /(?<![\w*])\*[^*\n]{1,400}\*(?!\*)/g,
  /\*\*[^*\n]{1,400}\*\*/g,
  /(?<![\p{L}\p{N}_])_[^_\n]{1,400}_(?![\p{L}\p{N}_])/gu,
  /(?<![\p{L}\p{N}])[‘'](?=\S[^’'\n]{3,1200}[’'](?![\p{L}\p{N}]))[^’'\n]{2,600}\s[^’'\n]{1,600}[’'](?![\p{L}\p{N}])/gu,
  /「[^」]*(?:」|$)|『[^』]*(?:』|$)|【[^】]{1,600}】|«[^»]*(?:»|$)/g,
  /（[^）\n]{1,400}）|\([^)\n]{1,400}\)/g,
]

/** A title in quotation marks: capitalised words with small ones between, no stop inside, not after a verb of saying. */
const TITLE =
  /(?<!(?:say|said|says|ask|asked|told|tell|tells|repl(?:y|ied)|shout|shouted|like|went|answer|answered)[,:]?\s*)["“](\p{Lu}[\p{L}\p{N}'’&-]*(?:\s(?:\p{Lu}[\p{L}\p{N}'’&-]*|\p{N}+|of|the|and|a|an|in|on|to|for|with|at|de|la))*)["”]/gu

/** Blanks out what stands in quotation marks or is marked within lines; of a title only the marks go. */
export function findQuoted(text: string): string {
  const titled = text.replace(TITLE, ' $1 ')
  const unquoted = blankOut(titled, speechIn(titled))
  return MARKED.reduce(
    (masked, pattern) => masked.replace(pattern, (stretch) => stretch.replace(/[^\n]/g, ' ')),
    unquoted,
  )
}

/** Which marks may close what each opens. */
const CLOSES: Readonly<Record<string, readonly string[]>> = {
  '"': ['"'],
  '“': ['”', '"', '“'],
  '„': ['“', '”', '"'],
}

interface Mark {
  readonly at: number
  readonly sign: string
  /** The places of the next marks behind it, by sign. */
  readonly next: Readonly<Record<string, number>>
}

/** The quotation marks of a text, each knowing those behind it, so that a text of nothing else is read in one go. */
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
 * Quoted speech: from a mark that opens to the one that closes, over lines too where marks come in pairs. One that nothing
 * closes holds to the end of its line, or of the text where a line begins with it.
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
    end = isClosed ? close + 1 : leadsIn(text, mark.at) ? text.length : lineEnd
    found.push({ start: mark.at, end })
  }
  return found
}

/** Not an inch, not the mark behind a word. */
function opensAt(text: string, at: number): boolean {
  const [before, sign, next] = [text.charAt(at - 1), text.charAt(at), text.charAt(at + 1)]
  if (next === '' || sign === '”') return false
  return sign !== '"' || (!/\s/.test(next) && !/[\p{Script=Latin}\p{N}]/u.test(before))
}

/** Whether what opens here begins a line, or follows a colon. */
function leadsIn(text: string, at: number): boolean {
  return /(?:^|\n|[:：])\s*$/.test(text.slice(Math.max(0, at - 40), at)) && at >= 0
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}
