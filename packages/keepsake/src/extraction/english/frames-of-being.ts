import type { Finding } from '../finding.ts'
import { after, finding, type Frame } from './frame.ts'
import { readName, readNounPhrase } from './noun-phrase.ts'
import { CONDITION, DIETS, isTrade, MARITAL, relationKey } from './person-words.ts'
import { flipPerson, sayInThirdPerson } from './third-person.ts'
import { wordsToText, type Word } from './word.ts'

const OLDEST = 110
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'
const NUMBER_WORD = new RegExp(
  `^(?:(?:${TENS.replaceAll(' ', '|')})(?:[- ]?(?:one|two|three|four|five|six|seven|eight|nine))?|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen)$`,
)

/** "I am …": who, how old, from where, what they do, what they like and can. */
export function readBeing(frame: Frame): Finding[] {
  if (frame.lemma !== 'be' || frame.words[0]?.lower !== 'i') return []
  const start = skipAdverbs(frame.words, frame.verb + 1)
  if (frame.tense === 'past') return frame.isNegated ? [] : readBeenBefore(frame, start)
  if (frame.tense !== 'present' && frame.tense !== 'perfect') return []
  return readAge(frame, start) ?? readQuality(frame, start) ?? readIdentity(frame, start) ?? []
}

function skipAdverbs(words: readonly Word[], from: number): number {
  let at = from
  while (
    words[at]?.pos === 'ADV' ||
    /^(?:not|also|so|really|very|quite|still|just|no|longer|currently|originally|actually|now|only|always|pretty|super|a-bit|kinda)$/.test(
      words[at]?.lower ?? '',
    )
  )
    at++
  return at
}

function readAge(frame: Frame, start: number): Finding[] | null {
  const text = wordsToText(frame.words.slice(start)).toLowerCase()
  const match =
    /^(?:turning |about to turn )?(\d{1,3}|[a-z]+(?:[- ][a-z]+)?)(?: years? (?:old|of age)| ?y\/?o| yrs? old)?(?: (?:now|today|already|this year|last week|last month))?$/.exec(
      text,
    )
  const written = match?.[1]
  if (written === undefined || frame.isNegated || frame.words[frame.verb]?.lower !== 'am') return null
  const isNumber = /^\d+$/.test(written)
    ? Number(written) >= 5 && Number(written) <= OLDEST
    : NUMBER_WORD.test(written)
  return isNumber ? [finding(frame, 'age', written)] : null
}

/** Adjectives with the preposition that says what of: the key each pair belongs under. */
const QUALITIES: readonly (readonly [
  adjective: RegExp,
  preposition: string,
  key: string,
  negatedKey: string | null,
])[] = [
  [/^allergic$/, 'to', 'allergies', null],
  [/^(?:intolerant|sensitive)$/, 'to', 'allergies', null],
  [/^(?:good|great|excellent|skilled|talented|decent|amazing|experienced)$/, 'at', 'skills', 'weaknesses'],
  [/^(?:bad|terrible|awful|horrible|useless|poor)$/, 'at', 'weaknesses', null],
  [/^(?:interested)$/, 'in', 'hobbies', null],
  [/^(?:afraid|scared|terrified|frightened)$/, 'of', 'fears', null],
  [/^(?:fluent)$/, 'in', 'languages', null],
  [/^(?:fond|crazy)$/, 'of', 'likes', 'dislikes'],
  [/^(?:crazy|passionate|mad)$/, 'about', 'likes', 'dislikes'],
  [/^(?:obsessed)$/, 'with', 'likes', null],
  [/^(?:into)$/, '', 'likes', 'dislikes'],
  [/^(?:against)$/, '', 'opposes', null],
]

/** Adjectives that tell a lasting state by themselves. */
const STATES: readonly (readonly [RegExp, string])[] = [
  [/^(?:pregnant)$/, 'health-state'],
  [/^(?:retired|unemployed|self-employed|jobless)$/, 'occupation'],
  [/^(?:deaf|blind|disabled|dyslexic|asthmatic|autistic|epileptic|colorblind|colourblind)$/, 'health'],
]

