import type { Listener } from '../matching/read-requests.ts'
import type { Word } from '../matching/word.ts'
import { english } from './english.ts'

const WORD =
  /(\s*)((?:dr|mr|mrs|ms|prof|st)\.(?=\s)|[\p{L}\p{N}]+(?:['-][\p{L}\p{N}]+)*|[-–—]+|[.!?…]+|\S)/giu
const CONTRACTED = /^(\p{L}+?)(n't|(?<=^d(?:o|id|oes))nt|'m|'ve|'d|'ll|'re|'s)$/iu
const WRITTEN_OUT: Readonly<Record<string, string>> = {
  "n't": 'not',
  nt: 'not',
  "'m": 'am',
  "'ve": 'have',
  "'d": 'would',
  "'ll": 'will',
  "'re": 'are',
  "'s": 'is',
}

/** The words of a sentence as they stand, contractions in two. */
function split(sentence: string): Word[] {
  return [...sentence.replace(/[‘’]/g, "'").matchAll(WORD)].flatMap(([, before = '', text = '']) => {
    const [, base, clitic = ''] = CONTRACTED.exec(text) ?? []
    if (base === undefined) return [toWord(text, text, before)]
    const written = base.toLowerCase() === 'let' ? 'us' : (WRITTEN_OUT[clitic.toLowerCase()] ?? clitic)
    return [toWord(base, base, before), toWord(clitic, written, '')]
  })
}

function toWord(text: string, written: string, before: string): Word {
  const lower = written.toLowerCase()
  const lemma = /^[，、]$/.test(text) ? ',' : /^(?:[.!?…;:(；：。！？]+|[-–—]+)$/.test(text) ? ';' : lower
  return { text, lower, lemma, pos: '', before }
}

/** Requests to forget, as English makes them. */
export const englishListener: Listener = {
  grammar: english,
  split,
  longest: 500,
  please: toWord('please', 'please', ''),
  hint: /\b(?:forg[eo]t|eras|delet|remov|drop|disregard|scratch|strik|ignor|wip|rid of|tak|pretend|act (?:like|as)|never ?mind|off the record)|(?:\b(?:not|dont|never|stop|need|please|pls|rather|prefer)\b|n['’]t\b).*\b(?:remember|stor|sav|keep|record|bring|mention|talk|speak|hold|retain)/i,
}
