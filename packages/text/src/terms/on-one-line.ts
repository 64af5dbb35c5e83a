/** Matches white space other than one plain space. */
const SPACES = /\s{2,}|[^\S ]/g

/**
 * Puts a text on one line: each run of white space becomes one space, and the ends are trimmed.
 *
 * @example
 * onOneLine(' We walked\n  home. ') // 'We walked home.'
 */
export function onOneLine(text: string): string {
  return text.replace(SPACES, ' ').trim()
}
