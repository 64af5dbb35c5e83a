import type { StoryLevel } from 'keepsake'
import { wordsOf } from './format-memory.ts'
import { formatDay } from './format-quantity.ts'
import { wrap, type Style } from './style.ts'

/** The story for people: the widest level first, a unit a paragraph, each with its day. */
export function formatStory(levels: readonly StoryLevel[], style: Style): string {
  if (levels.length === 0) return style.dim('No story yet: it is told once a session has ended.')
  return levels.map((level) => formatLevel(level, style)).join('\n\n')
}

function formatLevel({ level, units }: StoryLevel, style: Style): string {
  const title = level === 0 ? 'Sessions' : `Level ${level}`
  const lines = units.map((unit) =>
    wrap(wordsOf(unit, style), style.width, `  ${style.dim(formatDay(unit.validFrom))}  `, ' '.repeat(14)),
  )
  return [style.bold(title), ...lines].join('\n')
}
