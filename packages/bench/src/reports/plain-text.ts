/** Replaces control and direction characters by spaces, which could move a cursor or reorder a text. Line breaks and tabs stay. */
export function plainText(text: string): string {
  return text.replaceAll(/(?![\n\t])[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]+/gu, ' ')
}
