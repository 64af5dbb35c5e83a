import { z } from 'zod'
import { GenerateError } from '../generate-error.ts'
import { materialFile, readLines, readRecord, readRecords } from './read-records.ts'
import { talkWordsSchema } from './talk-words.ts'
import { careerSchema, factKindSchema, preferencesSchema, type TalkLanguage } from './told-kind.ts'

/** A theme of talk, with two phrases for each of the four things told of it. */
export type Theme = ReturnType<typeof parseTheme>
export type ThemeKindId = keyof Theme['values']

/** Everything that template mode makes talk from, in one language. */
export type Material = Readonly<ReturnType<typeof readMaterial>>

/** @throws GenerateError naming file, line and what is wrong with it. */
export function readMaterial(language: TalkLanguage) {
  const file = (name: string, form: string) => materialFile(`${name}.${language}.${form}`)
  return {
    language,
    facts: readRecords(file('facts', 'jsonl'), factKindSchema),
    themes: readLines(file('themes', 'txt')).map(parseTheme),
    themeFacts: readRecords(file('theme-facts', 'jsonl'), factKindSchema),
    preferences: readRecord(file('preferences', 'json'), preferencesSchema),
    careers: readRecords(file('careers', 'jsonl'), careerSchema),
    words: readRecord(file('talk', 'json'), talkWordsSchema),
    /** Questions and answers that have nothing to do with the person. */
    unrelated: readRecords(file('unrelated', 'jsonl'), z.object({ user: z.string(), agent: z.string() })),
  }
}

/** `id | theme | focus | tool | place | goal | another goal | another tool | another place | another focus` */
function parseTheme({ text, place }: { readonly text: string; readonly place: string }) {
  const parts = text.split('|').map((part) => part.trim())
  const [id, name, focus, tool, where, goal, goal2, tool2, where2, focus2] = parts
  if (!id || !name || !focus || !tool || !where || !goal || !goal2 || !tool2 || !where2 || !focus2)
    throw new GenerateError(`${place} must have ten parts, separated by "|".`)
  const values = {
    'theme-focus': [focus, focus2],
    'theme-tool': [tool, tool2],
    'theme-place': [where, where2],
    'theme-goal': [goal, goal2],
  } as const
  return { id, name, values }
}
