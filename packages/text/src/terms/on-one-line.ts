/** More than one space, or another than the plain one: single plain spaces, which nearly all are, stay as they stand. */
const SPACES = /\s{2,}|[^\S ]/g

/**
 * A text on one line: each run of white space is one space, and none is at its ends.
 *
 * @example
 * onOneLine(' We walked\n  home. ') // 'We walked home.'
 */
export function onOneLine(text: string): string {
  return text.replace(SPACES, ' ').trim()
}
