import type {
  CategoryCount,
  KeyState,
  Memory,
  PersonaSheet,
  Portrait,
  Profile,
  ScopeGuidelines,
  StoryLevel,
} from 'keepsake'
import type { PersonaValue } from 'keepsake/preset'
import { isoTime } from './show-memory.ts'

/** Renders the persona sheet as Markdown: one heading per subject, one line per key, earlier values with their dates. */
export function personaMarkdown(sheet: PersonaSheet, user: string): string {
  if (sheet.subjects.length === 0) return '# Persona\n\nNothing is on the persona sheet yet.\n'
  const parts = sheet.subjects.map(({ subject, entries }) => {
    const lines = entries.map(
      ({ key, values }) => `- **${escaped(key.id)}**: ${values.map(personaValue).join('; ')}`,
    )
    return [`## ${escaped(subject === 'user' ? user : subject)}`, '', ...lines].join('\n')
  })
  return `# Persona\n\n${parts.join('\n\n')}\n`
}

export function profileMarkdown({ lines }: Profile): string {
  if (lines.length === 0) return '# Profile\n\nNothing is known of the user yet.\n'
  const rows = lines.map(
    ({ slot, text, validFrom }) => `- **${slot}**: ${escaped(text)} (since ${day(validFrom)})`,
  )
  return `# Profile\n\n${rows.join('\n')}\n`
}

function personaValue({ value, validFrom, validUntil, isPast }: PersonaValue): string {
  const until = validUntil === null ? '' : ` until ${day(validUntil)}`
  const past = isPast || validUntil !== null ? 'before, ' : ''
  return `${escaped(value)} (${past}since ${day(validFrom)}${until})`
}

/** Renders the story as Markdown: the broadest level first, one line per unit. */
export function storyMarkdown(levels: readonly StoryLevel[]): string {
  if (levels.length === 0) return '# Story\n\nThere is no story yet. It grows session by session.\n'
  const parts = levels.map(({ level, units }) => {
    const title = level === 0 ? 'Sessions' : `Level ${level}`
    const lines = units
      .filter(({ text }) => text !== '')
      .map(({ validFrom, text }) => `- ${day(validFrom)}: ${escaped(text)}`)
    return [`## ${title}`, '', ...lines].join('\n')
  })
  return `# Story\n\n${parts.join('\n\n')}\n`
}

export function portraitMarkdown({ current, versions }: Portrait): string {
  if (current === null)
    return '# Portrait\n\nThere is no portrait yet. Some presets write one when sessions end.\n'
  const earlier = versions.length > 1 ? ` ${versions.length - 1} earlier.` : ''
  return `# Portrait\n\nSince ${day(current.validFrom)}.${earlier}\n\n${paragraphs(current)}\n`
}

/** Renders the application's own keys and categories as Markdown, one line each. */
export function stateMarkdown(states: readonly KeyState[], categories: readonly CategoryCount[]): string {
  const values = states.map(({ key, value, unit }) => {
    const shown = value === null ? '–' : escaped(typeof value === 'string' ? value : JSON.stringify(value))
    return `- **${escaped(key)}**: ${shown}${unit === null || value === null ? '' : ` ${escaped(unit)}`}`
  })
  const counts = categories.map(({ name, facts }) => `- category **${escaped(name)}**: ${facts}`)
  const lines = [...values, ...counts]
  return `# State\n\n${lines.length === 0 ? 'The application has no keys or categories of its own.' : lines.join('\n')}\n`
}

/** Renders the guidelines as Markdown, one line each. */
export function guidelinesMarkdown({ keep, never }: ScopeGuidelines): string {
  const parts = [
    ['Keep', keep],
    ['Never keep', never],
  ] as const
  const sections = parts.flatMap(([title, lines]) =>
    lines.length === 0 ? [] : [`## ${title}\n\n${lines.map((line) => `- ${escaped(line)}`).join('\n')}`],
  )
  return `# Guidelines\n\n${sections.length === 0 ? 'None are set.' : sections.join('\n\n')}\n`
}

function paragraphs({ text }: Memory): string {
  return text
    .split(/\n+/)
    .map(escaped)
    .filter((paragraph) => paragraph !== '')
    .join('\n\n')
}

/** Escapes markup in remembered text: a host that renders Markdown would fetch an image that a memory names. */
function escaped(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\`*_[\]<>#!|~&]/g, String.raw`\$&`)
}

function day(time: number): string {
  return isoTime(time).slice(0, 10)
}
