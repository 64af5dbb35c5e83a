import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { languageOfText } from './language-of-text.ts'
import { generateHalumem } from '../halumem/generate-halumem.ts'
import type { TalkLanguage } from '../material/fact-kinds.ts'
import { generateMemDialogue } from '../mem-dialogue/generate-mem-dialogue.ts'

/** An ordinary sentence, which contains no secret. */
export interface OrdinarySentence {
  readonly text: string
  readonly language: TalkLanguage
  /** `generators`, or the name of a folder. */
  readonly source: string
}

/** Matches a sentence, or a line without a full stop. */
const SENTENCE =
  /[^\n.!?。！？]+(?:[.!?。！？]+(?=\s|$|\p{Script=Han})|[.!?](?=\S)[^\n.!?。！？]*)*[.!?。！？]*/gu
const SEED = 15
const USERS = 12
const SESSIONS = 40
const READABLE_FORMATS = new Set(['.json', '.jsonl', '.csv', '.txt', '.md'])

/** Generates enough talk in one language to use every template, and returns its texts. */
async function generateTexts(language: TalkLanguage): Promise<readonly string[]> {
  const { themes } = await generateMemDialogue({ seed: SEED, language })
  const { users } = await generateHalumem({
    seed: SEED,
    language,
    users: USERS,
    sessions: SESSIONS,
    variant: 'long',
  })
  return [...stringsIn(themes), ...stringsIn(users)]
}

/** Reads the texts of all files of a folder: the strings of JSON, and the lines of other formats. */
export function textsIn(folder: string): readonly string[] {
  const files = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) =>
    entry.isFile(),
  )
  return files
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => READABLE_FORMATS.has(extname(path)))
    .sort()
    .flatMap((path) => textsOf(path))
}

function textsOf(path: string): readonly string[] {
  const text = readFileSync(path, 'utf8')
  if (path.endsWith('.jsonl'))
    return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : stringsIn(JSON.parse(line))))
  return path.endsWith('.json') ? stringsIn(JSON.parse(text)) : text.split('\n')
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

/** Splits texts into sentences, without single words and marks of data sets. */
function sentencesOf(texts: readonly string[], source: string): readonly OrdinarySentence[] {
  return texts.flatMap((text) =>
    (text.match(SENTENCE) ?? []).flatMap((sentence) => {
      const trimmed = sentence.trim()
      const language = languageOfText(trimmed)
      return language === null ? [] : [{ text: trimmed, language, source }]
    }),
  )
}

/**
 * Returns ordinary sentences in both languages, each once, from the generators and from folders.
 *
 * @param folders folders by name
 */
export async function ordinarySentences(
  folders: Readonly<Record<string, string>>,
): Promise<readonly OrdinarySentence[]> {
  const made = [...(await generateTexts('en')), ...(await generateTexts('zh'))]
  const all = [
    ...sentencesOf(made, 'generators'),
    ...Object.entries(folders).flatMap(([name, folder]) => sentencesOf(textsIn(folder), name)),
  ]
  return [...new Map(all.map((one) => [one.text, one])).values()]
}
