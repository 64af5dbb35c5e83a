import type { PersonaSheet, Portrait, StoryLevel } from 'keepsake'
import type { PersonaValue, SubjectSheet } from 'keepsake/preset'
import { textOf } from './format-memory.ts'
import { formatCount, formatDay, formatSpan } from './format-quantity.ts'
import type { Shown } from './print.ts'
import { pad, printable, wrap, type Style } from './style.ts'

/** Width of the column of keys, in which the longest built-in key fits. */
const KEY_WIDTH = 18

/** Shows a persona sheet: each person, one line per key, past values dimmed with their dates. @param user shown for the subject `user` */
export function showPersona(sheet: PersonaSheet, user: string): Shown {
  const formatText = (style: Style): string =>
    sheet.subjects.length === 0
      ? style.dim('The persona sheet is empty.')
      : sheet.subjects.map((subject) => formatSubject(subject, user, style)).join('\n')
  return { data: sheet, formatText }
}

function formatSubject({ subject, entries }: SubjectSheet, user: string, style: Style): string {
  const lines = entries.map(({ key, values }) => {
    const valueList = values.map((value) => formatValue(value, style)).join('; ')
    return wrap(valueList, style.width, `  ${style.dim(pad(key.id, KEY_WIDTH))}  `)
  })
  return [style.bold(printable(subject === 'user' ? user : subject)), ...lines].join('\n')
}

function formatValue({ value, validFrom, validUntil, isPast }: PersonaValue, style: Style): string {
  const text = printable(value)
  return isPast || validUntil !== null ? style.dim(`${text} (${formatSpan(validFrom, validUntil)})`) : text
}

const NO_PORTRAIT = 'There is no portrait yet. Presets that have one write it when sessions end.'

export function showPortrait(portrait: Portrait): Shown {
  const { current, versions } = portrait
  const formatText = (style: Style): string => {
    if (current === null) return style.dim(wrap(NO_PORTRAIT, style.width))
    const { validFrom, sources } = current
    const origin = sources.length === 0 ? '' : `, from ${formatCount(sources.length, 'session')}`
    const earlier = versions.length === 1 ? '' : `, ${formatCount(versions.length - 1, 'earlier version')}`
    const lines = textOf(current, style)
      .split('\n')
      .map((line) => (line.trim() === '' ? '' : wrap(line, style.width, '  ')))
    return [style.dim(`since ${formatDay(validFrom)}${origin}${earlier}`), ...lines].join('\n')
  }
  return { data: portrait, formatText }
}

/** Shows the story: the highest level first, one paragraph per summary, each with its day. */
export function showStory(levels: readonly StoryLevel[]): Shown {
  const formatText = (style: Style): string =>
    levels.length === 0
      ? style.dim('There is no story. A language model writes it when a session ends (--model).')
      : levels.map((level) => formatLevel(level, style)).join('\n\n')
  return { data: { levels }, formatText }
}

function formatLevel({ level, units }: StoryLevel, style: Style): string {
  const lines = units.map((unit) =>
    wrap(textOf(unit, style), style.width, `  ${style.dim(formatDay(unit.validFrom))}  `),
  )
  return [style.bold(level === 0 ? 'Sessions' : `Level ${level}`), ...lines].join('\n')
}
