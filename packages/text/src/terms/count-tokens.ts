/** Counts the tokens a text costs a model. Pass your model's own counter where the budget must be exact. */
export type CountTokens = (text: string) => number

/** Hangul Jamo, and everything from the CJK radicals on: no character of these scripts is elsewhere, and most texts have none there. */
const MAY_BE_WIDE = /[\u1100-\u11FF\u2E80-\uFFFF]/

/**
 * An estimate without a model's vocabulary: four characters a token for alphabets, one for each character
 * of Chinese, Japanese and Korean. It is a rule of thumb: where a budget
 * must hold exactly, pass the tokeniser of the model that reads the context.
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
/** Of each UTF-16 unit that was met: 1 for a narrow character, 2 for a wide one. Halves of pairs are looked at together. */
const widths = new Uint8Array(1 << 16)

function countWide(text: string): number {
  let wide = 0
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit < 0x1100) continue
    if ((unit & 0xf800) === 0xd800) {
      const character = String.fromCodePoint(text.codePointAt(at) ?? 0)
      if (WIDE.test(character)) wide += 1
      at += character.length - 1
      continue
    }
    if (widths[unit] === 0) widths[unit] = WIDE.test(String.fromCharCode(unit)) ? 2 : 1
    if (widths[unit] === 2) wide += 1
  }
  return wide
}
