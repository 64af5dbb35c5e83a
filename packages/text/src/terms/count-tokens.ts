/** Counts the tokens that a text costs a model. */
export type CountTokens = (text: string) => number

/** Matches the ranges of Unicode in which wide characters occur. Most texts have none of these characters. */
const MAY_BE_WIDE = /[\u1100-\u11FF\u2E80-\uFFFF]/

/**
 * Estimates tokens without a model's vocabulary: four characters per token in alphabets, one per Chinese, Japanese or Korean character.
 * If a budget must be exact, pass the tokeniser of the model that reads the context.
 *
 * @example
 * estimateTokens('I moved to Lyon.') // 4
 */
export function estimateTokens(text: string): number {
  if (!MAY_BE_WIDE.test(text)) return Math.ceil(text.length / 4)
  const wide = countWide(text)
  return wide + Math.ceil((text.length - wide) / 4)
}

const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
/** Caches the width of each UTF-16 unit: 0 is unknown, 1 narrow, 2 wide. A surrogate pair is tested as one character. */
const widths = new Uint8Array(1 << 16)

/** Counts Chinese, Japanese and Korean characters. */
function countWide(text: string): number {
  let wide = 0
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    if (unit < 0x1100) continue
    if ((unit & 0xf800) === 0xd800) {
      const character = String.fromCodePoint(text.codePointAt(index) ?? 0)
      if (WIDE.test(character)) wide += 1
      index += character.length - 1
      continue
    }
    if (widths[unit] === 0) widths[unit] = WIDE.test(String.fromCharCode(unit)) ? 2 : 1
    if (widths[unit] === 2) wide += 1
  }
  return wide
}
