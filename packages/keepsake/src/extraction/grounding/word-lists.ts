// Makes patterns of word lists, and recognises Chinese characters.

/** Alternatives of a pattern. Each entry has several, separated by `|`, and each is a part of a regular expression. */
export interface WordLists {
  /** Beginnings of words. */
  readonly stems?: readonly string[]
  /** Whole words. */
  readonly words?: readonly string[]
  /** Parts that are matched anywhere, such as Chinese words. */
  readonly others?: readonly string[]
}

/** Makes a pattern that matches any word of the lists. */
export function matchAnyOf({ stems = [], words = [], others = [] }: WordLists, flags = 'i'): RegExp {
  const parts = [...others]
  if (words.length > 0) parts.unshift(String.raw`\b(?:${words.join('|')})\b`)
  if (stems.length > 0) parts.unshift(String.raw`\b(?:${stems.join('|')})`)
  return new RegExp(parts.join('|'), flags)
}

/** Checks for a Chinese character. */
export const hasHan = (text: string): boolean => /\p{Script=Han}/u.test(text)
