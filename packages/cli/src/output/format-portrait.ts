import type { Memory, Portrait } from 'keepsake'
import { wordsOf } from './format-memory.ts'
import { formatCount, formatSpan } from './format-quantity.ts'
import type { Shown } from './print.ts'
import { wrap, type Style } from './style.ts'

const NONE = 'There is no portrait yet. Presets that have one write it when sessions end.'

/** The portrait: for people as it is now, or with all its versions, each with its span. */
export function showPortrait(portrait: Portrait, isAll = false): Shown {
  const { current, versions } = portrait
  const words = (style: Style): string => {
    if (current === null) return style.dim(wrap(NONE, style.width))
    const shown = isAll ? versions : [current]
    const earlier = versions.length - shown.length
    const more = earlier > 0 ? [style.dim(formatCount(earlier, 'earlier version'))] : []
    return [...shown.map((version) => formatVersion(version, style)), ...more].join('\n\n')
  }
  return { data: portrait, words }
}

function formatVersion(version: Memory, style: Style): string {
  const { validFrom, validUntil, sources } = version
  const since = validUntil === null ? 'since ' : ''
  const rests = sources.length === 0 ? '' : `, from ${formatCount(sources.length, 'session')}`
  const words = wordsOf(version, style)
    .split('\n')
    .map((line) => (line.trim() === '' ? '' : wrap(line, style.width, '  ')))
  return [style.dim(`${since}${formatSpan(validFrom, validUntil)}${rests}`), ...words].join('\n')
}
