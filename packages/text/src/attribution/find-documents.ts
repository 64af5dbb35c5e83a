// Finds pasted documents by their layout. Called by mask-unspoken.ts.
import { either, pattern } from '../pattern.ts'
import type { IntroducedText } from './find-introduced.ts'
import { FIRST_PERSON, groupsOf, isEmpty, type Line, type Stretch } from './stretch.ts'

/** Finds texts that their layout shows to be documents, code, tables, verses or tales. */
export function findDocuments(given: IntroducedText): Stretch[] {
  const { lines, text } = given
  if (lines.length === 1) return TALE.test(text) ? [{ start: 0, end: text.length }] : codeIn(lines)
  const document = startOfDocument(lines)
  return [
    ...(document === null ? [] : [{ start: document, end: text.length }]),
    ...partedIn(lines, text.length),
    ...lines.filter((line) => HEADING.test(line.text)),
    ...rowsIn(lines),
    ...codeIn(lines),
    ...versesIn(lines),
  ]
}

/** Returns the offset at which a document starts: a heading, a chapter, a title, an author's line or a tale's opening. */
function startOfDocument(lines: readonly Line[]): number | null {
  const first = lines.findIndex((line) => !isEmpty(line))
  const at = lines.findIndex((line, index) => {
    if (HEADING.test(line.text)) return !FIRST_PERSON.test(line.text) && !OF_OWN.test(line.text)
    if (TALE.test(line.text) || CHAPTER.test(line.text))
      return index < lines.length - 1 || TALE.test(line.text)
    if (index === first && isTitle(line.text))
      return isEmptyAt(lines, index + 1) || BYLINE.test(lines[index + 1]?.text ?? '')
    return index <= first + 2 && index > first && BYLINE.test(line.text)
  })
  if (at < 0) return null
  return at <= first + 2 && !HEADING.test(lines[at]?.text ?? '')
    ? (lines[first]?.start ?? 0)
    : (lines[at]?.start ?? 0)
}

function isEmptyAt(lines: readonly Line[], index: number): boolean {
  const line = lines[index]
  return line !== undefined && isEmpty(line) && index < lines.length - 1
}

/** Reports whether a line is a title: three or more words, the long ones capitalised, no full stop, and no first person. */
function isTitle(line: string): boolean {
  const words = line.trim().split(/\s+/)
  if (words.length < 3 || words.length > 14 || ENDS.test(line) || FIRST_PERSON.test(line)) return false
  const long = words.filter((word) => word.length > 3)
  return long.length >= 2 && long.every((word) => BIG_WORD.test(word))
}

/** Finds the text between a separator line and the next one. */
function partedIn(lines: readonly Line[], end: number): Stretch[] {
  const rules = lines.filter(
    ({ text }) =>
      RULE.test(text) &&
      !OWN_HEADING.test(text) &&
      !/^\s*[-*+#]\s\S/.test(text.replace(/^\s*[-_*=~#+]{3,}/, '')),
  )
  return rules.flatMap((rule, index) =>
    index % 2 === 0 ? [{ start: rule.start, end: rules[index + 1]?.end ?? end }] : [],
  )
}

/** Finds rows of tables. */
function rowsIn(lines: readonly Line[]): Stretch[] {
  return lines.filter(({ text }) => ROW.test(text) || /^(?:[^,\n]*,(?=\S)){2,}[^,\n]*$/.test(text))
}

function codeIn(lines: readonly Line[]): Stretch[] {
  const found: Stretch[] = []
  let isComment = false
  for (const line of lines) {
    if (isComment || CODE.test(line.text)) found.push(line)
    if (COMMENT_OPEN.test(line.text)) isComment = true
    if (line.text.includes('*/')) isComment = false
  }
  return found
}

/** Finds groups of short lines without full stops: at least two groups, a repeated line, or headings of song parts. */
function versesIn(lines: readonly Line[]): Stretch[] {
  const stanzas = groupsOf(lines).filter(isStanza)
  const texts = stanzas.flat().map(({ text }) => text.trim().toLowerCase())
  const isSong =
    lines.some(({ text }) => SECTION.test(text)) ||
    (texts.length >= 4 && texts.some((text, index) => text.length > 9 && texts.indexOf(text) !== index))
  if (stanzas.length < 2 && !isSong) return []
  if (lines.some(({ text }) => SECTION.test(text))) {
    const start = lines.find(({ text }) => SECTION.test(text))?.start ?? 0
    return [{ start, end: lines.at(-1)?.end ?? 0 }]
  }
  return stanzas.map((group) => ({ start: group[0]?.start ?? 0, end: group.at(-1)?.end ?? 0 }))
}

/** Reports whether a group of lines is a stanza: at least three short lines, of which two thirds have no full stop. */
function isStanza(group: readonly Line[]): boolean {
  const isShort = group.every(
    ({ text }) => text.trim().length <= LONGEST_VERSE && !/^\s*(?:[-*•]|\d+[.)])\s/.test(text),
  )
  const open = group.filter(({ text }) => !/[.!?…。！？]\s*$/u.test(text)).length
  return group.length >= 3 && isShort && open * 3 >= group.length * 2
}

