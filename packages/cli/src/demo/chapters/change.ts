import type { Memory, PersonaEntry, PersonaValue } from 'keepsake'
import { besidesSheet } from '../../output/format-facts.ts'
import { formatSpan } from '../../output/format-quantity.ts'
import { pad, printable } from '../../output/style.ts'
import type { Chapter, Stage } from '../stage.ts'

export const change: Chapter = {
  title: 'Things change',
  about:
    'When the user moves or changes jobs, the new fact replaces the old one. The old fact stays with its dates and can still be recalled.',
  async tell(stage) {
    const { say, style, model } = stage
    const changed: unknown[] = []
    for (const { user, name, memory } of [stage.english, stage.chinese]) {
      const { subjects } = await memory.persona()
      const entries = subjects
        .flatMap((subject) => subject.entries)
        .filter(({ values }) => values.some(isOver))
      const facts = besidesSheet(await memory.memories({ forms: ['fact'] }))
      const besides = facts.filter(({ past, validUntil }) => past.length > 0 || validUntil !== null)
      const bold = style.bold(name)
      for (const entry of entries)
        showVersions(stage, `${bold}${style.dim(`, ${entry.key.id}`)}`, ofKey(entry))
      for (const fact of besides) showVersions(stage, bold, ofFact(fact))
      if (entries.length + besides.length === 0)
        say(`   ${bold}${style.dim(', no extracted fact has changed')}`, '')
      changed.push({ user, entries, ...(model === null ? {} : { besides }) })
    }
    return { changed }
  },
}

interface Version {
  readonly text: string
  readonly isOver: boolean
  /** When it was so. */
  readonly span?: string
}

const isOver = ({ isPast, validUntil }: PersonaValue): boolean => isPast || validUntil !== null

/** What a key said. Of what was only added to (likes, say), what ended is the change. */
function ofKey({ key, values }: PersonaEntry): Version[] {
  const replaces = key.merge === 'replace' || key.merge === 'trajectory'
  return values
    .filter((value) => replaces || isOver(value))
    .toSorted((one, other) => one.validFrom - other.validFrom)
    .map((value) => ({
      text: value.text,
      isOver: isOver(value),
      span: `${value.validUntil === null ? 'since ' : ''}${formatSpan(value.validFrom, value.validUntil)}`,
    }))
}

/** What a fact said that fits no key. */
function ofFact({ past, text, validUntil }: Memory): Version[] {
  return [
    ...past.map((version) => ({ text: version.text, isOver: true })),
    { text, isOver: validUntil !== null },
  ]
}

/** Oldest first. */
function showVersions({ say, paragraph, style }: Stage, title: string, versions: readonly Version[]): void {
  say(`   ${title}`)
  for (const version of versions) {
    const label = version.isOver ? style.dim('was') : style.good('now')
    const span = version.span === undefined ? '' : `${style.dim(pad(version.span, 24))}  `
    paragraph(printable(version.text), `     ${label}  ${span}`)
  }
  say('')
}
