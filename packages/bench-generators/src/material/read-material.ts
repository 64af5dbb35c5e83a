import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { GenerateError } from '../generate-error.ts'
import { DATA_FOLDER } from './data-folder.ts'
import {
  careerSchema,
  factKindSchema,
  preferencesSchema,
  type Career,
  type FactKind,
  type Preferences,
  type TalkLanguage,
} from './fact-kind.ts'
import { talkWordsSchema, type TalkWords } from './talk-words.ts'

/** A theme of talk, with two phrases for each of the four things told of it. */
export interface Theme {
  readonly id: string
  readonly name: string
  readonly values: Readonly<Record<ThemeKindId, readonly [string, string]>>
}

export type ThemeKindId = 'theme-focus' | 'theme-tool' | 'theme-place' | 'theme-goal'

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
  const lines = <Item>(name: string, schema: z.ZodType<Item>): Item[] =>
    readLines(`${name}.${language}.jsonl`).map(({ text, place }) => parse(text, place, schema))
  const whole = <Item>(name: string, schema: z.ZodType<Item>): Item =>
    parse(read(`${name}.${language}.json`), `${name}.${language}.json`, schema)
  return {
    language,
    facts: lines('facts', factKindSchema),
    themes: readLines(`themes.${language}.txt`).map(({ text, place }) => parseTheme(text, place)),
    themeFacts: lines('theme-facts', factKindSchema),
    preferences: whole('preferences', preferencesSchema),
    careers: lines('careers', careerSchema),
    words: whole('talk', talkWordsSchema),
    unrelated: lines('unrelated', roundSchema),
  }
}

function read(name: string): string {
  return readFileSync(join(DATA_FOLDER, name), 'utf8')
}

function readLines(name: string): { text: string; place: string }[] {
  return read(name)
    .split('\n')
    .map((text, index) => ({ text, place: `${name}:${index + 1}` }))
    .filter(({ text }) => text.trim() !== '' && !text.startsWith('#'))
}

function parse<Item>(text: string, place: string, schema: z.ZodType<Item>): Item {
  try {
    return schema.parse(JSON.parse(text))
  } catch (error) {
    throw new GenerateError(`${place} is not word material of the expected form.`, { cause: error })
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
