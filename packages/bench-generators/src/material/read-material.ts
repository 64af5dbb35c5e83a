import { z } from 'zod'
import { GenerateError } from '../generate-error.ts'
import { materialFile } from './material-file.ts'
import { readLines, readRecord, readRecords } from './read-records.ts'
import { talkWordsSchema, type TalkWords } from './talk-words.ts'
import {
  careerSchema,
  factKindSchema,
  preferencesSchema,
  type Career,
  type FactKind,
  type Preferences,
  type TalkLanguage,
} from './told-kind.ts'

export type ThemeKindId = 'theme-focus' | 'theme-tool' | 'theme-place' | 'theme-goal'

/** A theme of talk, with two phrases for each of the four things told of it. */
export interface Theme {
  readonly id: string
  readonly name: string
  readonly values: Readonly<Record<ThemeKindId, readonly [string, string]>>
}

const roundSchema = z.object({ user: z.string(), agent: z.string() })

/** A question and an answer that have nothing to do with the person. */
export type UnrelatedRound = z.infer<typeof roundSchema>

/** Everything that template mode makes talk from, in one language. */
export interface Material {
  readonly language: TalkLanguage
  readonly facts: readonly FactKind[]
  readonly themes: readonly Theme[]
  readonly themeFacts: readonly FactKind[]
  readonly preferences: Preferences
  readonly careers: readonly Career[]
  readonly words: TalkWords
  readonly unrelated: readonly UnrelatedRound[]
}

/** @throws GenerateError naming file, line and what is wrong with it. */
export function readMaterial(language: TalkLanguage): Material {
  const file = (name: string, form: string) => materialFile(`${name}.${language}.${form}`)
  return {
    language,
    facts: readRecords(file('facts', 'jsonl'), factKindSchema),
    themes: readLines(file('themes', 'txt')).map(({ text, place }) => parseTheme(text, place)),
    themeFacts: readRecords(file('theme-facts', 'jsonl'), factKindSchema),
    preferences: readRecord(file('preferences', 'json'), preferencesSchema),
    careers: readRecords(file('careers', 'jsonl'), careerSchema),
    words: readRecord(file('talk', 'json'), talkWordsSchema),
    unrelated: readRecords(file('unrelated', 'jsonl'), roundSchema),
  }
}

/** `id | theme | focus | tool | place | goal | another goal | another tool | another place | another focus` */
function parseTheme(line: string, place: string): Theme {
  const [id, name, focus, tool, where, goal, goal2, tool2, where2, focus2] = line
    .split('|')
    .map((part) => part.trim())
  if (!id || !name || !focus || !tool || !where || !goal || !goal2 || !tool2 || !where2 || !focus2)
    throw new GenerateError(`${place} must have ten parts, separated by "|".`)
  return {
    id,
    name,
    values: {
      'theme-focus': [focus, focus2],
      'theme-tool': [tool, tool2],
      'theme-place': [where, where2],
      'theme-goal': [goal, goal2],
    },
  }
}
