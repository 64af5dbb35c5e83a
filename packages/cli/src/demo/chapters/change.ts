import type { Memory, PersonaSheet } from 'keepsake'
import { besidesSheet } from '../../output/format-facts.ts'
import { formatDay } from '../../output/format-quantity.ts'
import { pad, printable, wrap } from '../../output/style.ts'
import { memoryOf, type Chapter, type Person, type Stage } from '../stage.ts'

type Entry = PersonaSheet['subjects'][number]['entries'][number]
type Value = Entry['values'][number]

export const change: Chapter = {
  title: 'Things change',
  about:
    'When somebody moves, changes jobs or gives something up, what is so now takes the place of what was so; that stays, with its dates, and can still be asked about.',
  async tell(stage) {
    const changed: unknown[] = []
    for (const person of [stage.english, stage.chinese]) {
      const sheet = await memoryOf(stage, person).persona()
      const entries = sheet.subjects
        .flatMap((subject) => subject.entries)
        .filter(({ values }) => values.some(isOver))
      for (const entry of entries) show(stage, person, entry)
      const others = besidesSheet(await memoryOf(stage, person).memories({ forms: ['fact'] })).filter(
        hasChanged,
      )
      for (const fact of others) showFact(stage, person, fact)
      if (entries.length + others.length === 0)
        stage.say(
          `   ${stage.style.bold(person.name)}${stage.style.dim(', nothing that was drawn has changed')}`,
          '',
        )
      changed.push({ user: person.user, entries, ...(stage.model === null ? {} : { besides: others }) })
    }
    return { changed }
  },
}

const isOver = ({ isPast, validUntil }: Value): boolean => isPast || validUntil !== null

const hasChanged = ({ past, validUntil }: Memory): boolean => past.length > 0 || validUntil !== null

/** What a fact that fits no key said, oldest first. */
function showFact({ say, style }: Stage, person: Person, fact: Memory): void {
  say(`   ${style.bold(person.name)}`)
  const isOver = fact.validUntil !== null
  for (const { text, isPast } of [
    ...fact.past.map((version) => ({ text: version.text, isPast: true })),
    { text: fact.text, isPast: isOver },
  ]) {
    const label = isPast ? style.dim('was') : style.good('now')
    say(wrap(printable(text), style.width, `     ${label}  `, ' '.repeat(10)))
  }
  say('')
}

/** What a key said, oldest first. Of what was only added to (likes, say), what ended is the change. */
function show({ say, style }: Stage, person: Person, { key, values }: Entry): void {
  const replaces = key.merge === 'replace' || key.merge === 'trajectory'
  const shown = values
    .filter((value) => replaces || isOver(value))
    .toSorted((one, other) => one.validFrom - other.validFrom)
  say(`   ${style.bold(person.name)}${style.dim(`, ${key.id}`)}`)
  for (const value of shown) {
    const { validFrom, validUntil } = value
    const label = isOver(value) ? style.dim('was') : style.good('now')
    const span =
      validUntil === null
        ? `since ${formatDay(validFrom)}`
        : `${formatDay(validFrom)} to ${formatDay(validUntil)}`
    say(
      wrap(
        printable(value.text),
        style.width,
        `     ${label}  ${style.dim(pad(span, 24))}  `,
        ' '.repeat(36),
      ),
    )
  }
  say('')
}
