/** Matches the supported characters: ASCII without the semicolon, whose sentence rule changed between Unicode versions. */
const KNOWN = /^[\0-:<-\x7F]*$/

const isLower = (code: number): boolean => code >= 0x61 && code <= 0x7a
const isUpper = (code: number): boolean => code >= 0x41 && code <= 0x5a
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39
const isNewLine = (code: number): boolean => code === 0x0a || code === 0x0d
const isSpace = (code: number): boolean => code === 0x20 || code === 0x09 || code === 0x0b || code === 0x0c
/** Reports a full stop. If the next letter is a small one, the sentence continues. */
const isStop = (code: number): boolean => code === 0x2e
/** Reports a mark that may end a sentence: a full stop, “!” or “?”. */
const isEnd = (code: number): boolean => isStop(code) || code === 0x21 || code === 0x3f
/** Reports quotation marks and brackets. */
const isClose = (code: number): boolean =>
  code === 0x22 ||
  code === 0x27 ||
  code === 0x28 ||
  code === 0x29 ||
  /[[\]{}]/.test(String.fromCharCode(code))
/** Reports a comma, a hyphen or a colon, which continue the sentence. */
const isContinuation = (code: number): boolean => code === 0x2c || code === 0x2d || code === 0x3a

/** Finds the sentence ends of ASCII text, as `Intl.Segmenter` does, but ten times as fast. Returns `null` for other text. */
export function plainSentenceEnds(text: string): number[] | null {
  if (!KNOWN.test(text)) return null
  const ends: number[] = []
  let index = 0
  while (index < text.length) {
    const code = text.charCodeAt(index)
    index += 1
    if (isNewLine(code)) {
      if (code === 0x0d && text.charCodeAt(index) === 0x0a) index += 1
      ends.push(index)
    } else if (isEnd(code)) {
      const end = endAfter(text, index - 1)
      if (end !== null && end < text.length && ends.at(-1) !== end) ends.push(end)
      if (end !== null) index = end
    }
  }
  if (text.length > 0 && ends.at(-1) !== text.length) ends.push(text.length)
  return ends
}

/** Returns where a sentence ends, with closing marks and spaces, after a mark at an index. Returns `null` if it continues. */
function endAfter(text: string, index: number): number | null {
  const isFullStop = isStop(text.charCodeAt(index))
  let end = index + 1
  while (isClose(text.charCodeAt(end))) end += 1
  while (isSpace(text.charCodeAt(end))) end += 1
  const next = text.charCodeAt(end)
  if (isFullStop && end === index + 1) {
    const before = text.charCodeAt(index - 1)
    if (isDigit(next) || (isUpper(next) && (isUpper(before) || isLower(before)))) return null
  }
  if (isEnd(next) || isContinuation(next) || (isFullStop && isNextLetterLower(text, end))) return null
  if (!isNewLine(next)) return end
  return next === 0x0d && text.charCodeAt(end + 1) === 0x0a ? end + 2 : end + 1
}

/** Reports whether the next letter is lower case. */
function isNextLetterLower(text: string, from: number): boolean {
  for (let index = from; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (isLower(code)) return true
    if (isUpper(code) || isNewLine(code) || isEnd(code)) return false
  }
  return false
}
