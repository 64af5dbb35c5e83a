import type { Clause } from '../matching/clause.ts'
import { stretchesOf, wordsToText, type Word } from '../matching/word.ts'
import { charactersOf, chinese } from './chinese.ts'

const supposes = chinese.search('<unreal>')
const guesses = chinese.test('<guess>')
const asks = chinese.search('<asking>')
const endsInParticle = chinese.search('<particle>')
const isTag = chinese.test('<tag>')
const reports = chinese.search('<reporting>')
const isOwn = chinese.search('<own>')
const speaksToListener = chinese.search('你|您|妳')
const counts = chinese.search('一(个|位|家|种|座|条|只|部) (!的 _)*。')
const modifies = chinese.test('!(_* (我|你|他|她|它)){2..8}的{1..6}。')
const keepsSubject = chinese.test('<kept>')
const goesOn = chinese.test('<going>')
const isOfAnother = chinese.search('<another>')
const isOneself = chinese.test('<oneself>')
const pastOpener = chinese.end('<opener>*')
const pastTime = chinese.end('<leading> &我')

/** Longer clauses are run-on sentences. */
const LONGEST_CLAUSE = 50

/** A stretch of a sentence, with the mark behind it. */
interface Stretch {
  readonly words: readonly Word[]
  readonly mark: string
}

function readStretches(words: readonly Word[]): Stretch[] {
  return stretchesOf(words).map(({ from, to }) => ({
    words: words.slice(from, to),
    mark: words[to]?.lower ?? '',
  }))
}

/**
 * What a Chinese sentence states of whoever says it: no question, no hypothesis, nothing reported or said to the
 * listener.
 *
 * @param before the sentence before it, whose subject it may go on with
 */
export function readClauses(sentence: string, before: string | null): Clause[] {
  const whole = withSubjectOf(sentence, before)
  const stretches = whole.includes('我') ? readStretches(charactersOf(whole)) : []
  if (stretches.some(({ words }) => isTag(words, 0))) return []
  const supposed = stretches.findIndex(({ words }) => supposes(words) && !guesses(words, 0))
  const stated = supposed < 0 ? stretches : stretches.slice(0, supposed)
  return stated.flatMap((stretch, at) => {
    const { words } = stretch
    if (!states(stretch, stretches[at - 1], stretches[at + 1])) return []
    const subject = stretches.slice(0, at).findLast((one) => !keepsSubject(one.words, 0))
    const isKept = keepsSubject(words, 0) && subject?.words[0]?.text === '我'
    return [...ownClause(isKept ? [...charactersOf('我'), ...words] : words), toClause(words, true)]
  })
}

function states({ words, mark }: Stretch, before: Stretch | undefined, after: Stretch | undefined): boolean {
  if (mark === '?' || (mark === '' && endsInParticle(words)) || asks(words) || supposes(words)) return false
  if (speaksToListener(words)) return false
  if (before !== undefined && (/[：:]/.test(before.mark) || (reports(before.words) && !isOwn(before.words))))
    return false
  // 一个风景优美，空气清新的地方: the comma stands inside what describes a noun that comes later.
  return !(mark === ',' && after !== undefined && counts(words) && modifies(after.words, 0))
}

/** The clause from 我 on. A time before it moves behind it, where patterns expect it: 昨天我去了 → 我昨天去了. */
function ownClause(given: readonly Word[]): Clause[] {
  const words = given.slice(pastOpener(given, 0))
  const start = pastTime(words, 0)
  if (words[start]?.text !== '我' || words.length > LONGEST_CLAUSE) return []
  const verb = words[start + 1]?.text === '们' ? start + 2 : start + 1
  return [toClause([...words.slice(start, verb), ...words.slice(0, start), ...words.slice(verb)], false)]
}

function toClause(words: readonly Word[], isBare: boolean): Clause {
  return { words, said: words, time: [], before: [], state: 'holds', isBare, isDoubted: false }
}

/** 我换工作了。现在在苏州的公司当总监。: a sentence without a subject goes on about the speaker where the one before is about them. */
function withSubjectOf(sentence: string, before: string | null): string {
  if (before === null || !/^[现目如今已]/.test(sentence) || sentence.includes('我')) return sentence
  if (!goesOn(charactersOf(sentence), 0)) return sentence
  const stretches = readStretches(charactersOf(before))
  const isAboutSpeaker =
    stretches.every(({ words, mark }) => mark !== '?' && !isOfAnother(words)) &&
    stretches.some(({ words }) => isOneself(words, 0))
  return isAboutSpeaker ? `我${sentence}` : sentence
}

/** A clause in the third person. */
export function sayInThirdPerson({ said }: Clause, who: string): string {
  const text = wordsToText(said)
  const rest = text
    .replace(/^我们?/, '')
    .replace(/我们/g, '他们')
    .replace(/我/g, '自己')
  return `${text.startsWith('我们') ? `${who}和别人` : who}${rest}。`
}
