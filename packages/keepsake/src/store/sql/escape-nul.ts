/**
 * Postgres holds no NUL in a text, and libSQL's driver ends a text there. It is kept as two characters that begin with U+0010
 * ("data link escape"), and so is that character itself; every text is so on its way in and the other way round on its way
 * out, wherever it stands. JSON needs none of it: it spells control characters out.
 */
const ESCAPE = '\u0010'

/** A text as it is kept. */
export function escapeNul(text: string): string {
  if (!text.includes('\0') && !text.includes(ESCAPE)) return text
  // oxlint-disable-next-line no-control-regex -- these two are what it is about
  return text.replaceAll(/[\0\u0010]/g, (found) => (found === '\0' ? `${ESCAPE}0` : ESCAPE + ESCAPE))
}

/** A text as it was given. */
export function unescapeNul(text: string): string {
  if (!text.includes(ESCAPE)) return text
  // oxlint-disable-next-line no-control-regex -- as above
  return text.replaceAll(/\u0010([0\u0010])/g, (_, one: string) => (one === '0' ? '\0' : ESCAPE))
}
