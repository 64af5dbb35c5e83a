// Cuts the tagged words of an English sentence into the clauses that the rules match. ../matching/rule.ts explains patterns.
import type { Clause } from '../matching/language.ts'
import type { Word } from '../matching/word.ts'
import { english } from './english.ts'
import { readIntroduction } from './read-introduction.ts'
import { readVerb } from './read-verb.ts'

/** Maximum words of a clause. Longer ones are run-on sentences, in which the tagger makes errors. */
const LONGEST_CLAUSE = 32

/**
 * Returns the main clauses in the first person, and “call me …”. Hypotheses, wishes and reported speech can end a fact and state none.
 * Clauses after “when”, “that”, “what” and the like stay with their main clause.
 */
export function readClauses(words: readonly Word[]): Clause[] {
  const end = words.findIndex(({ text }, index) => text === ';' || endsLabel(words, index))
  if (end < 0) return readPart(words)
  const rest = readClauses(words.slice(end + 1))
  return words[end]?.text === ':' ? rest : [...readPart(words.slice(0, end)), ...rest]
}

/** Reports whether a label ends at a colon, as in “Where I live: I live in Ghent”. A label of time is a part of the statement. */
function endsLabel(words: readonly Word[], position: number): boolean {
  return (
    words[position]?.text === ':' &&
    isSubject(words, position + 1) &&
    !words.slice(0, position).some((_, index) => isClock(words, index))
  )
}

/** Reads the part between semicolons as a sentence of its own: “He says that I should move; I live in Rome”. */
function readPart(words: readonly Word[]): Clause[] {
  const isUnreal = asks(words, 0) || supposes(words)
  const introduced = isUnreal ? [] : readIntroduction(words)
  const own = words.flatMap((_, index) => {
    if (isSubject(words, index))
      return readOwnClause(words, index, isUnreal && isSupposed(words, index)) ?? []
    const mayInvite = !isUnreal && (index === 0 || isBoundary(words, index - 1))
    return mayInvite && invites(words, index) ? readInvitation(words, index) : []
  })
  return [...introduced, ...own]
}

/** Reports whether a clause is a supposition. A later clause makes it one only by “if”, “just kidding” and the like. */
function isSupposed(words: readonly Word[], index: number): boolean {
  const end = clauseEnd(words, index)
  return asks(words, 0) || supposes(words.slice(0, end)) || undoes(words.slice(end))
}
const undoes = english.search(
  'if|unless|kidding|joking|joke|suppose|imagine|pretend|wish|otherwise|or (maybe|perhaps|possibly|probably)|(maybe|perhaps|probably|possibly|hypothetically) .',
)

/** Reads an invitation up to the next mark: “You can call me Mo”. */
function readInvitation(words: readonly Word[], position: number): Clause {
  const mark = words.findIndex((_, index) => index > position && isMark(words, index))
  const said = words.slice(position, mark < 0 ? words.length : mark)
  return { words: said, said, before: words.slice(0, position), time: [], state: 'holds', isDoubted: false }
}

/** Reads the clause whose subject stands at an index. Returns `null` if it is no statement of the speaker. */
function readOwnClause(words: readonly Word[], index: number, isUnreal: boolean): Clause | null {
  const opens = opensClause(words, index)
  if (!opens && !isAfterReport(words, index)) return null
  const end = clauseEnd(words, index)
  const said = withoutDangling(words.slice(index, end))
  if (said.length < 2 || said.length > LONGEST_CLAUSE || speaksToListener(said)) return null
  const before = words.slice(0, isMark(words, index - 1) ? index - 1 : index)
  const isDoubted = isUnreal || !opens
  if (isDoubted && (supposes(said) || before.length === 0 || (isDistant(before) && !isAddressed(before, 0))))
    return null
  const verb = readVerb(said)
  if (verb === null) return null
  return { ...verb, said, before, time: timeBefore(words, index), until: untilAfter(words, end), isDoubted }
}

/** Returns the words after a clause that name its end: “until Friday”. */
function untilAfter(words: readonly Word[], position: number): readonly Word[] {
  if (!isUntil(words, position)) return []
  const end = words.findIndex((_, index) => index > position && (isMark(words, index) || ends(words, index)))
  return words.slice(position, end < 0 ? words.length : end)
}
const isUntil = english.test('<till>')

/** Removes connectives at the end, which mean nothing without the next clause: “… just because”. */
function withoutDangling(clause: readonly Word[]): readonly Word[] {
  return dangles(clause, clause.length - 1) ? withoutDangling(clause.slice(0, -1)) : clause
}

