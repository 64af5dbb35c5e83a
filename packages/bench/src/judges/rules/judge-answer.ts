import type { AnswerInput, AnswerOutcome, Verdict } from '../judge.ts'
import { compareContent, isEmptyContent, type Comparison } from '../text/compare-content.ts'
import { showQuantity } from '../text/compare-quantities.ts'
import { isHedged, isVague, offersAlternative } from '../text/find-marks.ts'
import { isAbstention } from '../../readers/is-abstention.ts'
import { sentencesOf } from '../text/passages.ts'
import { clauseTexts, plainOf, readContent, type Content } from '../text/read-content.ts'
import { readYesNo } from '../text/read-yes-no.ts'
import { explain, list, quote } from './explain.ts'
import { listElements } from './list-elements.ts'
import { PART, WHOLE } from './thresholds.ts'

type Answered = Verdict<AnswerOutcome>

/**
 * HaluMem's question answering (its figures 17 and 18) by words. What the reference says beyond the question has to be in
 * the answer: each element of a list, every number, date and name, and {@link WHOLE} of the rest. Another value, a denial, or a
 * sentence that gives the question's words another value makes it `hallucinated`; what is left out, vague, or told as merely
 * possible, `omitted`. Where nothing answers the question, not to know is right and all else `hallucinated`.
 */
export function judgeAnswer(input: AnswerInput): Answered {
  if (input.answer.trim() === '') return { verdict: 'omitted', reason: 'it says nothing' }
  const abstains = isAbstention(input.answer)
  if (!input.answerable || isAbstention(input.reference))
    return abstains
      ? { verdict: 'correct', reason: 'it says that it does not know, and nothing answers the question' }
      : { verdict: 'hallucinated', reason: 'it answers what nothing answers' }
  if (plainOf(input.answer) === plainOf(input.reference))
    return { verdict: 'correct', reason: 'it is the reference itself' }
  if (abstains) return { verdict: 'omitted', reason: 'it says that it does not know' }
  return judgeYesNo(input) ?? judgeElements(input)
}

/** Of a reference that begins with yes or no; `null` where the rest of it decides. */
function judgeYesNo({ question, reference, answer }: AnswerInput): Answered | null {
  const right = readYesNo(reference)
  if (right === null) return null
  const given = readYesNo(answer) ?? impliedYesNo(question, answer)
  if (given === null)
    return { verdict: 'omitted', reason: 'the reference says yes or no, the answer neither' }
  if (given !== right)
    return { verdict: 'hallucinated', reason: `the reference says ${show(right)}, the answer ${show(given)}` }
  const rest = readContent(reference)
  return beyond(rest, readContent(question))
    ? null
    : { verdict: 'correct', reason: `both say ${show(right)}` }
}

function show(isYes: boolean): string {
  return isYes ? 'yes' : 'no'
}

/** A sentence that repeats most of what is asked, affirmed or denied, answers by that. */
function impliedYesNo(question: string, answer: string): boolean | null {
  const comparison = compareContent(readContent(question), readContent(answer))
  if (comparison.opposed.length > 0 && comparison.contradicts) return false
  return (comparison.share ?? 0) > PART ? true : null
}

function beyond(reference: Content, question: Content): boolean {
  return (
    [...reference.words.keys()].some((key) => !question.words.has(key)) || reference.quantities.length > 0
  )
}

function judgeElements(input: AnswerInput): Answered {
  const question = readContent(input.question)
  const answer = readContent(input.answer)
  const elements = listElements(input.reference).map((element) => compareElement(element, question, answer))
  const told = elements.map(explain).join(' | ')
  const contradiction = findContradiction(input, question, elements)
  if (contradiction !== null) return { verdict: 'hallucinated', reason: `${contradiction}; ${told}` }
  if (elements.every(isWhole)) {
    const doubt = findDoubt(input)
    return doubt === null
      ? { verdict: 'correct', reason: told }
      : { verdict: 'omitted', reason: `${doubt}; ${told}` }
  }
  const other = elements.every(({ share }) => (share ?? 0) === 0) ? otherValue(input, question) : null
  if (other !== null) return { verdict: 'hallucinated', reason: `${other}; ${told}` }
  return { verdict: 'omitted', reason: `not all of the reference is there: ${told}` }
}

/** The question's words prove nothing, unless the element has no others. */
function compareElement(element: string, question: Content, answer: Content): Comparison {
  const expected = readContent(element)
  const comparison = compareContent(expected, answer, { without: new Set(question.words.keys()) })
  return comparison.share === null ? compareContent(expected, answer) : comparison
}