function readQuality(frame: Frame, start: number): Finding[] | null {
  const words = frame.words
  const word = words[start]
  if (word === undefined) return null
  for (const [adjective, preposition, key, negatedKey] of QUALITIES) {
    if (!adjective.test(word.lower) || (preposition !== '' && words[start + 1]?.lower !== preposition))
      continue
    const from = start + (preposition === '' ? 1 : 2)
    const isGerund = words[from]?.lower.endsWith('ing') === true && words[from]?.pos === 'VERB'
    const phrase = isGerund
      ? { value: wordsToText(flipPerson(words.slice(from))), determiner: null }
      : readNounPhrase(words, from)
    const chosen = frame.isNegated && !frame.isOver ? negatedKey : key
    if (phrase === null || phrase.determiner === 'the' || chosen === null) return []
    return [finding(frame, chosen, phrase.value)]
  }
  if (word.lower === 'from' && !frame.isNegated) {
    const place = readName(words, start + 1)
    return place === null || words[place.next]?.pos === 'NOUN'
      ? []
      : [finding(frame, 'origin', placeAfter(words, start + 1, place))]
  }
  if (frame.isNegated && !frame.isOver) return null
  if (MARITAL.test(word.lower) && isEndOrWith(words, start + 1))
    return [finding(frame, 'marital-status', word.lower, { type: 'persona' })]
  const state = STATES.find(([pattern]) => pattern.test(word.lower))
  if (state !== undefined) return [finding(frame, state[1], word.lower)]
  if (DIETS.test(word.lower))
    return [
      finding(
        frame,
        'diet',
        wordsToText(words.slice(start, start + (/^(?:lactose|gluten)$/.test(word.lower) ? 3 : 1))),
      ),
    ]
  return null
}

function placeAfter(words: readonly Word[], from: number, place: { name: string; next: number }): string {
  if (words[place.next]?.lower !== ',') return place.name
  const wider = readName(words, place.next + 1)
  return wider === null ? place.name : wordsToText(words.slice(from, wider.next))
}

function isEndOrWith(words: readonly Word[], at: number): boolean {
  const next = words[at]
  return (
    next === undefined || next.pos === 'PUNCT' || /^(?:to|with|and|now|for|since|again)$/.test(next.lower)
  )
}

const DEMONYM = /(?:ish|ese|ian|ean|ch|an)$/i

function readIdentity(frame: Frame, start: number): Finding[] | null {
  const words = frame.words
  const determiner = words[start]?.lower
  if (determiner !== 'a' && determiner !== 'an') return readIntroduction(frame, start)
  const phrase = readNounPhrase(words, start)
  if (phrase === null || phrase.words.length > 8) return null
  const tail = wordsToText(words.slice(phrase.next)).toLowerCase()
  if (phrase.head === 'fan' && words[phrase.next - 1]?.lower !== 'fan') return readFan(frame, phrase.words)
  if (phrase.head === 'fan') return []
  if (EVALUATION.test(phrase.head) || / (?:when|if|unless)\b/.test(tail)) return []
  if (frame.isNegated && !frame.isOver)
    return [
      finding(frame, isTrade(phrase.head) ? 'occupation' : 'identity', phrase.value, { state: 'ended' }),
    ]
  const place = words[phrase.next]?.lower
  const isJob =
    isTrade(phrase.head) || ((place === 'at' || place === 'for') && words[phrase.next + 1]?.pos === 'PROPN')
  const key =
    phrase.head === 'student'
      ? 'education'
      : isJob
        ? 'occupation'
        : relationKey(phrase.head) === undefined
          ? 'identity'
          : 'background'
  const value =
    isJob && (place === 'at' || place === 'for')
      ? wordsToText(flipPerson(words.slice(start + 1)))
      : phrase.value
  return [finding(frame, key, value)]
}

/** Nouns that judge rather than tell who someone is. */
const EVALUATION =
  /^(?:mess|idiot|failure|loser|fool|wreck|bit|little|lot|couple|few|disaster|genius|bundle|part|member|kind|sort|witness|victim|burden|wimp|sucker|goner|hundred|thousand|million|minute|hour|day|year|month|week)$/

function readFan(frame: Frame, phrase: readonly Word[]): Finding[] {
  const of = phrase.findIndex((word) => word.lower === 'of')
  const liked = readNounPhrase(phrase, of + 1)
  if (of < 0 || liked === null) return []
  return [finding(frame, frame.isNegated && !frame.isOver ? 'dislikes' : 'likes', liked.value)]
}

