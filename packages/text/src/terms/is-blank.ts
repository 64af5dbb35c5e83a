/** Whether a text shows nothing: no letter, digit or sign, only spaces and what is not printed. */
export function isBlank(text: string): boolean {
  return !/[^\p{C}\p{Z}]/u.test(text)
}
