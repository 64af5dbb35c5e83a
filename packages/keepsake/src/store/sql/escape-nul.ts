// Postgres refuses NUL characters in a text, and libSQL's driver ends a text there. So each NUL is stored as U+0010 and "0", and
// each U+0010 as two of them. Texts in JSON need no escape, because JSON spells control characters out.

/** The control character "data link escape". */
const ESCAPE = '\u0010'

/** Escapes a text for storage. */
export function escapeNul(text: string): string {
  if (!text.includes('\0') && !text.includes(ESCAPE)) return text
  // oxlint-disable-next-line no-control-regex -- matches the two characters to escape
  return text.replaceAll(/[\0\u0010]/g, (found) => (found === '\0' ? `${ESCAPE}0` : ESCAPE + ESCAPE))
}

/** Restores a stored text. */
export function unescapeNul(text: string): string {
  if (!text.includes(ESCAPE)) return text
  // oxlint-disable-next-line no-control-regex -- matches the escapes
  return text.replaceAll(/\u0010([0\u0010])/g, (_, code: string) => (code === '0' ? '\0' : ESCAPE))
}
