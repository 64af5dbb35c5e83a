// Finds words in Arabic, Korean and Japanese, and distinguishes Chinese from Japanese.
/** Matches French and Italian words that lose their vowel before another: “l'hôpital”, “qu'elle”, “dell'amico”. */
const ELIDED = /^(?:[cdjlmnst]|(?:jus|lors|puis|quel)?qu|(?:[ad]|ne|su)ll|un)'(?=..)/

/** Removes the elided word before a word: “l'hôpital” becomes “hôpital”. */
export function withoutElision(word: string): string {
  return word.replace(ELIDED, '')
}

const ARABIC = /^\p{Script=Arabic}+$/u
const HANGUL = /^\p{Script=Hangul}+$/u
/** Matches Korean particles, the copula and 하다 (“do”) at the end of a word of two syllables or more: 성형했어요. */
const PARTICLE =
  /(?<=..)(?:했\S*|하(?:다|는|기|면|지|게|던|세요|셨\S*)|해(?:요|서|야|도)?|합니다|한|이야|이래요?|이라고|이라서|이다|야|이에요|예요|입니다|에서|에게|한테|까지|부터|으로|처럼|보다|이랑|하고|[은는이가을를에의로와과도만])$/u

/** Returns an Arabic or Korean word without articles, clitics and particles. Returns `null` for other scripts. */
export function stemOfScript(word: string): string | null {
  if (ARABIC.test(word)) return stemArabic(word)
  if (!HANGUL.test(word)) return null
  // The particle is removed twice, since a noun may end like one: 고양이가 and 고양이 have the same stem.
  return word.replace(PARTICLE, '').replace(PARTICLE, '')
}

/** Unifies the letter alif, and removes articles, conjunctions, prepositions and possessive endings. */
function stemArabic(word: string): string {
  return word
    .replace(/[أإآ]/g, 'ا')
    .replace(/^[وف]?(?:بال|كال|لل|ال)(?=..)/u, '')
    .replace(/(?<=...)(?:ها|نا|هم|كم|[يكه])$/u, '')
    .replace(/^[وفبلك](?=....)/u, '')
    .replace(/ة$/u, 'ت')
}

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
const countOf = (text: string, script: RegExp): number => text.match(new RegExp(script, 'gu'))?.length ?? 0

/** Reports whether a text is Japanese: it has at least half as many kana as Chinese characters. */
export function isJapanese(text: string): boolean {
  return KANA.test(text) && countOf(text, KANA) * 2 >= countOf(text, /\p{Script=Han}/u)
}

/** A text with this share of Chinese characters is Chinese. A Chinese character has the content of two or three letters. */
const MIN_CHINESE_SHARE = 0.2
/** The language of longer texts is decided by their start. */
const MAX_CHARACTERS_FOR_LANGUAGE = 20_000

/** Reports whether a text is Chinese, and neither Japanese nor of a language with other letters. */
export function isChinese(text: string): boolean {
  const start = text.slice(0, MAX_CHARACTERS_FOR_LANGUAGE)
  const chinese = countOf(start, /\p{Script=Han}/u)
  return chinese > 0 && chinese >= countOf(start, /\p{L}/u) * MIN_CHINESE_SHARE && !isJapanese(start)
}

const PIECE = /\p{Script=Katakana}[\p{Script=Katakana}ー]+|[\p{Script=Han}々]+/gu
const HIRAGANA = /^(?!ん)\p{Script=Hiragana}{2,}$/u
/** Matches words of grammar in hiragana. */
const GRAMMAR =
  /^(?:です|ます|まし|ませ|でし|した|して|する|いる|ある|ない|なっ|なり|こと|もの|これ|それ|あれ|ここ|そこ|どこ|だれ|なに|いつ|から|まで|など|って|よう|ので|のに|けど|でも|だっ|たい|てる|という|ください|れる|られ|せる)/u

let segmenter: Intl.Segmenter | undefined

/** Returns the words of a Japanese run: katakana, kanji, and hiragana that is no grammar. Returns `null` for a run without kana. */
export function piecesOfJapanese(run: string): string[] | null {
  if (!KANA.test(run)) return null
  segmenter ??= new Intl.Segmenter('ja', { granularity: 'word' })
  const words = [...segmenter.segment(run)].map(({ segment }) => segment)
  return [...(run.match(PIECE) ?? []), ...words.filter((word) => HIRAGANA.test(word) && !GRAMMAR.test(word))]
}
