// Reads how speakers introduce themselves and their relatives. ../matching/rule.ts explains the notation of patterns.
import type { Clause } from '../matching/language.ts'
import type { Pattern } from '../matching/grammar.ts'
import type { Word } from '../matching/word.ts'
import { english } from './english.ts'
import { toMap } from './third-person.ts'

/** Reads an introduction as clauses. “I'm Bo, 29, a carpenter from Malmö” has four: name, age, occupation and origin. */
export function readIntroduction(words: readonly Word[]): Clause[] {
  return [...readSpeaker(words), ...readRelatives(words)]
}

/** Reads the speaker's name, and the facts that follow it between commas. */
function readSpeaker(words: readonly Word[]): Clause[] {
  if (!mayIntroduce(words)) return []
  const { self, selfBeforeFacts } = patternsOf()
  const pieces = splitPieces(words)
  const nameIndex = pieces.findIndex((piece) => nameIn(piece, [...self, ...selfBeforeFacts]) !== null)
  const namePiece = pieces[nameIndex]
  // The name stands in the first piece, or in the second after a greeting.
  if (namePiece === undefined || nameIndex > 1) return []
  const facts = pieces.slice(nameIndex + 1).filter((piece) => isFact(piece, 0))
  const name =
    nameIn(pieces.slice(0, nameIndex + 1).flat(), self) ??
    nameIn(namePiece, facts.length > 0 ? selfBeforeFacts : self)
  if (name === null) return []
  return [
    clauseOf('my name is', name),
    ...facts
      .flatMap((piece) => splitOrigin(piece.slice(endOfSubject(piece, 0))))
      .map((piece) => clauseOf(isBare(piece, 0) ? 'I am a' : 'I am', capitaliseOrigin(piece))),
  ]
}

/** Tests a piece for a fact about the speaker: “29”, “from Malmö”, “I'm a carpenter at a boatyard”. */
const isFact = english.test(
  `(<opener>)* [I am] (<number> [<years>]|from CAPITAL|from _ .|[a|an] !(bit|little) (!(VERB|AUX|PRON|ADP|,) _)* (<trade>|<student>)
    [(at|in|for|from|of) _*]) .`,
)
/** Tests an occupation for its missing article: “carpenter”. */
const isBare = english.test('!(a|an|the|from|<number>) _')
const mayIntroduce = english.search('I am|my name is|here (.|,|;)|<greeting>')
const isMark = english.test(',|;')
const beginsAgain = english.test('and I am')
const endOfSubject = english.end('(<opener>)* [I am]')

/** Splits “a carpenter from Malmö” into an occupation and a home town. */
function splitOrigin(piece: readonly Word[]): (readonly Word[])[] {
  const from = piece.findIndex(
    (word, index) => index > 0 && word.lower === 'from' && /^\p{Lu}/u.test(piece[index + 1]?.text ?? ''),
  )
  if (from < 0) return [piece]
  // “from Malmö who loves dogs”: the place ends before the clause.
  const end = piece.findIndex(
    (word, index) => index > from && /^(?:who|that|with|where|and|but)$/.test(word.lower),
  )
  return [piece.slice(0, from), piece.slice(from, end < 0 ? undefined : end)]
}

/** Writes an origin with capitals, since some writers use none. */
function capitaliseOrigin(piece: readonly Word[]): readonly Word[] {
  return piece[0]?.lower === 'from' ? piece.map((word, index) => (index === 0 ? word : asName(word))) : piece
}

/** Splits at commas, and before another “and I'm”. */
function splitPieces(words: readonly Word[]): Word[][] {
  const pieces: Word[][] = [[]]
  for (const [index, word] of words.entries()) {
    if (isMark(words, index) || beginsAgain(words, index)) pieces.push([])
    if (!isMark(words, index)) pieces.at(-1)?.push(word)
  }
  return pieces.filter((piece) => piece.length > 0)
}

function nameIn(words: readonly Word[], namePatterns: readonly Pattern[]): readonly Word[] | null {
  for (const pattern of namePatterns) {
    const slot = pattern.match(words, 0)?.find(({ name }) => name === 'name')
    if (slot !== undefined) return words.slice(slot.from, slot.to).map(asName)
  }
  return null
}

function asName(word: Word): Word {
  return { ...word, text: word.text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()), pos: 'PROPN' }
}

