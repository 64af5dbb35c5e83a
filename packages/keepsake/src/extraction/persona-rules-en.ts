import { interpretClause, readCallMe } from './english/interpret-clause.ts'
import { readClauses } from './english/read-clauses.ts'
import { loadTagger, type Tagger } from './english/tag-words.ts'
import type { Word } from './english/word.ts'
import { readForgetRequestEn } from './explicit-requests.ts'
import type { Finding } from './finding.ts'
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
  const read = (some: readonly Word[]): Finding[] =>
    readClauses(some).flatMap((clause) => interpretClause(clause, who))
  const whole = read(words)
  const ending = whole.some((found) => found.state === 'ended') ? null : endingBehindLead(sentence)
  const ended = ending === null ? [] : read(tagger(ending))
  const findings = [...whole.filter((one) => !ended.some(({ text }) => text === one.text)), ...ended]
  findings.push(...readCallMe(words, who))
  return { findings, forget: null, isCorrection: CORRECTION.test(sentence) }
}

const ENDING =
  /(?:^|[,;:–—]\s*|\s-+\s|\.{3}\s*|…\s*|\s(?:but|so|because|and)\s+)(?:(?:but|and|so|well|actually|honestly|because|now|these days)[\s,]+)*(i(?:'m|’m|'ve|’ve)?\s(?:[^,;:]*\b(?:anymore|any more)\b|(?:(?:am|have|just|actually|now|finally|recently|really|kind of|sort of)\s)*(?:no longer|stopped|quit|gave up|given up)\s)[^,;:.!?…]*)/i
/** Before an ending these make it another's words, or no statement. */
const NO_LEAD =
  /\b(?:if|unless|whether|suppose|supposing|imagine|wish|wished|pretend|pretending|would|could|might|should have|kidding|joking|dreamt|dreamed|says|said|say|tell|tells|told|thinks?|thought|claims?|claimed|asks?|asked|wrote|writes|when|whenever|until|before|after|while|since|because|not)\b/i
/** "Funny you ask", "now that you mention it", "since you asked": the listener is given the word, not quoted. */
const ADDRESSED =
  /^(?:(?!if\b|unless\b|when\b|whenever\b|do\b|did\b|why\b|what\b|how\b|you\b)\p{L}+[\s,]+){1,4}you(?:'d|’d|\s(?:should|would|had|have|just|did))*\s(?:ask|asked|mention|mentioned|say|said|bring|brought)(?:\s(?:it|that|this|so|me|up|about it|about that|that up|it up))*$/iu

/** The end of a habit or a liking behind an interjection or a clause that leads in to it; `null` where it is no plain statement. */
function endingBehindLead(sentence: string): string | null {
  if (/\?\s*$/.test(sentence)) return null
  const match = ENDING.exec(sentence)
  const ending = match?.[1]
  if (match === null || ending === undefined) return null
  const lead = sentence.slice(0, match.index).trim()
  if (lead === '') return null
  return ADDRESSED.test(lead) || !NO_LEAD.test(lead) ? ending : null
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
