// Parses a question for recall: terms, names, dates and kind.
import { escapePattern } from '../pattern.ts'
import { findTerms } from '../terms/analyse-text.ts'
import { TextTrait } from '../terms/text-traits.ts'
import { callsBy, joinNames, NO_NAMES, withPronouns, type TalkNames } from './read-names.ts'
import { readWords, type AskedWord } from '../synonyms/read-words.ts'
import { readTimeRanges, type TimeRange } from './read-time-range.ts'

/** A speaker of the stored turns, whom questions may name. */
export interface Participant {
  readonly name: string
  /** Terms of the name. Any of them names the speaker. */
  readonly terms: readonly string[]
  /** Whether it is a user, not an agent. */
  readonly isPerson: boolean
}

/** A parsed question. */
export interface ReadQuestion {
  /** The question with pronouns in place of the names of the only user and the agent. */
  readonly asked: string
  /** Distinct content terms, without names of speakers unless there is nothing else. */
  readonly terms: readonly string[]
  /** Its words with their synonyms. */
  readonly words: readonly AskedWord[]
  /** The text without those names. */
  readonly about: string
  /** Names of the speakers whose words it asks for. The only user is not listed, since all questions may be about them. */
  readonly named: readonly string[]
  /** The role that acts if no person is named: “What did I …”, “Which did you …”. */
  readonly role: 'user' | 'assistant' | null
  /** Bits of `TextTrait`. An answer should have one of them. */
  readonly expected: number
  readonly ranges: readonly TimeRange[]
}

export interface ReadOptions {
  /** Time of the question, in milliseconds since 1970. */
  readonly now: number
  /** The asker's time zone in minutes east of UTC. The default is 0. */
  readonly offsetMinutes?: number | undefined
  /** The asking user's name if there are several: “I” and “my” refer to it. */
  readonly asker?: string | undefined
  /** Names of the user and agent besides the labels of their turns. */
  readonly names?: TalkNames | undefined
}

/** Parses a question: topic, speakers among the participants, times and kind of answer. */
export function readQuestion(
  text: string,
  participants: readonly Participant[],
  options: ReadOptions,
): ReadQuestion {
  const names = joinNames(options.names ?? NO_NAMES, namesOf(participants))
  const asked = withPronouns(text, names)
  const all = [...new Set(findTerms(withoutAsking(asked)))]
  const people = participants.filter(({ isPerson }) => isPerson)
  const called = (people.length < 2 ? [] : people).filter(({ terms }) =>
    terms.some((term) => all.includes(term)),
  )
  const agents = participants.filter(({ isPerson, name }) => !isPerson && callsBy(text, [name]))
  const nameTerms = new Set(called.flatMap(({ terms }) => terms))
  const rest = all.filter((term) => !nameTerms.has(term))
  const askedTerms = all.length > 0 ? all : [...new Set(findTerms(text))]
  const terms = rest.length > 0 ? rest : askedTerms
  const about = rest.length > 0 ? withoutNames(asked, called) : text
  let words: readonly AskedWord[] | undefined
  return {
    asked,
    terms,
    // Computed on demand, because the lookup is slow and few recipes need it.
    get words() {
      return (words ??= readWords(about))
    },
    about,
    ...readTelling(asked, called, agents, options),
    expected: readExpected(text),
    // Names are replaced first, since May, June or August may be the asker.
    ranges: readTimeRanges(asked, options.now, options.offsetMinutes ?? 0),
  }
}

/** Returns the names of the agents, and of the user if there is only one. “Bram” and “Bram J.” are one user. */
export function namesOf(participants: readonly Participant[]): TalkNames {
  const people = participants.filter(({ isPerson }) => isPerson).map(({ name }) => name)
  const agents = participants.filter(({ isPerson }) => !isPerson).map(({ name }) => name)
  const [shortest = ''] = people.toSorted((a, b) => a.length - b.length)
  const isOne = people.every((name) => `${name} `.toLowerCase().startsWith(`${shortest} `.toLowerCase()))
  return { self: isOne ? people : [], agent: agents }
}

/** Matches Chinese question words, which answers lack. */
const ASKS_CHINESE = /什么时候|啥时候|什么地方|哪[里儿]|怎么样?|为什么|多少|多久|多大|几[点号岁]/gu

