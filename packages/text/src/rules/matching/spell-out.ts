// Rewrites labels and forms as statements: “My job: nurse” as “I work as nurse”.
/** Patterns of labels, each with a statement. `{}` stands for the value after the label, `{list}` for one that may name several things, `{name}` for a name, `{states}` for states. */
export type LabelledStatements = readonly (readonly [label: RegExp, statement: string])[]

/** Maximum characters of a turn that is a form, and of a line with a label. */
const [MAX_FORM_LENGTH, MAX_LINE_LENGTH] = [400, 120]

/**
 * Rewrites “My job: nurse” as “I work as nurse”. Below “About me” it also rewrites “Lives in Delft” as “I live in Delft”. Returns `null`
 * for any other line. A label without “my” counts only below “About me”, or if the turn has no other text, since a form may be about anyone.
 */
export function spellOutLabel(sentence: string, turn: string, statements: LabelledStatements): string | null {
  if (sentence.length > MAX_LINE_LENGTH) return null
  const parts = sentence.replace(REMINDER, '').split(NEXT_LABEL)
  const spelled = parts.flatMap((part) => spellOutPart(part, turn.replace(REMINDER, ''), statements) ?? [])
  if (parts.length > 1 && spelled.length < parts.length) return null
  return spelled.length === 0
    ? null
    : spelled
        .map((stated) => stated.replace(/[.。]$/u, ''))
        .join(/\p{Script=Han}/u.test(sentence) ? '，' : ' and ')
}

function spellOutPart(sentence: string, turn: string, statements: LabelledStatements): string | null {
  const { mine, label, value: written = '' } = LABELLED.exec(sentence.trim())?.groups ?? {}
  if (label === undefined) {
    const stated = withSubject(sentence)
    return stated !== null && isAboutMe(turn, sentence) ? stated : null
  }
  if (FIRST_PERSON_LABEL.test(label)) return `${label} ${written.trim()}`
  const statement = statements.find(([known]) => known.test(label.trim()))?.[1]
  const value = statement?.includes('{list}') === true ? joinEntries(written) : written.trim()
  if (!VALUE.test(value) || SAYS_NOTHING.test(value) || IS_CLAUSE.test(value)) return null
  if (mine === undefined && !isAboutMe(turn, sentence) && !isForm(turn)) return null
  if (statement === '{states}') return spellOutStates(value)
  if (statement?.includes('{name}') === true && !NAME.test(value)) return null
  if (VERB_LABEL.test(label)) return withSubject(`${label} ${value}`)
  return statement?.replace(/\{(?:list|name)?\}/u, () => value) ?? null
}

/** Spells out the states of a medical label: “asthmatic, allergic to nuts” is “I am asthmatic and I am allergic to nuts”. */
function spellOutStates(list: string): string {
  const isHan = /\p{Script=Han}/u.test(list)
  const states = list
    .split(/\s*[,;/，；、]\s*/u)
    .map(
      (entry) =>
        withSubject(entry) ?? `${isHan ? '我有' : /(?:ic|ed)$/i.test(entry) ? 'I am ' : 'I have '}${entry}`,
    )
  return states.join(isHan ? '，' : ' and ')
}

/** Joins the entries of a list as a sentence does: “dust, cats / latex” is “dust, cats and latex”. */
function joinEntries(list: string): string {
  const entries = list.split(/\s*[,;/+&]\s*(?:and\s+)?/iu).filter((entry) => entry !== '')
  return [entries.slice(0, -1).join(', '), entries.at(-1) ?? ''].filter((part) => part !== '').join(' and ')
}

