/**
 * Text without control characters and without those that turn the direction of reading, which could move a cursor or
 * show a text in another order than it has; they become spaces. Line ends and tabs stay.
 */
export function plainText(text: string): string {
  return text.replaceAll(/(?![\n\t])[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]+/gu, ' ')
}