function withoutAsking(text: string): string {
  const rest = text.replaceAll(ASKS_CHINESE, ' ')
  return rest === text || findTerms(rest).length === 0 ? text : rest
}

function readTelling(
  question: string,
  called: readonly Participant[],
  agents: readonly Participant[],
  { asker }: ReadOptions,
): Pick<ReadQuestion, 'named' | 'role'> {
  const named = (who: readonly Participant[]): string[] => who.map(({ name }) => name)
  if (called.length > 0) return { named: named([...called, ...agents]), role: null }
  const role = readRole(question)
  if (role === 'user' && asker !== undefined) return { named: [asker], role: null }
  if (role === 'assistant' && agents.length > 0) return { named: named(agents), role: null }
  return { named: [], role }
}

function withoutNames(text: string, called: readonly Participant[]): string {
  let about = text
  for (const word of called.flatMap(({ name }) => name.split(/\s+/))) {
    if (word !== '')
      about = about.replaceAll(
        new RegExp(`(?<!\\p{L})${escapePattern(word)}(?:['’]s)?(?!\\p{L})`, 'giu'),
        ' ',
      )
  }
  return about
}

/** Returns the role that the first “I” or “you” names, since it is usually the one who acts. */
function readRole(text: string): 'user' | 'assistant' | null {
  const question = text.replaceAll(REMEMBER, ' ')
  const first = question.search(FIRST_SUBJECT)
  const second = question.search(SECOND_SUBJECT)
  if (first < 0 && second < 0) return null
  if (second < 0 || (first >= 0 && first < second)) return 'user'
  return 'assistant'
}

/** Matches questions about advice without its giver, which is the agent's: “Which book was I recommended?” */
const ADVISED =
  /\b(?:was|were|been|got|get)\b(?: \p{L}+){0,2} (?:recommended|suggested|advised|promised|proposed)\b(?! by\b)|\b(?:recommended|suggested|promised) (?:to )?me\b|给我(?:的|过|提的?)?(?:推荐|建议|出的?主意)|(?:推荐|建议|提醒|答应)(?:给|过)?我/iu

/** Reads whom a question with pronouns is about: the user, the agent's words or actions (“you recommend”), or neither. */
export function readAsked(question: string): 'user' | 'assistant' | null {
  return ADVISED.test(question) ? 'assistant' : readRole(question)
}

/** Reports whether a question is about the agent's words or actions: “Which book did you recommend?”. */
export function asksOfAgent(question: string): boolean {
  return readAsked(question) === 'assistant'
}

const ADVICE =
  /\b(?:suggest|recommend|advis|advice|propos|promis|remind|tip)\w*\b|建议|推荐|提醒|答应|教|让|劝|主意|办法/i

/** Reports whether a question is about the agent's advice or promises. */
export function asksAdvice(question: string): boolean {
  return asksOfAgent(question) && ADVICE.test(question)
}

function readExpected(text: string): number {
  let expected = 0
  if (ASKS_TIME.test(text)) expected |= TextTrait.placesInTime
  if (ASKS_NUMBER.test(text)) expected |= TextTrait.holdsNumber
  if (ASKS_NAME.test(text)) expected |= TextTrait.holdsName
  return expected
}

const ASKS_TIME =
  /\bwhen\b|\b(?:what|which|on what|in what) (?:date|time|year|month|day|week)\b|\bhow long\b|\bhow often\b|什么时候|何时|哪天|哪一天|哪年|几月|几号|日期|多久/i
const ASKS_NUMBER = /\bhow (?:many|much|long|old|often|far|big)\b|多少|几[个次只岁人天]|多[大久长]/i
const ASKS_NAME =
  /\b(?:who|whom|whose|where|which)\b|\bwhat(?:'s| is| are| was| were)?(?: the| its| their)? (?:names?|titles?)\b|\b(?:name|title|called)\b|谁|哪|名字|叫什么|什么名/i
const REMEMBER =
  /\b(?:do|did|can|could|would) you (?:still )?(?:remember|recall|know)\b|你(?:还)?(?:记得|知道)/gi
const FIRST_SUBJECT = /\bi\b|\bi['’]|\bmy\b|[我咱俺]/i
const SECOND_SUBJECT = /\byou\b|\byou['’]|\byour\b|[你您]/i
