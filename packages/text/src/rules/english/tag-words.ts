import type { ItemToken, ItsFunction, ItsHelpers, WinkMethods } from 'wink-nlp'
import type { Word } from '../matching/word.ts'

/** Tags the words of a sentence. */
export type Tagger = (sentence: string) => Word[]

/** Expands contractions, since the tagger splits “don't” but takes “I'm” for a name. */
const CONTRACTIONS: readonly (readonly [RegExp, string])[] = [
  [/\b(i)['’]?m\b/gi, '$1 am'],
  [/\b(i|we|you|they)['’]?ve\b/gi, '$1 have'],
  // A capital inside a sentence shows that "Ill" is "I'll", not sick.
  [/(?<=[a-z,]\s+)Ill\b/g, 'I will'],
  [/\bwon['’]?t\b/gi, 'will not'],
  [/\bcan['’]?t\b|\bcannot\b/gi, 'can not'],
  [/\b(do|does|did|is|are|was|were|have|has|had|would|could|should|must|need)n['’]?t\b/gi, '$1 not'],
  [/\bgonna\b/gi, 'going to'],
  [/\bwanna\b/gi, 'want to'],
  [/\b(?:got|gotta) to\b|\bgotta\b/gi, 'have to'],
  [/\bhave got\b/gi, 'have'],
  [/\b(my (?:(?:first|full) )?(?:name|birthday))['’]s\b/gi, '$1 is'],
  [
    /['’]s (?=(?:called|named) (?!me\b|him\b|her\b|us\b|them\b|you\b|it\b|off\b|for\b|back\b|in\b|round\b|again\b)\p{L})/giu,
    ' is ',
  ],
  // Capitalises "i", which the tagger takes for a letter.
  [/\bi\b/g, 'I'],
]
const APOSTROPHES: readonly (readonly [RegExp, string])[] = [
  [/\b(\w+)['’]ve\b/gi, '$1 have'],
  [/\b(\w+)['’]ll\b/gi, '$1 will'],
  [/\b(\w+)['’]d\b/gi, '$1 would'],
  [/\b(\w+)['’]re\b/gi, '$1 are'],
  [/\b(he|she|it|that|there|what|who|here)['’]s\b/gi, '$1 is'],
  [/’/g, "'"],
]
/** Matches a mark that ends a statement. Patterns see each as `;`. */
const STRONG_MARK = /^(?:[.;:!?…—–()[\]]+|--+)$/

/** Loads wink-nlp and its English model, which takes about 100 ms. */
export async function loadTagger(): Promise<Tagger> {
  const [{ default: winkNlp }, { default: model }] = await Promise.all([
    import('wink-nlp'),
    import('wink-eng-lite-web-model'),
  ])
  const nlp = winkNlp(model, ['pos'])
  // Drops a final full stop, which may make the last word an abbreviation: “Call me Mo.”.
  return (sentence) => tag(nlp, expandContractions(sentence.replace(/\.+$/, '')))
}

/** Expands “I'm” to “I am”, “don't” to “do not”, and so on. */
export function expandContractions(sentence: string): string {
  const contractions = /['’]/.test(sentence) ? [...CONTRACTIONS, ...APOSTROPHES] : CONTRACTIONS
  return contractions.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), sentence)
}

function tag(nlp: WinkMethods, sentence: string): Word[] {
  const { its } = nlp
  const words: Word[] = []
  nlp
    .readDoc(sentence)
    .tokens()
    .each((token: ItemToken) => {
      const text = token.out()
      const [before, lemma, pos] = [token.out(spacesOf(its)), token.out(lemmaOf(its)), token.out(posOf(its))]
      words.push({ text, lower: text.toLowerCase(), lemma: lemma.toLowerCase(), pos, before })
    })
  return words.map((word, at) =>
    isStrongMark(word, words[at + 1])
      ? { ...word, lemma: ';' }
      : word.text === '&'
        ? { ...word, lemma: 'and' }
        : word,
  )
}

/** Takes a hyphen after a space for a dash. A hyphen inside a word is none. */
function isStrongMark({ text, before, pos }: Word, next: Word | undefined): boolean {
  if (pos !== 'PUNCT' && pos !== 'SYM') return false
  return STRONG_MARK.test(text) || (text === '-' && (before !== '' || (next?.before ?? ' ') !== ''))
}

// wink-nlp's helpers are plain functions on an object. Its types omit the cache argument of `lemma`.
/* oxlint-disable typescript/unbound-method */
const spacesOf = (its: ItsHelpers): ItsFunction<string> => its.precedingSpaces
const lemmaOf = (its: ItsHelpers): ItsFunction<string> => its.lemma as ItsFunction<string>
const posOf = (its: ItsHelpers): ItsFunction<string> => its.pos
/* oxlint-enable typescript/unbound-method */
