import { findTerms } from '../terms/analyse-text.ts'
import { CHINESE_PROPERTIES } from './chinese-properties.ts'
import { ENGLISH_PROPERTIES } from './english-properties.ts'
import { CHINESE_OPEN_PROPERTIES, ENGLISH_OPEN_PROPERTIES } from './open-properties.ts'
import type { Property } from './property.ts'

const ASKS = /[?？]\s*$/
const SENTENCES = /(?<=[。！？!?.…\n])/u

/** Returns a pattern of texts that state the property which a question asks for, such as a colour. `null` if it asks for none. */
export function readWantedProperty(question: string): RegExp | null {
  return findProperty(question)?.holds ?? null
}

/** Like {@link readWantedProperty}, but only for properties whose texts rank first. It also reads properties with open wording. */
export function readLeadingProperty(question: string): RegExp | null {
  const property = findProperty(question) ?? openProperties(question).find(({ asks }) => asks.test(question))
  return property?.leads === false ? null : (property?.holds ?? null)
}

/** Removes the words for a property and a person from a question. “when I left” remains of “What was my job when I left?”. */
export function withoutProperty(question: string, person: string): string {
  return question.replace(findProperty(question)?.asks ?? '', ' ').replace(person, ' ')
}

/** Reads the terms by which a question names a property: “cost” of “How much did the sofa cost?”. English names it last. */
export function readPropertyTerms(question: string): readonly string[] {
  // “The name of the street I live in” is more than where one lives.
  if (/\bname of\b/i.test(question)) return []
  const [asked = ''] = findProperty(question)?.asks.exec(question) ?? []
  const terms = findTerms(asked)
  return /\p{Script=Han}/u.test(question) ? terms : terms.slice(-1)
}

function openProperties(question: string): readonly Property[] {
  return /\p{Script=Han}/u.test(question) ? CHINESE_OPEN_PROPERTIES : ENGLISH_OPEN_PROPERTIES
}

const ASKS_ANY = new RegExp(ENGLISH_PROPERTIES.map(({ asks }) => asks.source).join('|'), 'i')
/** Caches the property of the last question, since several steps ask for it. */
let last: { readonly question: string; readonly property: Property | undefined } | null = null

function findProperty(question: string): Property | undefined {
  if (last?.question !== question) {
    const english = ASKS_ANY.test(question) ? ENGLISH_PROPERTIES : []
    const properties = /\p{Script=Han}/u.test(question) ? CHINESE_PROPERTIES : english
    last = { question, property: properties.find(({ asks }) => asks.test(question)) }
  }
  return last.property
}

/** Reports whether a text states a property. Its questions are left out, since they state none. */
export function tellsProperty(holds: RegExp, text: string): boolean {
  if (!/[?？]/.test(text)) return holds.test(text)
  const stated = text.split(SENTENCES).filter((sentence) => !ASKS.test(sentence))
  return holds.test(stated.join(''))
}
