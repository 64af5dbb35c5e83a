// Counts words that this project avoids, in source and documentation without tests and data. Counts may only fall.
// `node scripts/check-words.mjs packages/server` lists them for that folder.
//
// Does not count words in data about language: regular expressions, word lists, the language packs, prompts, and examples in curly quotes.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const EXCLUDED =
  /\.(test|spec|d)\.|(^|\/)(test|testing|fixtures?|contract|data|results)\/|-fixtures?\.|CHANGELOG\.md$|check-words\.mjs$/
const WORDS =
  /\b(told|tells|whoever|anew|lately|at hand|let go of|gives way|borne out|so many|so much|somebody|nobody)\b/gi
const TYPES =
  /^export (?:interface|type|class) (Told|Asked|Given|Known|Found|Seen|Drawn|Said|Shown|Held|Kept|Made|Meant)\b/gm

/** Matches comments, expressions and strings of a source file. Comments come first, so that a quote in a comment begins no string. */
const TOKENS =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|(?<data>(?<=[(,=:[!&|?{};>\n]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*|String\.raw`[^`]*`|(?<=[tT]erms\(\s*)(?:`[^`]*`|'[^'\n]*')|`[^`$]*`(?=\s*\.split\()|'[^'\n]*'(?=\s*\.split\())|(?<string>`(?:\\.|[^`\\])*`|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*")/g
/** Files whose strings are texts of users or prompts for models. */
const LANGUAGE = /^packages\/text\/src\/(?:rules|terms|updates)\/|\/prompts\//
const VERSIONED_PROMPT = /^ +version: (?:'\d|\d|PROMPT)/m
const EXAMPLE = /“[^”\n]*”/g

/** Replaces data by spaces, which keeps the line numbers. @param {string} file @param {string} source */
function withoutData(file, source) {
  const isLanguage = LANGUAGE.test(file) || VERSIONED_PROMPT.test(source)
  const blank = (/** @type {string} */ part) => part.replaceAll(/[^\n]/g, ' ')
  const code = file.endsWith('.md')
    ? source
    : source.replaceAll(TOKENS, (token, data, string) =>
        data !== undefined || (string !== undefined && isLanguage) ? blank(token) : token,
      )
  return code.replaceAll(EXAMPLE, blank)
}

/** Ceilings: [words, exported types named by a bare participle]. Lower them when counts fall. @type {Record<string, [number, number]>} */
const CEILINGS = {
  'packages/ai-sdk': [8, 1],
  'packages/bench': [0, 1],
  'packages/bench-http-peers': [0, 1],
  'packages/cli': [1, 1],
  'packages/inspector': [2, 0],
  'packages/keepsake': [6, 1],
  'packages/mem0-compat': [0, 1],
  'packages/server': [4, 2],
  'packages/text': [1, 0],
  'packages/train': [1, 0],
}

/** @type {Map<string, string[][]>} */
const found = new Map()
for (const file of execFileSync(
  'git',
  ['ls-files', '*.ts', '*.tsx', '*.mjs', '*.md', 'packages/inspector/*.json'],
  {
    cwd: ROOT,
    encoding: 'utf8',
  },
).split('\n')) {
  const folder = /^(packages|tools|clients)\/[^/]+|^[^/]+/.exec(file)?.[0]
  if (folder === undefined || EXCLUDED.test(file) || !existsSync(join(ROOT, file))) continue
  const text = withoutData(file, readFileSync(join(ROOT, file), 'utf8'))
  for (const [kind, pattern] of [WORDS, TYPES].entries())
    for (const { 0: word, index } of text.matchAll(pattern)) {
      const places = found.get(folder) ?? [[], []]
      places[kind]?.push(`${file}:${text.slice(0, index).split('\n').length}: ${word}`)
      found.set(folder, places)
    }
}

let total = 0
for (const [folder, [words = [], types = []]] of found) {
  total += words.length + types.length
  if (folder === process.argv[2]) console.log([...words, ...types].join('\n'))
  const [maxWords, maxTypes] = CEILINGS[folder] ?? [0, 0]
  if (words.length <= maxWords && types.length <= maxTypes) continue
  process.exitCode = 1
  console.error(
    `${folder}: ${words.length} words (ceiling ${maxWords}), ${types.length} types (ceiling ${maxTypes}); see node scripts/check-words.mjs ${folder}`,
  )
}
console.log(`${total} words and type names left to replace`)