const HEADING = /^\s{0,3}(?:#{1,6}\s+\S|={3,}\s*\S)/
/** Headings that people give their own notes: “Week 3”, “Background”, 问题. */
const OWN_HEADINGS = either(
  /(?:week|day|month|year) \d+|(?:mon|tues|wednes|thurs|fri|satur|sun)day\b.{0,16}|[\d./ -]+/u,
  /第?\S{1,3}[周天日月]|background|context|question|task|goals?|request|situation|problem|constraints/u,
  /kontext|hintergrund|frage|aufgabe|contexte|tâche|contexto|pregunta|pergunta|tarea|tarefa/u,
  /背景|问题|任务|目标|要求|情况/u,
)
/** Matches a heading of a diary, or of a question in parts: “Week 3”, “Background”, 问题. */
const OF_OWN = new RegExp(String.raw`^\W*(?:${OWN_HEADINGS})[:：]?\s*$`, 'iu')
/** Matches a separator line between a text and the message around it. */
const RULE = /^\s*(?:[-_*=~#+]\s?){3,}.{0,40}$/
/** Matches a heading of one's own in Markdown, which separates nothing: “### About me”. */
const OWN_HEADING = /^\s{0,3}#{1,6}\s+(?:[^#]*\b(?:me|my|myself)\b|[^#]*我(?!们))[^#]*$/iu
const ROW = /^\s*\|.*\|.*\|?\s*$|^[^\t\n]*\t[^\t\n]*\t/
/** First words of lines of code: “import”, “SELECT”. */
const CODE_WORDS = either(
  /import|from|const|let|var|def|class|function|func|fn|return|export|public|private|static|void|async|await/,
  /package|using|namespace|SELECT|INSERT|UPDATE|DELETE|CREATE|echo|print|printf|console\.\w+/,
)
/** Starts of lines of code: a comment, a keyword with a bracket, a prompt, an assignment. */
const CODE_STARTS = either(
  /\/\/|\/\*|\*\/|--\s|#!|#include\b|;;|<\?php|@\w+\(/,
  String.raw`(?:${CODE_WORDS})\b.*[{};=]`,
  /(?:\$|>>>|\w+@[\w-]+:.*[$#])\s+\S|[\w.$[\]]+\s*(?:=|\+=|:=)\s*(?:\S+\s*;?\s*$|.*[;{}[\]]\s*$)|[}\])]+[;,]?\s*$/,
)
/** Matches a line of code: “const x = 1;”, “$ npm install”. */
const CODE = pattern('', String.raw`^\s*(?:${CODE_STARTS})`, /[;{]\s*$/)
const COMMENT_OPEN = /\/\*/
const SECTION =
  /^\s*[[(（【]\s*(?:verse|chorus|bridge|intro|outro|refrain|hook|pre-?chorus|solo|scene|act|副歌|主歌|前奏|间奏|尾声)[^\])）】]*[\])）】]\s*:?\s*$|^\s*(?:场景|scene)\s*[:：].*$|^\s*(?:verse|chorus|bridge|refrain)(?:\s+\d+)?\s*:?\s*$/iu
/** Names of the parts of a story: “chapter”, 第三回, 尾声. */
const CHAPTER_NAMES = String.raw`chapter|part|prologue|epilogue|scene|act|(?:[\p{Script=Han}《》]{0,12}(?:小说|故事|剧本|网文|》)\s?)?第[一二三四五六七八九十百\d]+[章回节幕]|序章|楔子|尾声`
/** Numbers of chapters: “2”, “iv”, “two”. */
const CHAPTER_NUMBERS = String.raw`\d+|[ivxlc]+|one|two|three|four|five|six|seven|eight|nine|ten`
/** Matches the heading of a chapter: “Chapter two”, “The novel, part IV”, 第三章. */
const CHAPTER = new RegExp(
  String.raw`^\s*(?:(?:the |a )?(?:novel|book|script|play|fan ?fic\w*)[,:]?\s)?(?:${CHAPTER_NAMES})(?:\s+(?:${CHAPTER_NUMBERS}))?(?![\p{L}’']).{0,60}$`,
  'iu',
)
const TALE = /^\s*(?:once upon a time|long,? long ago|it was a dark and stormy|从前[，,有]|很久很久以前)/iu
const BYLINE =
  /^\s*(?:by|written by|words by|lyrics by|词|曲|作者|文)\s*[:：]?\s*\p{Lu}?[\p{L}.'’-]+(?:\s+\p{Lu}[\p{L}.'’-]+){0,3}\s*$/u
const BIG_WORD = /^\p{Lu}/u
const ENDS = /[.!?…。！？;；:：,，)）]\s*$/u
/** Maximum characters in a line of verse. */
const LONGEST_VERSE = 70