function isWhole({ share, lacksValue, opposed }: Comparison): boolean {
  return (share ?? 1) >= WHOLE && !lacksValue && opposed.length === 0
}

function findContradiction(
  input: AnswerInput,
  question: Content,
  elements: readonly Comparison[],
): string | null {
  const conflict = elements.find(({ conflicts }) => conflicts.length > 0)
  if (conflict !== undefined) return `it has another value: ${list(conflict.conflicts)}`
  const reversed = elements.find(({ contradicts }) => contradicts)
  if (reversed !== undefined)
    return `it is affirmed by one and denied by the other: ${list(reversed.opposed)}`
  return findDeniedPoint(input) ?? findRivalNumber(input) ?? findRivalSentence(input, question)
}

/** A sentence or clause that says more than half of a key point, or of the reference, the other way round. */
function findDeniedPoint({ reference, keyPoints, answer }: AnswerInput): string | null {
  for (const clause of new Set([...sentencesOf(answer), ...clauseTexts(answer)])) {
    for (const point of [reference, ...keyPoints]) {
      const { opposed, opposedShare } = compareContent(readContent(point), readContent(clause), {
        areStatements: true,
      })
      if (opposedShare > PART) return `${quote(clause)} reverses ${quote(point)}: ${list(opposed)}`
    }
  }
  return null
}

/** A number of what the reference counts, beside the right one. Dates may be those of the memory that is quoted. */
function findRivalNumber({ question, reference, keyPoints, answer }: AnswerInput): string | null {
  const known = readContent([question, reference, ...keyPoints].join('\n')).quantities
  const counted = readContent(reference).quantities.filter(
    ({ kind, unit }) => kind === 'number' && unit !== null,
  )
  const rival = readContent(answer).quantities.find(
    ({ kind, value, unit }) =>
      counted.some((one) => one.kind === kind && one.unit === unit) &&
      !known.some((one) => one.kind === kind && one.value === value),
  )
  return rival === undefined ? null : `it also has ${showQuantity(rival)}`
}

/** A sentence without anything of the reference which gives most of the question's words another value. */
function findRivalSentence({ reference, keyPoints, answer }: AnswerInput, question: Content): string | null {
  const sentences = sentencesOf(answer)
  if (sentences.length < 2 || isEmptyContent(question)) return null
  const known = readContent([reference, ...keyPoints].join('\n'))
  const wanted = [...known.words.keys()].filter((key) => !question.words.has(key))
  for (const sentence of sentences) {
    const told = readContent(sentence)
    if (wanted.some((key) => told.words.has(key) || told.plain.includes(key))) continue
    const others = otherWords(told, known, question)
    const share = compareContent(question, told).share ?? 0
    if (share > PART && others.length > 0 && !isVague(sentence))
      return `${quote(sentence)} gives another value: ${list(others)}`
  }
  return null
}

/** A value stands in the place of another when it is not much longer; a long text without it is beside the point. */
const MOST_OF_VALUE = 2
const SHORT_VALUE = 3

/** Nothing of the reference is there: a few words of its own that are not vague are another value. */
function otherValue({ reference, keyPoints, answer }: AnswerInput, question: Content): string | null {
  if (isVague(answer) || isHedged(answer)) return null
  const known = readContent([reference, ...keyPoints].join('\n'))
  const others = otherWords(readContent(answer), known, question)
  const { words, quantities } = readContent(reference)
  const most = Math.max(SHORT_VALUE, MOST_OF_VALUE * (words.size + quantities.length))
  return others.length === 0 || others.length > most ? null : `it has another value: ${list(others)}`
}

function otherWords(told: Content, known: Content, question: Content): string[] {
  const isKnown = (key: string): boolean =>
    [known, question].some(
      ({ words, plain }) => words.has(key) || (/\p{Script=Han}/u.test(key) && plain.includes(key)),
    )
  const words = [...told.words.values()].filter(({ key }) => !isKnown(key)).map(({ surface }) => surface)
  return [...words, ...told.quantities.map(showQuantity)]
}

function findDoubt({ question, reference, answer }: AnswerInput): string | null {
  if (isHedged(answer) && !isHedged(reference)) return 'it is told as merely possible'
  if (offersAlternative(answer) && !offersAlternative(reference) && !offersAlternative(question))
    return 'it leaves a choice open'
  return null
}
