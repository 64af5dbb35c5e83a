import { interpretClause, readCallMe } from './english/interpret-clause.ts'
import { readClauses } from './english/read-clauses.ts'
import { loadTagger, type Tagger } from './english/tag-words.ts'
import { readForgetRequestEn } from './explicit-requests.ts'
import type { SentenceReader, SentenceReading } from './read-turn.ts'

const FIRST_PERSON = /\b(?:i|im|ive|my|we|our|me)\b/i
const CORRECTION = /\b(?:actually|correction|i meant|to correct|sorry,? i mean|in fact)\b|,\s*not\s+\S+/i
/** Longer "sentences" are lists, logs or poems without stops. */
const LONGEST_SENTENCE = 500

/** Reads English sentences with wink-nlp's part-of-speech tags. Loads the model (some 100 ms, once). */
export async function englishReader(): Promise<SentenceReader> {
  const tagger = await loadTagger()
  return {
    language: 'en',
    unnamed: { user: 'The user', agent: 'The agent' },
    read: (sentence, who) => readSentence(sentence, who, tagger),
    answerInFull,
  }
}

function readSentence(sentence: string, who: string, tagger: Tagger): SentenceReading {
  const forget = readForgetRequestEn(sentence)
  if (forget !== null) return { findings: [], forget, isCorrection: false }
  if (!FIRST_PERSON.test(sentence) || sentence.length > LONGEST_SENTENCE)
    return { findings: [], forget: null, isCorrection: false }
  const words = tagger(sentence)
  const findings = [
    ...readClauses(words).flatMap((clause) => interpretClause(clause, who)),
    ...readCallMe(words, who),
  ]
  return { findings, forget: null, isCorrection: CORRECTION.test(sentence) }
}

const OPENING = /^(?:(?:so|then|ah|oh|and|wait|ok|okay|wow|great|nice|hmm|well)[\s,.!…]+)*/i
const TAG =
  /,?\s*(?:right|correct|yes|no|huh|eh|is that right|don't you|aren't you|haven't you|do you|are you|is it)?\s*\?+$/i
const TURNED: readonly (readonly [RegExp, string])[] = [
  [/^do you (?:still |really |also |actually )?(?=\w)/i, 'I '],
  [/^are you (?:still |really |also |actually )?(?=\w)/i, 'I am '],
  [/^have you (?=got |been )/i, 'I have '],
  [/^is your name (?=\w)/i, 'my name is '],
  [/^you're /i, 'I am '],
  [/^you are /i, 'I am '],
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
