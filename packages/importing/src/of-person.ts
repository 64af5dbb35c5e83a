import { ImportError } from './import-error.ts'
import type { ImportSettings, ImportSource } from './import-source.ts'
import { optionName } from './option-name.ts'
import { choicesOf, listed, type SpeakerCounts } from './speaking.ts'

/** Limits a source to the turns of the chosen person, and to turns without a person. */
export function ofPerson(source: ImportSource, { of }: ImportSettings): ImportSource {
  if (of === undefined) return source
  return {
    ...source,
    *turns(leftOut) {
      for (const placed of source.turns(leftOut)) {
        if (placed.user === null || placed.user === of) yield placed
        else leftOut.add('others')
      }
    },
  }
}

/** Requires that a file has one person, since several would be merged into one. @throws ImportError listing the people */
export function requireOne(file: string, people: SpeakerCounts, settings: ImportSettings): void {
  if (people.size < 2) return
  const names =
    settings.by === 'command'
      ? `and --user ${settings.user ?? ''} would merge them into one. Leave --user out`
      : `which would be merged into one. Choose one with ${optionName(settings, 'of')}: ${listed(people)}`
  throw new ImportError(`${file} holds ${people.size} users, ${names}.`, {
    asks: 'of',
    choices: choicesOf(people),
  })
}
