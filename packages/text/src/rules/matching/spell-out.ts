/** Labels, as whole words, and the statement for a value after each. `{}` is the value. */
export type LabelledStatements = readonly (readonly [label: RegExp, statement: string])[]

/** Matches a value: a name or a few words, not a sentence. */
const VALUE = /^[\p{L}\p{N}][\p{L}\p{N}\s,，、&'’.-]{0,59}$/u
const LABELLED =
  /^[^\p{L}]*(?<mine>(?:my|our)\s+|我的)?(?<label>\p{L}[\p{L}\s]{0,24}?)\s*[:：]\s*(?<value>.+?)[\s.。!！]*$/iu
const SAYS_NOTHING = /^(?:none|no|n\/a|unknown|yes|not? .*|无|没有|不详|未知|暂无)$/iu
const IS_CLAUSE = /\b(?:i|i['’]m|my|we|you|he|she|they|is|are|was|were|have|has|had)\b|[我你他她是]/iu

/**
 * Rewrites “My job: nurse” as “I work as nurse”, and returns `null` for anything else.
 * A label without “my” counts only if the turn has no other text, since a form may be about anyone; “About me” above it is none.
 */
export function spellOutLabel(sentence: string, turn: string, statements: LabelledStatements): string | null {
  if (sentence.length > LONGEST_LABELLED) return null
  const { mine, label = '', value = '' } = LABELLED.exec(sentence.trim())?.groups ?? {}
  if (!VALUE.test(value) || SAYS_NOTHING.test(value) || IS_CLAUSE.test(value)) return null
  if (mine === undefined && !isForm(turn)) return null
  const statement = statements.find(([known]) => known.test(label.trim()))?.[1]
  return statement?.replace('{}', () => value.trim()) ?? null
}

/** Matches a heading of one's own form. */
const ABOUT_ME =
  /^(?:(?:a (?:bit|little) |more )?about (?:me|myself)|me|my \p{L}+|关于我|我的\p{Script=Han}{2,4})\s*[:：]?$/iu

/** Reports whether each line of a turn is a label with its value, but for a heading that says whose they are. */
function isForm(turn: string): boolean {
  const [first = '', ...rest] = turn.split(/\n+/).map((line) => line.trim())
  const lines = (ABOUT_ME.test(first) ? rest : [first, ...rest]).filter((line) => line !== '')
  return lines.length < 2 || lines.every((line) => LABELLED.test(line))
}

/** Reports whether a text may contain a value after a label. */
export function mayLabel(text: string): boolean {
  return text.length <= LONGEST_FORM && /[:：]/.test(text)
}

const LONGEST_FORM = 400
const LONGEST_LABELLED = 120
