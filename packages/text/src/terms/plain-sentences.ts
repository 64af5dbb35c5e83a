// Finds the ends of sentences in ASCII text. Called by split-sentences.ts.
/** Matches the supported characters: ASCII without the semicolon, whose sentence rule changed between Unicode versions. */
const KNOWN = /^[\0-:<-\x7F]*$/

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
/** Makes a test whether a code is that of one of these characters. */
const isOneOf = (characters: string): ((code: number) => boolean) => {
  const codes = new Set(Array.from(characters, (character) => character.charCodeAt(0)))
  return (code) => codes.has(code)
}
const isLower = (code: number): boolean => code >= 0x61 && code <= 0x7a
const isUpper = (code: number): boolean => code >= 0x41 && code <= 0x5a
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39
const isNewLine = (code: number): boolean => code === LINE_FEED || code === CARRIAGE_RETURN
const isSpace = isOneOf(' \t\v\f')
/** Reports a full stop. If the next letter is a small one, the sentence continues. */
const isStop = isOneOf('.')
const isEnd = isOneOf('.!?')
const isClose = isOneOf(`"'()[]{}`)
/** Reports marks that continue the sentence. */
const isContinuation = isOneOf(',-:')

/** Finds the sentence ends of ASCII text, as `Intl.Segmenter` does, but ten times as fast. Returns `null` for other text. */
export function plainSentenceEnds(text: string): number[] | null {
  if (!KNOWN.test(text)) return null
  const ends: number[] = []
  let index = 0
  while (index < text.length) {
    const code = text.charCodeAt(index)
    index += 1
    if (isNewLine(code)) {
      if (code === CARRIAGE_RETURN && text.charCodeAt(index) === LINE_FEED) index += 1
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
  return next === CARRIAGE_RETURN && text.charCodeAt(end + 1) === LINE_FEED ? end + 2 : end + 1
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
