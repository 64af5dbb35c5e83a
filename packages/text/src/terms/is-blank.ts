/** Reports whether a text has only spaces and unprintable characters. */
export function isBlank(text: string): boolean {
  return !/[^\p{C}\p{Z}]/u.test(text)
}
