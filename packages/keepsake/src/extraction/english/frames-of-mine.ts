import type { Finding } from '../finding.ts'
import { findKey, keyTable } from '../../persona/key-table.ts'
import { withTime } from './frame.ts'
import type { Clause } from './read-clauses.ts'
import { nameAfter } from './frames-of-being.ts'
import { readName, readNounPhrase } from './noun-phrase.ts'
import { isTrade, relationKey } from './person-words.ts'
import { flipPerson, sayInThirdPerson } from './third-person.ts'
import { wordsToText, type Word } from './word.ts'

/** "my … is …": names, favourites, attributes; "my sister Anna is a doctor". */
export function readMine(clause: Clause, who: string): Finding[] {
  const words = clause.words
  if (words[0]?.lower !== 'my' && words[0]?.lower !== 'our') return []
  const verb = words.findIndex(
    (word, at) =>
      at > 0 &&
      (word.pos === 'VERB' ||
        word.pos === 'AUX' ||
        /^(?:lives|works|loves|likes|plays|studies|hates)$/.test(word.lower)) &&
      !isNounBefore(words, at),
  )
  if (verb < 2 || words.slice(verb).some((word) => /^(?:not|n't|never)$/.test(word.lower))) return []
  return (
    readRelation(words, verb, who)?.map((found) => (found.isEvent ? withTime(found, clause) : found)) ??
    (words[verb]?.lemma === 'be' ? readAttribute(words, verb, who) : [])
  )
}

/** "my favourite food": the tagger may take a modifier for a verb. */
function isNounBefore(words: readonly Word[], at: number): boolean {
  return (
    words[at]?.lower.endsWith('ing') === true && words[at + 1]?.pos === 'NOUN' && words[at]?.pos === 'VERB'
  )
}

const FAVOURITE = /^(?:favou?rite|fave|fav)$/
const GOAL = /^(?:dream|goal|plan|aim|ambition|resolution|wish)$/

function readAttribute(words: readonly Word[], verb: number, who: string): Finding[] {
  const isPast = words[verb]?.lower === 'was' || words[verb]?.lower === 'were'
  const name = words.slice(1, verb).filter((word) => word.pos !== 'ADV')
  const head = name.at(-1)
  const from =
    verb +
    1 +
    (/^(?:definitely|probably|always|still|also|just|actually|currently|now|really|simply)$/.test(
      words[verb + 1]?.lower ?? '',
    )
      ? 1
      : 0)
  if (head === undefined || isPast || name.length > 4) return []
  const attribute = wordsToText(name)
    .toLowerCase()
    .replace(/ of all time$/, '')
  const make = (key: string, value: string): Finding[] => [
    {
      key,
      type: 'persona',
      value,
      text: sayInThirdPerson(words, who),
      about: null,
      state: 'holds',
      isEvent: false,
    },
  ]
  if (name[0] !== undefined && FAVOURITE.test(name[0].lower))
    return readFavourite(words, name.slice(1), from, make)
  if (/^(?:name|first name|full name)$/.test(attribute)) {
    const given = readName(words, from)
    return given === null ? [] : make('name', given.name)
  }
  if (/^(?:birthday|date of birth)$/.test(attribute))
    return /\d|\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b/i.test(
      wordsToText(words.slice(from)),
    )
      ? make('birthday', wordsToText(words.slice(from)).replace(/^(?:on|in) /, ''))
      : []
  if (GOAL.test(head.lemma) && words[from]?.lower === 'to')
    return words.length > from + 2 ? make('goals', wordsToText(flipPerson(words.slice(from + 1)))) : []
  if (/^(?:native|first) language$|^mother tongue$/.test(attribute))
    return valueOf(words, from, (value) => make('languages', value))
  if (/^(?:hobby|hobbies)$/.test(head.lower)) return valueOf(words, from, (value) => make('hobbies', value))
  if (/^(?:job|profession|occupation)$/.test(attribute)) {
    const phrase = readNounPhrase(words, from)
    return phrase === null || !isTrade(phrase.head) ? [] : make('occupation', phrase.value)
  }
  if (/^(?:hometown|home town)$/.test(attribute))
    return valueOf(words, from, (value) => make('origin', value))
  const key = findKey(keyTable(), attribute)
  if (key === undefined || !/^(?:age|height|nickname|nationality|zodiac|blood-type|religion)$/.test(key.id))
    return []
  return valueOf(words, from, (value) => make(key.id, value))
}

function valueOf(words: readonly Word[], from: number, make: (value: string) => Finding[]): Finding[] {
  const phrase = readNounPhrase(words, from)
  const value = phrase?.value ?? readName(words, from)?.name
  return value === undefined
    ? words[from]?.pos === 'NUM'
      ? make(wordsToText(words.slice(from)))
      : []
    : make(value)
}

function readFavourite(
  words: readonly Word[],
  kind: readonly Word[],
  from: number,
  make: (key: string, value: string) => Finding[],
): Finding[] {
  const what = wordsToText(kind).toLowerCase()
  if (what === '' || /^(?:part|thing|one|time|moment|memory)s?\b/.test(what)) return []
  const value = wordsToText(flipPerson(words.slice(from))).replace(/^(?:a|an|definitely|probably|to) /, '')
  if (/^(?:that|this|it|when|how|what|the (?:one|part|same))\b/i.test(value) || value === '') return []
  const head = kind.at(-1)?.lemma ?? ''
  const key =
    findKey(keyTable(), `favourite ${what}`) ??
    findKey(keyTable(), `favourite ${kind.length === 1 ? head : what}`)
  return key === undefined ? make('favourites', `${what}: ${value}`) : make(key.id, value)
}

const STATES = /^(?:be|have|live|life|work|study|love|like|hate|play|teach|own|run|speak)$/

/** Someone related: "my wife's name is …", "my sister Anna is a doctor", "my brother moved to Oslo". */
function readRelation(words: readonly Word[], verb: number, who: string): Finding[] | null {
  const at = words.findIndex(
    (word, index) => index > 0 && index < verb && relationKey(word.lemma) !== undefined,
  )
  const relation = words[at]
  const key = relation === undefined ? undefined : relationKey(relation.lemma)
  if (relation === undefined || key === undefined || at > 4) return null
  const type = key === 'pets' ? 'persona' : 'relationship'
  const term = wordsToText(words.slice(1, at + 1))
  const owner = words[0]?.lower === 'our' ? `${who}'s` : `${who}'s`
  const make = (
    value: string,
    text: string,
    about: string | null = null,
    overKey: string = key,
  ): Finding => ({ key: overKey, type, value, text, about, state: 'holds', isEvent: false })
  if (words[at + 1]?.lower === "'s" || words[at + 1]?.lower === "'") {
    const isName = words[at + 2]?.lower === 'name' && verb === at + 3 && words[verb]?.lemma === 'be'
    const name = isName ? readName(words, verb + 1) : null
    return name === null ? [] : [make(`${term} ${name.name}`, `${owner} ${term} is called ${name.name}.`)]
  }
  const apposition =
    readName(words, at + 1) ?? (words[at + 1]?.lower === ',' ? readName(words, at + 2) : null)
  const isWhole =
    apposition === null
      ? verb === at + 1 || words[at + 1]?.pos === 'ADV'
      : apposition.next === verb || words[apposition.next]?.lower === ','
  if (!isWhole) return []
  const named =
    apposition === null
      ? []
      : [make(`${term} ${apposition.name}`, `${owner} ${term} is called ${apposition.name}.`)]
  return [...named, ...readTheirs(words, verb, { term, owner, name: apposition?.name ?? null, make, who })]
}

interface Relation {
  readonly term: string
  readonly owner: string
  readonly name: string | null
  readonly who: string
  readonly make: (value: string, text: string, about?: string | null, key?: string) => Finding
}

function readTheirs(words: readonly Word[], verb: number, relation: Relation): Finding[] {
  const main = words[verb]
  if (main === undefined) return []
  const isLifeEvent = /^(?:died|passed|retired|graduated|married|divorced)$/.test(main.lower)
  if (words.length <= verb + 1 && !isLifeEvent) return []
  const called = nameAfter(words, verb + 1)
  if (main.lemma === 'be' && called !== null)
    return [
      relation.make(`${relation.term} ${called}`, `${relation.owner} ${relation.term} is called ${called}.`),
    ]
  const name = main.lemma === 'be' ? readName(words, verb + 1) : null
  if (name !== null && name.next === words.length && relation.name === null && words[verb]?.lower === 'is')
    return [
      relation.make(`${relation.term} ${name.name}`, `${relation.owner} ${relation.term} is ${name.name}.`),
    ]
  const rest = words.slice(verb)
  if (
    rest.some((word) =>
      /^(?:he|she|him|her|his|it|its|that|this|there|they|them|going|gonna)$/.test(word.lower),
    )
  )
    return []
  const isTelling = STATES.test(main.lemma) || main.lower !== main.lemma
  const hasNoun =
    isLifeEvent || rest.some((word) => word.pos === 'NOUN' || word.pos === 'PROPN' || word.pos === 'NUM')
  if (
    !isTelling ||
    !hasNoun ||
    /^(?:say|tell|think|ask|call|mean|know|want|seem|feel|text)$/.test(main.lemma)
  )
    return []
  const text = sayInThirdPerson(words, relation.who)
  const told = relation.make(`${relation.term} ${wordsToText(flipPerson(rest))}`, text)
  // Under `partner` stands who it is, which a new one replaces; what is told of them stands with the relatives.
  const key = told.key === 'partner' ? 'relatives' : told.key
  const isPast =
    isLifeEvent || (main.lower !== main.lemma && main.lemma !== 'be' && !main.lower.endsWith('s'))
  return [{ ...told, key, isEvent: isPast }]
}
