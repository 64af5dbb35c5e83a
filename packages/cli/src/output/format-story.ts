import type { StoryLevel } from 'keepsake'
import { wordsOf } from './format-memory.ts'
import { formatDay } from './format-quantity.ts'
import type { Shown } from './print.ts'
import { wrap, type Style } from './style.ts'

/** The story: for people the widest level first, a unit a paragraph, each with its day. */
export function showStory(levels: readonly StoryLevel[]): Shown {
  const words = (style: Style): string =>
    levels.length === 0
      ? style.dim('There is no story yet. It is written when a session ends.')
      : levels.map((level) => formatLevel(level, style)).join('\n\n')
  return { data: { levels }, words }
}

function formatLevel({ level, units }: StoryLevel, style: Style): string {
  const lines = units.map((unit) =>
    wrap(wordsOf(unit, style), style.width, `  ${style.dim(formatDay(unit.validFrom))}  `),
  )
  return [style.bold(level === 0 ? 'Sessions' : `Level ${level}`), ...lines].join('\n')
}
