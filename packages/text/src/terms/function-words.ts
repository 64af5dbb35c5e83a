import { normaliseText } from './normalise-text.ts'

/** Chinese characters that are only grammar. */
const CHINESE_CHARACTERS =
  '的地得了着过是在我你您他她它们这那哪谁什么怎样几多少和与跟同及或但而且因为所以如果虽然就也都还很太更最又再才只不没有吗呢吧啊哦嗯呀啦嘛被把给对从向到于之其此个些'

/** Reports whether a lower-case word is a function word of English. */
export function isEnglishFunctionWord(word: string): boolean {
  return englishWords.has(word)
}

/** Reports whether a lower-case word is a function word of a language that is written with spaces. */
export function isFunctionWord(word: string): boolean {
  return englishWords.has(word) || otherWords.has(word)
}

/** Matches letters of scripts whose languages have no rules. */
const OTHER_SCRIPT = /(?!\p{Script=Han}|\p{Script=Latin}|\p{Script=Common}|\p{Script=Inherited})\p{L}/u

/** Reports whether a text is in a language without rules: neither English nor Chinese. */
export function isOfOtherLanguage(text: string): boolean {
  if (OTHER_SCRIPT.test(text)) return true
  if (/\p{Script=Han}/u.test(text)) return false
  const words = text.match(/\p{Script=Latin}+/gu) ?? []
  const english = words.filter((word) => englishWords.has(word.toLowerCase()))
  // English words with accents are rare (“café”), so an accent counts as a sign of another language.
  const others = words.filter((word) => /[^\0-\x7F]/.test(word) || otherWords.has(word.toLowerCase()))
  return others.length > 0 && others.length >= english.length
}

/** Reports whether a Chinese character is only grammatical, so that one or two of them say nothing. */
export function isChineseFunctionCharacter(character: string): boolean {
  return chineseCharacters.has(character)
}

/** Function words of English, by its grammar. They say nothing about a topic. Without them the index is half as large. */
const ENGLISH = `
a an the this that these those
i me my mine myself we us our ours ourselves you your yours yourself yourselves
he him his himself she her hers herself it its itself they them their theirs themselves one ones
who whom whose which what when where why how whoever whatever whichever whenever wherever however
am is are was were be been being do does did done doing have has had having
will would shall should can could may might must ought ca wo sha ain gonna gotta wanna
not no nor n't never so too very just also only even still yet already ever quite rather
and or but if then than because as while although though unless until since whether
of at by for with about against between into through during before after above below to from up down in out on off
over under again further upon within without toward towards across along among around per via
here there all any both each few more most other others another some such same own much many lot lots
let lets oh hey hi hello yes yeah yep ok okay well wow um uh hmm please thanks thank
s t d ll m re ve
im ive id ill youre youve theyre hes shes thats whats dont doesnt didnt isnt arent wasnt werent cant couldnt wont wouldnt havent hasnt hadnt shouldnt
`

/** Frequent function words of German, French, Spanish, Portuguese, Italian and Dutch. Without accents none of them is an English word or name. */
const OTHER_LANGUAGES = `
der das auf vom noch sind sein ich mich mir mein meine meinen meinem meiner dich dir dein deine er sie wir uns unser unsere ihr euch sich es
dem ein eine einen einem einer und oder aber nicht kein keine ist bist habe haben wird werden wurde
wie wo wer wann warum welche welcher welches von zu zum zur beim seit unter auch schon nur sehr
je nous vous ils elles notre votre leur leurs le aux et où mais est sont suis
était être avoir ce cette cet qui que quoi quel quelle quels quelles quand pourquoi ne pas avec dans chez très aussi
yo tú él ella nosotros ellos tus sus nuestro nuestra unos unas del pero soy eres son
está están estoy estar he quién quien cuál cuáles cuándo dónde cuánto cuántos en por para muy también ya
ele nós eles meu minha meus minhas teu seu seus suas um uma umas ao nas não mas
sou és é foi estou tenho tem onde quando quem qual quais quanto quantos muito também já
io tuo suo miei mie gli uno di della dello delle nella sul non che quale quali perché siamo
ik mij mijn jij jouw hij zij wij onze een maar niet geen bent zijn heb hebt heeft waar waarom welke naar
`

const englishWords: ReadonlySet<string> = new Set(ENGLISH.split(/\s+/).filter(Boolean))
const otherWords: ReadonlySet<string> = new Set(normaliseText(OTHER_LANGUAGES).split(/\s+/).filter(Boolean))
const chineseCharacters: ReadonlySet<string> = new Set(CHINESE_CHARACTERS)
