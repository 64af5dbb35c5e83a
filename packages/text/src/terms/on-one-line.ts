/** Matches white space other than one plain space. */
const SPACES = /\s{2,}|[^\S ]/g

/** Puts a text on one line, with single spaces and trimmed ends. */
export function onOneLine(text: string): string {
  return text.replace(SPACES, ' ').trim()
}
