import type { Tongue } from '../matching/tongue.ts'
import { wordsToText } from '../matching/word.ts'
import { readClauses } from './read-clauses.ts'
import { loadTagger } from './tag-words.ts'
import { flipPerson, sayInThirdPerson } from './third-person.ts'

const FIRST_PERSON = /\b(?:i|im|ive|my|we|our|me)\b/i
/** Longer "sentences" are lists, logs or poems without stops. */
const LONGEST_SENTENCE = 500
/** A statement that stops before its end: what followed was a quotation or a clause of its own. */
const TRUNCATED =
  /(?<!\p{L})(?:called|named|titled|like|the|an?|and|or|to|of|for|with|from|by|such|as|my|their|is|are|was|than|very|so|that|how|what)\.$/iu

let loading: Promise<Tongue> | undefined

/** English, by wink-nlp's part-of-speech tags. Loads the model (some 100 ms, once). */
export function englishTongue(): Promise<Tongue> {
  loading ??= load()
  return loading
}

async function load(): Promise<Tongue> {
  const tag = await loadTagger()
  return {
    language: 'en',
    unnamed: { user: 'The user', agent: 'The agent' },
    read: (sentence) =>
      FIRST_PERSON.test(sentence) && sentence.length <= LONGEST_SENTENCE ? readClauses(tag(sentence)) : [],
    say: ({ said }, who) => {
      const text = sayInThirdPerson(said, who)
      return TRUNCATED.test(text) ? '' : text
    },
    value: (words) =>
      wordsToText(flipPerson(words))
        .replace(/^(?:(?:in|into|to) )?(?:an? |the |some )?/, '')
        .replace(/\s+(?:too|as well|either|anymore|any more|(?:right )?now)$/i, ''),
    isCorrection: (sentence) =>
      /\b(?:actually|correction|i meant|to correct|sorry,? i mean|in fact)\b|,\s*not\s+\S+/i.test(sentence),
    answerInFull,
  }
}

const OPENING = /^(?:(?:so|then|ah|oh|and|wait|ok|okay|wow|great|nice|hmm|well)[\s,.!…]+)*/i
const TAG =
  /,?\s*(?:right|correct|yes|no|huh|eh|is that right|don't you|aren't you|haven't you|do you|are you|is it)?\s*\?+$/i
const TURNED: readonly (readonly [RegExp, string])[] = [
  [/^do you (?:still |really |also |actually )?(?=\w)/i, 'I '],
  [/^are you (?:still |really |also |actually )?(?=\w)/i, 'I am '],
  [/^have you (?=got |been )/i, 'I have '],
  [/^is your name (?=\w)/i, 'my name is '],
  [/^you(?:'re| are) /i, 'I am '],
  [/^you /i, 'I '],
  [/^your /i, 'my '],
]

/** "So you live in Lyon, right?" → "I live in Lyon". */
function answerInFull(question: string): string | null {
  if (
    !/\?\s*$/.test(question) ||
    /\b(?:or|what|where|who|why|how|which|when|would|could|can)\b/i.test(question)
  )
    return null
  const plain = question.trim().replace(OPENING, '').replace(TAG, '').trim()
  const turned = TURNED.find(([pattern]) => pattern.test(plain))
  if (turned === undefined) return null
  const answer = plain.replace(turned[0], turned[1])
  return answer.replace(/\byour\b/gi, 'my').replace(/\byou\b/gi, 'me')
}