/** Returns the patterns of introductions, compiled on first use. The slot `name` is a name, the slot `kin` a relative. */
function patternsOf(): IntroductionPatterns {
  const hello = '<greeting> (all|everyone|there|again|,|;)*'
  patterns ??= {
    self: [
      // “Hi, Bo here”, “Hello, my name is Bo”, “I'm Bo and I …”
      `${hello} [my name is|I am|this is|it is] {name} here .`,
      `${hello} (my name is|I am|this is|it is) !<calendar> {name/!demonym} .`,
      '(<opener>|,|;)* I am !<calendar> !<belonging> {name:alone} (.|(and|but) (I|my))',
    ].map((source) => english.pattern(source)),
    // Weaker signs, which count only if facts about the speaker follow: “I'm bo”, “bo here”.
    selfBeforeFacts: [
      `[${hello}] (<opener>|,|;)* I am !<calendar> {name/!demonym} .`,
      `[${hello}] (<opener>|,|;)* I am {name:lower} .`,
      '(<opener>|,|;)* !(same|right|over|out|back|still|new) ({name:lower}|&PROPN {name}) here .',
    ].map((source) => english.pattern(source)),
    relatives: [
      // “my sisters Mia and Ann”, “I have a brother, Teo”, “my sister Mia”, “my sister, Mia”, “Peg is my wife”, “Rex is my dog”
      '<my> {kin:several-kin} [,] {name:name-list} (,|.|;|who|VERB|AUX|ADP)',
      '<we> have <a> {kin:relative} , {name} (,|.|who|and !I CAPITAL)',
      '<my> {kin:relative} !(<calendar>|<demonym>) {name}',
      '<my> {kin:relative} , !(<calendar>|<demonym>) {name} (,|.|who)',
      '!(<calendar>|<demonym>|<relation>|<opener>) {name/called} be <my> {kin:relative} (.|PUNCT|and|who|but)',
      '!(<calendar>|<demonym>|<relation>|<opener>) {name} be <my> {kin:relative/pets} (.|PUNCT|and|who|but)',
    ].map((source) => english.pattern(source)),
  }
  return patterns
}
let patterns: IntroductionPatterns | undefined

interface IntroductionPatterns {
  readonly self: readonly Pattern[]
  readonly selfBeforeFacts: readonly Pattern[]
  readonly relatives: readonly Pattern[]
}

/** Reads the names of relatives: “I have a brother, Teo, who …”, “with my sister Mia”, “Peg is my wife”. */
function readRelatives(words: readonly Word[]): Clause[] {
  return words.flatMap((word, i) => {
    // A capital inside a sentence begins a title: “Ponyo and My Neighbour Totoro”.
    if (i > 0 && word.text === 'My') return []
    const slots = patternsOf()
      .relatives.map((pattern) => pattern.match(words, i))
      .find((found) => found !== null)
    const kin = slots?.find(({ name }) => name === 'kin')
    const name = slots?.find((slot) => slot.name === 'name')
    if (kin === undefined || name === undefined) return []
    // “Peg is my wife” must begin a part of the sentence.
    if (kin.from > name.from && i > 0 && !isMark(words, i - 1)) return []
    const [who, names] = [words.slice(kin.from, kin.to), words.slice(name.from, name.to)]
    const isSeveral = names.some(({ lower }) => lower === 'and')
    const clause = clauseOf('my', [...who, ...spoken(isSeveral ? 'are called' : 'is called'), ...names])
    return [isLate(who) ? { ...clause, state: 'over' } : clause]
  })
}

/** Finds a relative who has died. */
const isLate = english.search('(late|deceased) <relation>')
const TAGS = toMap('my PRON,name NOUN,is AUX,are AUX,am AUX,i PRON,called VERB')

/** Makes tagged words of a short text: “my name is”. */
function spoken(text: string): Word[] {
  return text.split(' ').map((word) => {
    const lower = word.toLowerCase()
    const lemma = lower.replace(/^(?:is|are|am)$/, 'be').replace(/^called$/, 'call')
    return { text: word, lower, lemma, pos: TAGS.get(lower) ?? '', before: ' ' }
  })
}

function clauseOf(start: string, rest: readonly Word[]): Clause {
  const said = [
    ...spoken(start),
    ...rest.map((word, index) => (index === 0 ? { ...word, before: ' ' } : word)),
  ]
  return { words: said, said, before: [], time: [], state: 'holds', isDoubted: false }
}
