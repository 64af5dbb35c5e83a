// Splits an English sentence into words with their base forms and parts of speech.
import type { ItemToken, ItsFunction, ItsHelpers, WinkMethods } from 'wink-nlp'
import type { Word } from '../matching/word.ts'

/** Tags the words of a sentence. */
export type Tagger = (sentence: string) => Word[]

/** Loads wink-nlp and its English model, which takes about 100 ms. */
export async function loadTagger(): Promise<Tagger> {
  const [{ default: winkNlp }, { default: model }] = await Promise.all([
    import('wink-nlp'),
    import('wink-eng-lite-web-model'),
  ])
  const nlp = winkNlp(model, ['pos'])
  // A final full stop is removed, since it may make the last word an abbreviation: “Call me Mo.”. That of “D.C.” stays.
  return (sentence) =>
    tag(nlp, expandContractions(sentence.replace(UNSEEN, '').replace(/(?<!\.\p{Lu})\.+$/u, '')))
}

/** Expands “I'm” to “I am”, “don't” to “do not”, and so on. */
export function expandContractions(sentence: string): string {
  const contractions = /['’]/.test(sentence) ? [...CONTRACTIONS, ...APOSTROPHES] : CONTRACTIONS
  return contractions.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), sentence)
}

/** Tags the words of a sentence, joins names, and marks the ends of statements. */
function tag(nlp: WinkMethods, sentence: string): Word[] {
  const { its } = nlp
  const words: Word[] = []
  nlp
    .readDoc(sentence)
    .tokens()
    .each((token: ItemToken) => {
      const text = token.out()
      const [before, lemma, pos] = [token.out(spacesOf(its)), token.out(lemmaOf(its)), token.out(posOf(its))]
      const isThing = pos === 'VERB' && takesThing(words)
      const [lower, base] = [text.toLowerCase(), lemma.toLowerCase()]
      words.push({ text, lower, lemma: isThing ? lower : base, pos: isThing ? 'NOUN' : pos, before })
    })
  const named = joinNames(words)
  return named.map((word, index) => {
    if (isStrongMark(word, named[index + 1])) return { ...word, lemma: ';' }
    return word.text === '&' ? { ...word, lemma: 'and' } : word
  })
}

/** Reports whether the next word is a thing, which a tagger reads as a verb after “to”: “allergic to milk”. */
function takesThing(words: readonly Word[]): boolean {
  const [adjective, to] = words.slice(-2)
  return (
    to?.lower === 'to' && /^(?:allergic|intolerant|sensitive|addicted|partial)$/.test(adjective?.lower ?? '')
  )
}

/** Joins the parts of a name that the tagger splits: “Anne-Marie”, “Marks & Spencer”, “A.P. Moller - Maersk”. */
function joinNames(words: readonly Word[]): Word[] {
  const joined: Word[] = []
  for (const [index, word] of words.entries()) {
    const last = joined.at(-1)
    if (last === undefined || !continuesName(joined, words, index)) joined.push(word)
    else {
      const text = last.text + word.before + word.text
      const pos = word.pos === 'PUNCT' || word.pos === 'PART' || word.pos === 'CCONJ' ? 'PROPN' : word.pos
      joined[joined.length - 1] = {
        text,
        lower: text.toLowerCase(),
        lemma: text.toLowerCase(),
        pos,
        before: last.before,
      }
    }
  }
  return joined
}

/** Reports whether a word continues the name before it: a hyphen, “&”, or “'s” of a shop (“at Joe's”). */
function continuesName(joined: readonly Word[], words: readonly Word[], index: number): boolean {
  const [last, word, next] = [joined.at(-1)?.text ?? '', words[index], words[index + 1]]
  if (!isName(last) || word === undefined) return false
  if (/[-&]$/.test(last)) return true
  if (word.text === "'s")
    return (
      /^(?:at|for|in|near)$/.test(joined.at(-2)?.lower ?? '') &&
      (isName(next?.text ?? 'A') || next?.pos !== 'NOUN')
    )
  if (next === undefined || !/^\p{L}/u.test(next.text)) return false
  if (word.text === '-' && word.before === '') return next.before === ''
  const rest = words.slice(index + 1)
  return (
    (word.text === '&' && isName(next.text)) || (word.text === '-' && rest.every(({ text }) => isName(text)))
  )
}

function isName(text: string): boolean {
  return /^\p{Lu}/u.test(text)
}

/** Reports whether a word is a mark that ends a statement. A hyphen with a space on a side is a dash. */
function isStrongMark({ text, before, pos }: Word, next: Word | undefined): boolean {
  if (pos !== 'PUNCT' && pos !== 'SYM') return false
  return STRONG_MARK.test(text) || (text === '-' && (before !== '' || (next?.before ?? ' ') !== ''))
}

// wink-nlp's helpers are plain functions on an object. Its types omit the cache argument of `lemma`.
/* oxlint-disable typescript/unbound-method */
const spacesOf = (its: ItsHelpers): ItsFunction<string> => its.precedingSpaces
const lemmaOf = (its: ItsHelpers): ItsFunction<string> => its.lemma as ItsFunction<string>
const posOf = (its: ItsHelpers): ItsFunction<string> => its.pos

/** Contractions and casual forms, with the words that replace them. The tagger splits “don't”, but takes “I'm” for a name. */
const CONTRACTIONS: readonly (readonly [RegExp, string])[] = [
  [/\b(i)['’]?m\b/gi, '$1 am'],
  [/\b(i|we|you|they)['’]?ve\b/gi, '$1 have'],
  // A capital inside a sentence shows that "Ill" is "I'll", not sick.
  [/(?<=[a-z,]\s+)Ill\b/g, 'I will'],
  [/\bwon['’]?t\b/gi, 'will not'],
  [/\bcan['’]?t\b|\bcannot\b/gi, 'can not'],
  [/\b(do|does|did|is|are|was|were|have|has|had|would|could|should|must|need)n['’]?t\b/gi, '$1 not'],
  [/(?<=\b(?:can|could|would|will|do|did|if|that|what) )u\b/g, 'you'],
  [/\bgonna\b/gi, 'going to'],
  [/\bwanna\b/gi, 'want to'],
  [/\b(?:got|gotta) to\b|\bgotta\b/gi, 'have to'],
  [/\bhave got\b/gi, 'have'],
  [/\b(my (?:(?:first|full) )?(?:name|birthday))['’]s\b/gi, '$1 is'],
  [
    /['’]s (?=(?:called|named) (?!me\b|him\b|her\b|us\b|them\b|you\b|it\b|off\b|for\b|back\b|in\b|round\b|again\b)\p{L})/giu,
    ' is ',
  ],
  [
    /\b(my (?:wife|husband|partner|girlfriend|boyfriend|mum|mom|dad|mother|father|gran|nan|sister|brother|son|daughter))['’]?s(?= (?:an? |allergic|intolerant|coeliac|celiac|diabetic|vegan|vegetarian|autistic|dyslexic|deaf|blind|pregnant|\d))/giu,
    '$1 is',
  ],
  // “i” gets a capital, since the tagger takes it for a letter.
  [/\bi\b/g, 'I'],
]
/** Contractions by an apostrophe of any word. */
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

/** Matches characters without width, which copied names may contain. */
const UNSEEN = /[\u00AD\u200B\u2060\uFEFF]/g
/* oxlint-enable typescript/unbound-method */