/** Reports whether a clause follows words that report speech: “Anna said, I …”. “As I said, I …” and “my answer: I …” are no reports. */
function isAfterReport(words: readonly Word[], index: number): boolean {
  const verb = words[index - 2]
  if (verb === undefined || !isMark(words, index - 1) || !reports([verb])) return false
  return verb.pos !== 'NOUN' && !isOneself(words, index - 3)
}
const isOneself = english.test('I|we')

/** Reports whether a main clause begins at an index: at the start, after a mark, an opener such as “and”, or a time. */
function opensClause(words: readonly Word[], at: number): boolean {
  if (at === 0) return true
  if (isMark(words, at - 1)) return !isAfterReport(words, at)
  const start = lastBefore(words, at - 1, isStrong) + 1
  const lead = words.slice(start, at - 1)
  // A denied reason states nothing: “not because I was lazy”.
  if (words[at - 1]?.lower !== 'and' && isReason(words, at - 1) && isDenied(lead)) return false
  if (isOpener(words, at - 1)) return words[at - 1]?.lower !== 'and' || !isSubordinateAnd(words, at - 1)
  const from = lastBefore(words, at, isBoundary) + 1
  const time = words.slice(from, at)
  const isPlaced = time.length <= 4 && (isPreposition(words, from) || isPreposition(words, from - 1))
  return time.length <= 6 && (isPlaced || isClock(words, at - 1)) && !hasVerb(time)
}
const isPreposition = english.test('in|at|by|on|from|after|before|during|since')
const isReason = english.test('because|cause|cuz|cos|since')

/** Reports whether an “and” is within a subordinate clause (“She says that he and I live…”) or a subject (“I and my colleagues”). */
function isSubordinateAnd(words: readonly Word[], and: number): boolean {
  const before = words.slice(lastBefore(words, and, isMark) + 1, and)
  if (before.at(-1)?.lower === 'i') return true
  return isUnder(before, 0) || (before.length > 0 && !isSubject(before, 0) && reports(before))
}
const isUnder = english.test(
  'when|while|that|what|how|where|why|which|who|until|before|after|once|whenever|than',
)

/** Returns the last index before a position at which a test passes, or −1. */
function lastBefore(
  words: readonly Word[],
  position: number,
  is: (words: readonly Word[], at: number) => boolean,
): number {
  let index = position - 1
  while (index >= 0 && !is(words, index)) index--
  return index
}

/** Returns the time that introduces a clause, with or without a comma: “Last week, I …”. */
function timeBefore(words: readonly Word[], at: number): readonly Word[] {
  const end = words[at - 1]?.lower === ',' ? at - 1 : at
  if (!isClock(words, end - 1) || isVague(words, end - 1)) return []
  const time = words.slice(lastBefore(words, end - 1, isBoundary) + 1, end)
  const [first] = time
  if (first === undefined || time.length > 4 || isBusy(time)) return []
  const text = isDate(time, 0) ? first.text : first.text.toLowerCase()
  return [{ ...first, text, before: '' }, ...time.slice(1)]
}
const isVague = english.test('now|moment')
const isDate = english.test('<weekday>|<month>')

/** Returns the end of a clause: the first word that ends one and is no part of the title of a favourite. */
function clauseEnd(words: readonly Word[], start: number): number {
  const end = words.findIndex(
    (_, index) =>
      index > start &&
      (ends(words, index) || (index >= 3 && runsOn(words, index - 1))) &&
      !(isInTitle(words, index) && namesFavourite(words, start)),
  )
  return end < 0 ? words.length : end
}
const namesFavourite = english.test('<my> <favourite> {kind} <is>')
const isInTitle = english.test('[,|and|or] <titles>')

const asks = english.test('<asking>')
const supposes = english.search('<unreal>')
const isSubject = english.test('<subject>')
const invites = english.test('<inviting> call me')
const isMark = english.test(',|;')
const isStrong = english.test(';')
const isOpener = english.test('<opener>')
const isClock = english.test('<clock>')
const isBoundary = english.test(',|;|CCONJ|!<clock> <opener>')
const ends = english.test('<ending>')
const runsOn = english.test('<flowing>')
const dangles = english.test('just|only|mainly|mostly|especially|simply|partly|even|or|and|such|particularly')
const isDenied = english.search('not')
const reports = english.search('say|tell|ask|reply|answer|write|think|shout|yell|whisper|claim|text')
const speaksToListener = english.search('you|your|yours|yourself|u|ur')
const isDistant = english.search('<distancing>')
const isAddressed = english.test('<addressed>')
const hasVerb = english.search('VERB|<subject>')
const isBusy = english.search('VERB|AUX|PRON')
