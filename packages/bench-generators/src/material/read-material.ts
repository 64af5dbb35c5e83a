import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { GenerateError } from '../generate-error.ts'
import {
  bySplitSchema,
  careerSchema,
  factKindSchema,
  preferencesSchema,
  type TalkLanguage,
} from './fact-kinds.ts'

const words = z.array(z.string())
const pair = z.tuple([z.string(), z.string()])
const pairsBySplit = z.object({ train: z.array(pair), test: z.array(pair) })
const coreFact = z.object({
  memory: z.string(),
  ask: z.string(),
  values: words.default([]),
  tell: bySplitSchema,
})

/** Schema of `talk.*.json`: the texts around the facts, such as small talk, the agent's answers, names, and forms of questions. */
const talkWordsSchema = z.object({
  names: z.array(z.tuple([z.string(), z.enum(['Female', 'Male'])])),
  surnames: words,
  openers: bySplitSchema,
  closers: bySplitSchema,
  /** Requests to forget something. */
  forget: bySplitSchema,
  replies: z.object({ add: words, modify: words, delete: words }),
  /** Rounds without facts: the person's words, and the agent's answer. */
  small: pairsBySplit,
  /** The agent claims something that was never stated. `{you}` is the claim as a clause. */
  hints: bySplitSchema,
  /** Answers with which the person ignores the claim. */
  deflections: bySplitSchema,
  /** A proposal of the agent, and the user's acceptance in other words. */
  proposals: pairsBySplit,
  proposalMemory: z.string(),
  proposalValues: words,
  intros: bySplitSchema,
  introMemory: z.string(),
  born: coreFact,
  study: coreFact,
  father: coreFact,
  aim: coreFact,
  persona: z.object({ education: words, tags: words }),
  frames: z.object({
    now: z.string(),
    still: z.string(),
    stillNo: z.string(),
    unknown: z.string(),
    conflict: words,
    conflictAnswer: z.string(),
    first: z.string(),
    both: z.string(),
    join: z.string(),
  }),
  eventNames: z.object({
    fixed: z.string(),
    dynamic: z.string(),
    preferences: z.string(),
    modify: z.string(),
  }),
})

/** A theme of talk, with two phrases for each of its four facts. */
export type Theme = ReturnType<typeof parseTheme>
export type ThemeKindId = keyof Theme['values']

/** All texts that the templates use, in one language. */
export type Material = Readonly<ReturnType<typeof readMaterial>>

const materials = new Map<TalkLanguage, ReturnType<typeof loadMaterial>>()

/** Reads and caches the material. @throws GenerateError naming file, line and what is wrong with it. */
export function readMaterial(language: TalkLanguage) {
  const material = materials.get(language) ?? loadMaterial(language)
  materials.set(language, material)
  return material
}

function loadMaterial(language: TalkLanguage) {
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

/** Parses `id | theme | focus | tool | place | goal | another goal | another tool | another place | another focus`. */
function parseTheme({ text, position }: { readonly text: string; readonly position: string }) {
  const parts = text.split('|').map((part) => part.trim())
  const [id, name, focus, tool, where, goal, goal2, tool2, where2, focus2] = parts
  if (!id || !name || !focus || !tool || !where || !goal || !goal2 || !tool2 || !where2 || !focus2)
    throw new GenerateError(`${position} must have ten parts, separated by "|".`)
  const values = {
    'theme-focus': [focus, focus2],
    'theme-tool': [tool, tool2],
    'theme-place': [where, where2],
    'theme-goal': [goal, goal2],
  } as const
  return { id, name, values }
}

/** Returns the path of a data file. It is the same from `src` and from `dist`. */
function materialFile(name: string): string {
  return fileURLToPath(new URL(`../../data/material/${name}`, import.meta.url))
}

/** Reads the lines of a file with their positions (`file:line`). Skips blank lines and comments (`#`). */
function readLines(file: string): { text: string; position: string }[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((text, index) => ({ text, position: `${file}:${index + 1}` }))
    .filter(({ text }) => text.trim() !== '' && !text.startsWith('#'))
}

/** Reads and checks a file of JSON lines. @throws GenerateError naming the file, the line and the field. */
export function readRecords<Line>(file: string, schema: z.ZodType<Line>): Line[] {
  return readLines(file).map(({ text, position }) => parse(text, position, schema))
}

/** Reads and checks a JSON file. @throws GenerateError naming the file and the field. */
function readRecord<Value>(file: string, schema: z.ZodType<Value>): Value {
  return parse(readFileSync(file, 'utf8'), file, schema)
}

function parse<Value>(text: string, position: string, schema: z.ZodType<Value>): Value {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new GenerateError(`${position} is not JSON.`, { cause })
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new GenerateError(`${position}: "${issue?.path.join('.') ?? ''}" is wrong: ${issue?.message ?? ''}.`)
}