/** "Hi, I'm Tom": a name only where someone introduces themself, for "I'm French" and "I'm Christian" are none. */
function readIntroduction(frame: Frame, start: number): Finding[] | null {
  const name = readName(frame.words, start)
  const isEnd =
    name !== null &&
    (name.next === frame.words.length || /^(?:and|from|,)$/.test(frame.words[name.next]?.lower ?? ''))
  if (name === null || !isEnd || frame.isNegated || !frame.clause.isIntroduction) return null
  if (DEMONYM.test(name.name) && name.name.length > 4) return null
  return [finding(frame, 'name', name.name, { text: `${frame.who}'s name is ${name.name}.` })]
}

function readBeenBefore(frame: Frame, start: number): Finding[] {
  const words = frame.words
  if (words[start]?.lower === 'born') {
    const rest = wordsToText(words.slice(start + 1))
    if (!/^(?:in|on|at) \S/.test(rest)) return []
    return [
      finding(
        frame,
        /\d/.test(rest) ? 'birthday' : 'background',
        /\d/.test(rest) ? rest.replace(/^(?:in|on) /, '') : `born ${rest}`,
      ),
    ]
  }
  const determiner = words[start]?.lower
  if (determiner !== 'a' && determiner !== 'an') return []
  const phrase = readNounPhrase(words, start)
  if (phrase === null || !isTrade(phrase.head)) return []
  return [finding(frame, 'background', phrase.value, { state: 'over' })]
}

/** "I feel lonely", "I'm feeling sad". */
export function readFeeling(frame: Frame): Finding[] {
  if (frame.lemma !== 'feel' || frame.isNegated || frame.words[0]?.lower !== 'i') return []
  if (frame.tense !== 'present' && frame.tense !== 'progressive' && frame.tense !== 'perfect') return []
  const start = skipAdverbs(frame.words, frame.verb + 1)
  const word = frame.words[start]
  const isMood =
    word !== undefined &&
    (word.pos === 'ADJ' || (word.pos === 'VERB' && word.lower.endsWith('ed'))) &&
    after(frame) !== 'like'
  return isMood && !/^(?:sure|free|bad|better|good|same|right|able|due|like)$/.test(word.lower)
    ? [finding(frame, 'mood', word.lower)]
    : []
}

/** "I have asthma", "I have a dog called Rex", "I have two sisters", "I own a boat". */
export function readHaving(frame: Frame): Finding[] {
  const isHave =
    frame.lemma === 'have' || (frame.lemma === 'get' && frame.tense === 'perfect') || frame.lemma === 'own'
  const [first] = frame.words
  const isPlural = first?.lower === 'we'
  if (
    !isHave ||
    !(frame.tense === 'present' || (frame.lemma === 'get' && frame.tense === 'perfect')) ||
    (first?.lower !== 'i' && !isPlural)
  )
    return []
  if (first === undefined || after(frame) === 'to') return []
  const phrase = readNounPhrase(frame.words, frame.verb + (after(frame) === 'got' ? 2 : 1)) ?? readNone(frame)
  if (phrase === null || phrase.determiner === 'the') return []
  const relation = relationKey(phrase.head)
  const name = nameAfter(frame.words, phrase.next)
  if (relation !== undefined) {
    const value = frame.isNegated ? `no ${phrase.head}` : `${phrase.value}${name === null ? '' : ` ${name}`}`
    // "We have two kids" is the speaker's family as well as another's.
    const own = isPlural
      ? sayInThirdPerson([{ ...first, text: 'I', lower: 'i' }, ...frame.words.slice(1)], frame.who)
      : undefined
    const type = relation === 'pets' ? 'persona' : 'relationship'
    return [finding(frame, relation, value, own === undefined ? { type } : { type, text: own })]
  }
  if (frame.isNegated) return []
  if (CONDITION.test(phrase.head))
    return [finding(frame, phrase.head.startsWith('allerg') ? 'allergies' : 'health', phrase.value)]
  return frame.lemma === 'own' ? [finding(frame, 'possessions', phrase.value)] : []
}

/** "I don't have any kids". */
function readNone(frame: Frame): ReturnType<typeof readNounPhrase> {
  return frame.isNegated && after(frame) === 'any' ? readNounPhrase(frame.words, frame.verb + 2) : null
}

export function nameAfter(words: readonly Word[], at: number): string | null {
  const word = words[at]?.lower
  if (word === 'named' || word === 'called') return readName(words, at + 1)?.name ?? null
  return null
}
