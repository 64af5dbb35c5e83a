import type { Memory } from 'keepsake'
import { wordsOf } from './format-memory.ts'
import { formatCount, formatDay } from './format-quantity.ts'
import { wrap, type Style } from './style.ts'

interface Portrait {
  readonly current: Memory | null
  readonly versions: readonly Memory[]
}

const NONE = 'No portrait yet: some presets draw one by and by, as sessions end.'

/** The portrait for people: as it is now, or with all its versions, each with its span. */
export function formatPortrait(
  { current, versions }: Portrait,
  style: Style,
  options: { readonly all: boolean; readonly indent?: string } = { all: false },
): string {
  const indent = options.indent ?? ''
  if (current === null) return style.dim(wrap(NONE, style.width, indent))
  const shown = options.all ? versions : [current]
  const parts = shown.map((version) => formatVersion(version, style, indent))
  const earlier = versions.length - shown.length
  const more = earlier > 0 ? [style.dim(`${indent}${formatCount(earlier, 'earlier version')}`)] : []
  return [...parts, ...more].join('\n\n')
}

function formatVersion(version: Memory, style: Style, indent: string): string {
  const until = version.validUntil === null ? '' : ` to ${formatDay(version.validUntil)}`
  const rests = version.sources.length === 0 ? '' : `, from ${formatCount(version.sources.length, 'session')}`
  const head = `${indent}${style.dim(`${version.validUntil === null ? 'since ' : ''}${formatDay(version.validFrom)}${until}${rests}`)}`
  const words = wordsOf(version, style)
    .split('\n')
    .map((line) => (line.trim() === '' ? '' : wrap(line, style.width, `${indent}  `)))
  return [head, ...words].join('\n')
}
