import { CHINESE_PROPERTIES } from './chinese-properties.ts'
import { ENGLISH_PROPERTIES } from './english-properties.ts'
import { CHINESE_OPEN_PROPERTIES, ENGLISH_OPEN_PROPERTIES } from './open-properties.ts'

/** A property that a question asks of somebody or something, as words can be seen to tell it. */
export interface Property {
  readonly asks: RegExp
  readonly holds: RegExp
  /** Whether what tells it comes before what matches as well; by default it does. */
  readonly leads?: boolean
}

const ASKS = /[?？]\s*$/
const SENTENCES = /(?<=[。！？!?.…\n])/u

/**
 * The property that a question asks for, where words can be seen to tell it: a colour, an age, a job. `null` for others.
 *
 * @returns what matches words that tell it
 * @example
 * readWantedProperty('What colour were the shoes?')?.test('I bought her red shoes') // true
 */
export function readWantedProperty(question: string): RegExp | null {
  return findProperty(question)?.holds ?? null
}

/** The same of those that what tells them comes first for. */
export function readLeadingProperty(question: string): RegExp | null {
  const property = findProperty(question) ?? openProperties(question).find(({ asks }) => asks.test(question))
  return property?.leads === false ? null : (property?.holds ?? null)
}

function openProperties(question: string): readonly Property[] {
  return /\p{Script=Han}/u.test(question) ? CHINESE_OPEN_PROPERTIES : ENGLISH_OPEN_PROPERTIES
}

/** Of the question that was read last: several steps of a recall ask for it. */
let last: { readonly question: string; readonly property: Property | undefined } | null = null

function findProperty(question: string): Property | undefined {
  if (last?.question !== question) {
    const properties = /\p{Script=Han}/u.test(question) ? CHINESE_PROPERTIES : ENGLISH_PROPERTIES
    last = { question, property: properties.find(({ asks }) => asks.test(question)) }
  }
  return last.property
}

/** Whether a text tells a property. What it asks it does not tell. */
export function tellsProperty(holds: RegExp, text: string): boolean {
  const told = text.split(SENTENCES).filter((sentence) => !ASKS.test(sentence))
  return holds.test(told.join(''))
}