/** Matches a heading of one's own form or page. */
export const ABOUT_ME =
  /^[#*_\s]*(?:(?:a (?:bit|little) |more )?about (?:me|myself)|me|my (?:profile|bio|details|info|data|page|facts|story|life|health|intro|introduction)|关于我|自我介绍|我的(?:个人)?(?:资料|信息|简介|档案|情况|介绍|名片|主页))\s*[:：]?[*_\s]*$/iu

/** Returns the lines of a turn. HTML tags end lines. */
function linesOf(turn: string): string[] {
  return turn.split(/\n+|<[^<>]{1,200}>/).filter((line) => line.trim() !== '')
}

/** Reports whether the heading above a sentence of a turn, or the first line, says that it is about the speaker. */
function isAboutMe(turn: string, sentence: string): boolean {
  const above = linesOf(turn.slice(0, Math.max(0, turn.indexOf(sentence.trim()))))
  const heading = above.findLast((line) => /^\s*#{1,6}\s|[:：]\s*$/.test(line)) ?? linesOf(turn)[0] ?? ''
  return ABOUT_ME.test(heading)
}

/** Reports whether each line of a turn is a label with its value. */
function isForm(turn: string): boolean {
  const lines = linesOf(turn)
  return lines.length < 2 || lines.every((line) => LABELLED.test(line))
}

/** Verbs of a line about oneself, without their ending: “Lives in Delft”, “Work as a nurse”. */
const VERBS = 'live|work|love|like|hate|dislike|enjoy|play|speak|own|drive|teach|eat|drink|grow|keep|run'
/** Matches a line without a subject: a verb in the first or third person, or a state. */
const NO_SUBJECT = new RegExp(
  `^[^\\p{L}\\p{N}]*(?:(?<verb>${VERBS})s?|(?<study>stud)(?:y|ies)|(?<have>has|have)|(?<state>allergic to|married|divorced|engaged|born|vegan|vegetarian|single)|(?<han>住在?|在|是|有|养|喜欢|爱|讨厌|对|来自|从事|出生))(?!\\p{Script=Latin})`,
  'iu',
)

/** Adds the subject “I” to a line about oneself; `null` for another line. */
function withSubject(line: string): string | null {
  const found = NO_SUBJECT.exec(line)
  if (found === null) return null
  const { verb, study, have, state, han } = found.groups ?? {}
  const rest = line.slice(found[0].length)
  if (han !== undefined) return `我${han}${rest}`
  if (state !== undefined) return `I ${/^born/i.test(state) ? 'was' : 'am'} ${state.toLowerCase()}${rest}`
  if (have !== undefined) return `I have${rest}`
  return `I ${study === undefined ? (verb ?? '').toLowerCase() : 'study'}${rest}`
}

/** Reports whether a text may contain a value after a label. */
export function mayLabel(text: string): boolean {
  return text.length <= MAX_FORM_LENGTH && /[:：=|]/.test(text)
}

/** Matches a value: a name or a few words, not a sentence. */
const VALUE = /^[\p{L}\p{N}][\p{L}\p{N}\s,，、&'’.-]{0,59}$/u
/** Matches a label and its value: “My job: nurse”. */
const LABELLED =
  /^[^\p{L}]*(?<mine>(?:my|our)\s+|我的)?(?<label>\p{L}[\p{L}\s]{0,24}?)\s*[:：=＝]\s*(?<value>.+?)[\s.。!！]*$/iu
/** Matches a request to remember before labels: “pls remember: wife = Dot”, 请记住：. */
const REMINDER =
  /^\s*(?:(?:please|pls|plz|can you|could you|just)[\s,]+)*(?:remember|note|save|store|memori[sz]e|keep in mind|jot down)(?: (?:this|that|these|down|for me)){0,2}\s*(?:[:,，：]|\s[–—-])\s*|^\s*(?:请|帮我|麻烦)*(?:记住|记一下|记下来?|备注)\s*[:：,，]\s*/iu
/** Matches the comma before another label and its value: “dog = Pip, city = Bangor”. */
const NEXT_LABEL =
  /\s*[,;，；]\s*(?=(?:my |我的)?\p{L}[\p{L} ]{0,20}\s?[:：=＝])|(?<=\p{Script=Han})\s+(?=\p{Script=Han}{2,5}[:：])/iu
/** Matches a name alone, in the case of names. */
const NAME = /^(?:\p{Lu}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*){0,2}|\p{Script=Han}{2,4})$/u
/** Matches a label that is the beginning of a statement: “Lives in: Uppsala”. */
const VERB_LABEL =
  /^(?:(?:live|work|studie|teache)s? (?:in|at|as|for|with|near)|speaks|allergic to|born [io]n)$/i
/** Matches a label that is the beginning of a statement of one's own: “I live in: Uppsala”. */
const FIRST_PERSON_LABEL = /^I (?:am|live in|work (?:at|as|in|for)|have|speak|like|love|hate)$/i
/** Matches values that state nothing: “n/a”. */
const SAYS_NOTHING = /^(?:none|no|n\/a|unknown|yes|not? .*|无|没有|不详|未知|暂无)$/iu
/** Matches words of a sentence, which is no value. */
const IS_CLAUSE = /\b(?:i|i['’]m|my|we|you|he|she|they|is|are|was|were|have|has|had)\b|[我你他她是]/iu
