import type { PersonaSheet, PersonaValue, SubjectSheet } from 'keepsake'
import { formatSpan } from './format-quantity.ts'
import type { Shown } from './print.ts'
import { pad, printable, wrap, type Style } from './style.ts'

/** Width of the column of keys: the longest built-in ones fit. */
const KEY_WIDTH = 18

/** The sheet: for people who it is about (`user` is what the user is called), a line a key, what no longer holds dimmed with its dates. */
export function showPersona(sheet: PersonaSheet, user: string): Shown {
  const words = (style: Style): string =>
    sheet.subjects.length === 0
      ? style.dim('The persona sheet is empty.')
      : sheet.subjects.map((subject) => formatSubject(subject, user, style)).join('\n')
  return { data: sheet, words }
}

function formatSubject({ subject, entries }: SubjectSheet, user: string, style: Style): string {
  const lines = entries.map(({ key, values }) => {
    const words = values.map((value) => formatValue(value, style)).join('; ')
    return wrap(words, style.width, `  ${style.dim(pad(key.id, KEY_WIDTH))}  `)
  })
  return [style.bold(printable(subject === 'user' ? user : subject)), ...lines].join('\n')
}

function formatValue({ value, validFrom, validUntil, isPast }: PersonaValue, style: Style): string {
  const words = printable(value)
  return isPast || validUntil !== null ? style.dim(`${words} (${formatSpan(validFrom, validUntil)})`) : words
}
