import type { PersonaSheet } from 'keepsake'
import { formatDay } from './format-quantity.ts'
import { pad, printable, wrap, type Style } from './style.ts'

type Subject = PersonaSheet['subjects'][number]
type Value = Subject['entries'][number]['values'][number]

/** Width of the column of keys: the longest built-in ones fit. */
const KEY_WIDTH = 18

/** The sheet for people (`user` is what the user is called): who it is about, a line a key, what no longer holds dimmed with its dates. */
export function formatPersona(sheet: PersonaSheet, user: string, style: Style, indent = ''): string {
  if (sheet.subjects.length === 0) return `${indent}${style.dim('Nothing is on the persona sheet yet.')}`
  return sheet.subjects.map((subject) => formatSubject(subject, user, style, indent)).join('\n')
}

function formatSubject({ subject, entries }: Subject, user: string, style: Style, indent: string): string {
  const lines = entries.map(({ key, values }) => {
    const first = `${indent}  ${style.dim(pad(key.id, KEY_WIDTH))}  `
    const rest = ' '.repeat(indent.length + KEY_WIDTH + 4)
    return wrap(values.map((value) => formatValue(value, style)).join('; '), style.width, first, rest)
  })
  return [`${indent}${style.bold(printable(subject === 'user' ? user : subject))}`, ...lines].join('\n')
}

function formatValue({ value, validFrom, validUntil, isPast }: Value, style: Style): string {
  const words = printable(value)
  if (!isPast && validUntil === null) return words
  const until = validUntil === null ? '' : ` to ${formatDay(validUntil)}`
  return style.dim(`${words} (${formatDay(validFrom)}${until})`)
}
