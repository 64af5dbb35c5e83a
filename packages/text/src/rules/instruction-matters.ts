/** What an instruction is about, where an assistant can follow only one at a time. */
export type InstructionMatter = 'language' | 'length' | 'name' | 'units' | 'spelling' | 'formality'

/** The value of a wish to be called by one's name. */
export const BY_OWN_NAME = 'own'

/** A matter, and the value that the text asks for: `german`, `short`, `metric`. */
export interface MatterValue {
  readonly matter: InstructionMatter
  readonly value: string
}

export const LANGUAGES_EN =
  'english|german|french|spanish|italian|portuguese|chinese|mandarin|japanese|korean|dutch|polish|russian|arabic|turkish|swedish|hindi|welsh|irish|danish|norwegian|finnish|czech|greek|ukrainian|romanian|hungarian|hebrew|catalan|cantonese|vietnamese|thai|urdu'
export const LANGUAGES_ZH =
  '(?:英|中|德|法|日|韩|俄|西班牙|意大利|葡萄牙)(?:文|语)|汉语|普通话|粤语|(?:繁体|简体)(?:中文|字)?|文言文'

/** Matches other texts than answers: “write the email in German” says nothing about the language of answers. */
const OTHER_TEXTS =
  /\b(?:e-?mails?|letters?|poems?|stories|story|code|comments|subtitles|homework|posts?)\b|邮件|信|诗|故事|代码|注释|作业/iu

const SPELLING = /\b(?:british|american|uk|us) (?:english|spelling)\b|\b(?:british|american) (?=words)/iu
const UNITS = /\b(?:metric|imperial|celsius|fahrenheit)\b|公制|英制|摄氏|华氏/iu
/** Names of languages in eight languages, by the name that is compared. */
const NAMES_OF_LANGUAGES = {
  english: 'english|englisch|ingl[eéê]s|anglais|英[文语語]|영어',
  german: 'german|deutsch|alem(?:[aá]n|ão)|allemand|德[文语語]|ドイツ語|독일어',
  french: 'french|franz[oö]sisch|fran[cç](?:[eéê]s|ais)|法[文语語]|フランス語|프랑스어',
  spanish: 'spanish|spanisch|español|espanhol|espagnol|西班牙[文语語]|スペイン語|스페인어',
  italian: 'italian|italienisch|italiano|italien|意大利[文语語]|イタリア語|이탈리아어',
  portuguese: 'portuguese|portugiesisch|portugu[eéê]s|portugais|葡萄牙[文语語]|ポルトガル語|포르투갈어',
  chinese: 'chinese|chinesisch|chin(?:o|ês)|chinois|中[文语]|中国語|중국어',
  japanese: 'japanese|japanisch|japon[eéê]s|japonais|日[文语]|日本語|일본어',
  korean: 'korean|koreanisch|coreano|cor[eé]en|韩[文语]|韓国語|한국어',
}
/** Matches one of several words that has no Latin letter next to it. In Chinese, other characters may be. */
const makeWordPattern = (words: string): RegExp =>
  new RegExp(String.raw`(?<!\p{Script=Latin})(?:${words})(?!\p{Script=Latin})`, 'iu')
/** The names of languages in eight languages. */
export const LANGUAGE_NAMES = Object.values(NAMES_OF_LANGUAGES).join('|')
const LANGUAGE = makeWordPattern(`${LANGUAGES_EN}|${LANGUAGES_ZH}|${LANGUAGE_NAMES}`)

/** Returns the English name of the first language in a text. A language without names in the table keeps its written name. */
function readLanguage(text: string): string | undefined {
  const name = LANGUAGE.exec(text)?.[0].toLowerCase()
  if (name === undefined) return undefined
  const known = Object.entries(NAMES_OF_LANGUAGES).find(([, names]) =>
    new RegExp(`^(?:${names})$`, 'iu').test(name),
  )
  return known?.[0] ?? name.replace(/[文语]$/u, '')
}

const SHORT =
  /\b(?:short(?:ly|er)?|brief(?:ly)?|concise(?:ly)?|terse|to the point|(?:one|two|three|a few|\d) sentences?|kurz|kürzer|knapp|breve(?:mente)?|bri[eè]vement|concis[oa]?|cort[oa]s?)\b|简短|简洁|短一?[点些]|[一两三]句话|短く|簡潔|要点だけ|짧게|간단/iu
const LONG =
  /\b(?:long(?:er)?|(?:more )?detail(?:ed|s)?|elaborate|thorough(?:ly)?|länger|ausführlich(?:er)?|detal(?:le|had[oa])s?)\b|détail|长一?[点些]|详细|细一?[点些]|長く|詳しく|길게|자세/iu
/** Match familiar and polite address in languages that distinguish them: “du” and “Sie”, 반말 and 존댓말. */
const [FAMILIAR, POLITE] = [
  /\bduz|\btutoie|\btut[eé]a|반말|タメ口|ため口|敬語(?:は|を)?(?:なし|使わ|やめ)/iu,
  /\bsiez|\bvouvoie|\busted\b|존댓말|敬語/iu,
]
const NAME =
  /\b(?:(?:call(?:ing|ed)?|address(?:ing|ed)?|refer(?:ring)? to) me|nenne?(?:st)? mich|mich .{0,16}nennen|ll[aá]m(?:ame|ar?me)|me llam\p{L}+|appelle[rz]?-moi|m['’]appel\p{L}+|me cham\p{L}+|cham[ae]-me)\b|(?:叫|称呼|喊)我|呼(?:んで|ば?ないで|ぶの)|(?:라고|이라고|으로|로) (?:불러|부르)/iu
/** Matches a wish to be called by one's name, without a form of address. */
const OWN_NAME =
  /\b(?:use|call me(?: by)?|go by) my (?:\p{L}+ )?name\b(?! (?:in|for|on|as)\b)|(?:叫|称呼|用|喊)我(?:的)?(?:本|真|原|大|全)?名字?(?=[吧就好了，。\s]|$)|mich .*mei(?:nem|n) (?:\p{L}+ )?Namen?|por (?:o )?(?:mi|meu) (?:\p{L}+ )?nom[be]r?e|par mon (?:\p{L}+ )?(?:pr[eé])?nom|^(?:普通に)?(?:本名|名前)で呼んで|이름으로 불러/iu

/** Returns the matter of an instruction or of its withdrawal, or `null` if it concerns no matter of the table. */
export function readInstructionMatter(text: string): MatterValue | null {
  if (OWN_NAME.test(text)) return { matter: 'name', value: BY_OWN_NAME }
  if (NAME.test(text)) return { matter: 'name', value: '' }
  const spelling = SPELLING.exec(text)?.[0]
  // The first two letters tell “British” and “UK” from “American” and “US” well enough.
  if (spelling !== undefined) return { matter: 'spelling', value: spelling.toLowerCase().slice(0, 2) }
  const units = UNITS.exec(text)?.[0]
  if (units !== undefined) return { matter: 'units', value: units.toLowerCase() }
  const language = OTHER_TEXTS.test(text) ? undefined : readLanguage(text)
  if (language !== undefined) return { matter: 'language', value: language }
  if (FAMILIAR.test(text)) return { matter: 'formality', value: 'familiar' }
  if (POLITE.test(text)) return { matter: 'formality', value: 'polite' }
  if (LONG.test(text)) return { matter: 'length', value: 'long' }
  return SHORT.test(text) ? { matter: 'length', value: 'short' } : null
}
