import { sentenceCase } from '../../material/fill-template.ts'

/** Pronouns of the third person as the person would say them. What follows shows whether "her" is possessive. */
const PRONOUNS: readonly (readonly [RegExp, string])[] = [
  [/\bthe (?:individual|user|person)\b/gi, 'I'],
  [/\b(?:himself|herself)\b/gi, 'myself'],
  [/\b(?:he|she)'s\b/gi, "I've"],
  [/\b(?:he|she)\b/gi, 'I'],
  [/\bhis\b/gi, 'my'],
  [/\bher(?=\s+(?!to\b|in\b|for\b|with\b|and\b|as\b|on\b|at\b|by\b|that\b|the\b|a\b)\p{L})/giu, 'my'],
  [/\b(?:him|her)\b/gi, 'me'],
]

const VERBS: readonly (readonly [RegExp, string])[] = [
  [
    /\b(with|for|to|from|by|of|about) I(?=[ ,.;](?!(?:was|had|am|have|felt|could|would|will|\w+ed)\b))/g,
    '$1 me',
  ],
  [/\bI has\b/g, 'I have'],
  [/\bI is\b/g, 'I am'],
  [/\bI does\b/g, 'I do'],
]

/**
 * What is written about a person, as the person would say it: "Maya lost her key" is "I lost my key". Made for
 * sentences in the past tense about one person; what others do in them may come out wrong.
 */
export function firstPerson(text: string, name: string): string {
  const [first = name] = name.split(' ')
  const names = [name, first].map((one) => one.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
  const named = text
    .replace(new RegExp(`\\b(?:${names})['’]s\\b`, 'g'), 'my')
    .replace(new RegExp(`\\b(?:${names})\\b`, 'g'), 'I')
  const said = [...PRONOUNS, ...VERBS].reduce((sentence, [from, to]) => sentence.replace(from, to), named)
  return sentenceCase(said, 'en')
}
