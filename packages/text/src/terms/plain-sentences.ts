/** What the rules below know: ASCII without the semicolon, which Unicode took among them only lately. */
const KNOWN = /^[\0-:<-\x7F]*$/

const isLower = (code: number): boolean => code >= 0x61 && code <= 0x7a
const isUpper = (code: number): boolean => code >= 0x41 && code <= 0x5a
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39
const isNewLine = (code: number): boolean => code === 0x0a || code === 0x0d
const isSpace = (code: number): boolean => code === 0x20 || code === 0x09 || code === 0x0b || code === 0x0c
/** A full stop; after it a small letter goes on. */
const isStop = (code: number): boolean => code === 0x2e
const isEnd = (code: number): boolean => isStop(code) || code === 0x21 || code === 0x3f
/** Quotation marks and brackets. */
const isClose = (code: number): boolean =>
  code === 0x22 ||
  code === 0x27 ||
  code === 0x28 ||
  code === 0x29 ||
  /[[\]{}]/.test(String.fromCharCode(code))
/** A comma, a hyphen, a colon: the sentence goes on. */
const isGoingOn = (code: number): boolean => code === 0x2c || code === 0x2d || code === 0x3a

/**
 * Where the sentences of a text in plain letters end, by the rules of Unicode's annex 29 as `Intl.Segmenter` follows them, at a tenth of
 * its time; `null` for any other text.
 *
 * @returns ends, the text's own last
 */
export function plainSentenceEnds(text: string): number[] | null {
  if (!KNOWN.test(text)) return null
  const ends: number[] = []
  let at = 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    at += 1
    if (isNewLine(code)) {
      if (code === 0x0d && text.charCodeAt(at) === 0x0a) at += 1
      ends.push(at)
    } else if (isEnd(code)) {
      const end = endAfter(text, at - 1)
      if (end !== null && end < text.length && ends.at(-1) !== end) ends.push(end)
      if (end !== null) at = end
    }
  }
  if (text.length > 0 && ends.at(-1) !== text.length) ends.push(text.length)
  return ends
}

/** Where the sentence ends of which this may be the end; `null` where it goes on. */
function endAfter(text: string, place: number): number | null {
  const stops = isStop(text.charCodeAt(place))
  let at = place + 1
  while (isClose(text.charCodeAt(at))) at += 1
  while (isSpace(text.charCodeAt(at))) at += 1
  const next = text.charCodeAt(at)
  if (stops && at === place + 1) {
    const before = text.charCodeAt(place - 1)
    if (isDigit(next) || (isUpper(next) && (isUpper(before) || isLower(before)))) return null
  }
  if (isEnd(next) || isGoingOn(next) || (stops && goesOnSmall(text, at))) return null
  if (!isNewLine(next)) return at
  return next === 0x0d && text.charCodeAt(at + 1) === 0x0a ? at + 2 : at + 1
}

/** Whether the next letter is a small one. */
function goesOnSmall(text: string, from: number): boolean {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (isLower(code)) return true
    if (isUpper(code) || isNewLine(code) || isEnd(code)) return false
  }
  return false
}
