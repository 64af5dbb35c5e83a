/** A span of a text: offsets, end exclusive. */
export interface Stretch {
  readonly start: number
  readonly end: number
}

/** Matches the first person in any of the languages. */
export const FIRST_PERSON =
  /\b(?:I|my|me|mine|myself|our|ours|we|us)\b|\bi['’]|(?<!\p{L})(?:ich|mein\p{L}*|mi[rc]h?|je|j['’]\p{L}+|mon|ma|mes|moi|yo|mis?|soy|tengo|vivo|eu|meus?|minhas?|mim|sou|tenho|moro)(?!\p{L})|[我咱俺私僕]|(?<!\p{L})[나저내제](?:[는도가를의]|한테|랑)?(?!\p{L})/iu

/** A line of a text, without its line ending. */
export interface Line extends Stretch {
  readonly text: string
}

const LINE = /[^\r\n\u0085\u2028\u2029\v\f]*(?:\r\n|[\r\n\u0085\u2028\u2029\v\f]|$)/g

/** Splits a text into lines at every line ending that Unicode defines. */
export function linesOf(text: string): Line[] {
  const lines: Line[] = []
  for (const { 0: whole, index: start } of text.matchAll(LINE)) {
    if (whole === '') continue
    const line = whole.replace(/[\r\n\u0085\u2028\u2029\v\f]+$/, '')
    lines.push({ start, end: start + line.length, text: line })
  }
  return lines
}

/** Reports whether a line is blank. */
export function isEmpty({ text }: Line): boolean {
  return text.trim() === ''
}

/** Replaces spans by spaces. Offsets and lines stay the same. */
export function blankOut(text: string, stretches: readonly Stretch[]): string {
  const sorted = [...stretches].sort((a, b) => a.start - b.start)
  let blanked = ''
  let from = 0
  for (const { start, end } of sorted) {
    if (end <= from) continue
    const begin = Math.max(start, from)
    blanked += text.slice(from, begin) + text.slice(begin, end).replace(/[^\n]/g, ' ')
    from = end
  }
  return blanked + text.slice(from)
}

/** Returns the paragraphs: groups of lines between blank ones. */
export function groupsOf(lines: readonly Line[]): Line[][] {
  const groups: Line[][] = [[]]
  for (const line of lines) {
    if (isEmpty(line)) groups.push([])
    else groups.at(-1)?.push(line)
  }
  return groups
}
