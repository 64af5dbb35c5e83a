/** What an instruction is about, where an assistant can follow only one at a time. */
export type InstructionMatter = 'language' | 'length' | 'name' | 'units' | 'spelling'

/** A matter, and what the text wants of it: `german`, `short`, `metric`. */
export interface MatterValue {
  readonly matter: InstructionMatter
  readonly value: string
}

export const LANGUAGES_EN =
  'english|german|french|spanish|italian|portuguese|chinese|mandarin|japanese|korean|dutch|polish|russian|arabic|turkish|swedish|hindi'
export const LANGUAGES_ZH =
  '(?:英|中|德|法|日|韩|俄|西班牙|意大利|葡萄牙)(?:文|语)|汉语|普通话|粤语|(?:繁体|简体)(?:中文|字)?|文言文'

/** Texts of a kind of their own, whose language says nothing of answers. */
const OTHER_TEXTS =
  /\b(?:e-?mails?|letters?|poems?|stories|story|code|comments|subtitles|homework|posts?)\b|邮件|信|诗|故事|代码|注释|作业/iu

const SPELLING = /\b(?:british|american|uk|us) (?:english|spelling)\b|\b(?:british|american) (?=words)/iu
const UNITS = /\b(?:metric|imperial|celsius|fahrenheit)\b|公制|英制|摄氏|华氏/iu
const LANGUAGE = new RegExp(`\\b(?:${LANGUAGES_EN})\\b|${LANGUAGES_ZH}`, 'iu')
const SHORT =
  /\b(?:short(?:ly|er)?|brief(?:ly)?|concise(?:ly)?|terse|to the point|(?:one|two|three|a few|\d) sentences?)\b|简短|简洁|短一?[点些]|[一两三]句话/iu
const LONG =
  /\b(?:long(?:er)?|(?:more )?detail(?:ed|s)?|elaborate|thorough(?:ly)?)\b|长一?[点些]|详细|细一?[点些]/iu
const NAME =
  /\b(?:(?:call(?:ing|ed)?|address(?:ing|ed)?|refer(?:ring)? to) me|nenn(?:e)? mich|ll[aá]mame|appelle-moi|me chame? de|chama-me)\b|(?:叫|称呼|喊)我/iu

/** Returns the matter of an instruction or of its withdrawal; `null` for any other. */
export function readInstructionMatter(text: string): MatterValue | null {
  if (NAME.test(text)) return { matter: 'name', value: '' }
  const spelling = SPELLING.exec(text)?.[0]
  if (spelling !== undefined) return { matter: 'spelling', value: spelling.toLowerCase().slice(0, 2) }
  const units = UNITS.exec(text)?.[0]
  if (units !== undefined) return { matter: 'units', value: units.toLowerCase() }
  const language = OTHER_TEXTS.test(text) ? undefined : LANGUAGE.exec(text)?.[0]
  if (language !== undefined)
    return { matter: 'language', value: language.toLowerCase().replace(/[文语]$/u, '') }
  if (LONG.test(text)) return { matter: 'length', value: 'long' }
  return SHORT.test(text) ? { matter: 'length', value: 'short' } : null
}
