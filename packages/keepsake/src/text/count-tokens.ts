/** Counts the tokens a text costs a model. Pass your model's own counter where the budget must be exact. */
export type CountTokens = (text: string) => number

/** From the first Hangul on: no character of these scripts stands before it, and most texts have none after it. */
const MAY_BE_WIDE = /[\u1100-\uFFFF]/

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
  const wide =
    text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0
  return wide + Math.ceil((text.length - wide) / 4)
}
