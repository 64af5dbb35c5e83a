// Finds code and markup in a text. Called by mask-unspoken.ts.
import { ABOUT_ME } from '../rules/matching/spell-out.ts'
import { linesOf, type Stretch } from './stretch.ts'

/**
 * Finds fenced code, HTML and XML elements, comments and chat templates.
 *
 * @param isOwn whether the text is the speaker's, so that only code and tags are found
 * @param isWhole whether the text is a whole message, which an editor may have written in HTML
 */
export function findMarkup(text: string, isOwn = false, isWhole = true): Stretch[] {
  return [
    ...(isOwn && !IS_CODE.test(text) ? [] : fencesIn(text)),
    ...(text.includes('<') ? [...commentsIn(text), ...elementsIn(text, isOwn, isWhole)] : []),
    ...(text.includes('\\begin') ? environmentsIn(text) : []),
    ...templatesIn(text),
  ]
}

function fencesIn(text: string): Stretch[] {
  if (!/```|~~~/.test(text)) return []
  const found: Stretch[] = []
  let open = -1
  for (const line of linesOf(text)) {
    const isFence = FENCE.test(line.text)
    const isWhole = isFence && /(?:```|~~~).+(?:```|~~~)\s*$/.test(line.text)
    if (isWhole && open < 0) found.push(line)
    else if (isFence && open >= 0) {
      found.push({ start: open, end: line.end })
      open = -1
    } else if (isFence) open = line.start
    else if (open < 0)
      for (const { index, 0: inline } of line.text.matchAll(/```.*?(?:```|$)/g))
        found.push({ start: line.start + index, end: line.start + index + inline.length })
  }
  return open < 0 ? found : [...found, { start: open, end: text.length }]
}

function commentsIn(text: string): Stretch[] {
  const found: Stretch[] = []
  let open = -1
  for (const { 0: sign, index } of text.matchAll(COMMENT)) {
    if (sign === '<!--' && open < 0) open = index
    if (sign === '-->' && open >= 0) {
      found.push({ start: open, end: index + sign.length })
      open = -1
    }
  }
  return open < 0 ? found : [...found, { start: open, end: text.length }]
}

/**
 * Finds elements from the opening to the closing tag. A tag without a closing one covers only itself. If all tags only format words, or
 * the text is the speaker's, only the tags are found.
 */
function elementsIn(text: string, isOwn: boolean, isWhole: boolean): Stretch[] {
  const tags = [...text.matchAll(TAG)]
  if (
    isOwn ||
    isAboutOneself(text) ||
    tags.every((tag) => formats(text, tag)) ||
    (isWhole && isEdited(text, tags))
  )
    return tags.map(({ 0: { length }, index: start }) => ({ start, end: start + length }))
  const lastClose = new Map<string, number>()
  for (const [i, [, slash, name = '']] of tags.entries())
    if (slash !== '') lastClose.set(name.toLowerCase(), i)
  const found: Stretch[] = []
  let open: { readonly name: string; readonly start: number; depth: number } | null = null
  for (const [index, { 0: whole, 1: slash, 2: tag = '', 3: traits = '', index: start }] of tags.entries()) {
    const name = tag.toLowerCase()
    const end = start + whole.length
    if (open !== null) {
      if (name === open.name && !traits.endsWith('/')) open.depth += slash === '' ? 1 : -1
      if (open.depth === 0) {
        found.push({ start: open.start, end })
        open = null
      }
      continue
    }
    const isAlone = slash !== '' || VOID.test(name) || traits.endsWith('/')
    if (!isAlone && (lastClose.get(name) ?? -1) > index) open = { name, start, depth: 1 }
    else found.push({ start, end: !isAlone && BLOCK.test(name) ? text.length : end })
  }
  return open === null ? found : [...found, { start: open.start, end: text.length }]
}

/** Reports whether the first heading of a page says that it is about its author: “<h1>About me</h1>”. */
function isAboutOneself(text: string): boolean {
  const heading = /<(?<tag>h[1-6]|title)\b[^<>]*>(?<words>[^<>]*)<\/\k<tag>\s*>/iu.exec(text)
  return ABOUT_ME.test(heading?.groups?.['words'] ?? '')
}

/** Reports whether a text is all paragraphs and lists, without attributes: a message as an editor writes it, and no page. */
function isEdited(text: string, tags: readonly RegExpExecArray[]): boolean {
  let [depth, end] = [0, 0]
  for (const tag of tags) {
    const { 0: whole, index } = tag
    const block = ARRANGES.exec(whole)
    if (block === null && !formats(text, tag)) return false
    if (depth === 0 && (block === null || text.slice(end, index).trim() !== '')) return false
    if (block !== null) depth += block[1] === '' ? 1 : -1
    end = index + whole.length
  }
  return depth === 0 && text.slice(end).trim() === ''
}

/** Finds LaTeX environments, up to their end or the end of the text. */
function environmentsIn(text: string): Stretch[] {
  const start = text.search(/\\begin\{/)
  const end = text.lastIndexOf('\\end{')
  return start < 0 ? [] : [{ start, end: end < start ? text.length : endOfBrace(text, end) }]
}

function endOfBrace(text: string, from: number): number {
  const end = text.indexOf('}', from)
  return end < 0 ? text.length : end + 1
}

/** Returns the text from the first token of a chat template on, which is not the user's. */
function templatesIn(text: string): Stretch[] {
  const index = text.search(TEMPLATE)
  return index < 0 ? [] : [{ start: index, end: text.length }]
}

const FENCE = /^[ \t]*(?:```|~~~)/
const COMMENT = /<!--|-->/g
const TAG = /<(\/?)([a-z][\w:-]*)((?:\s[^<>]*)?)>/gi
/** Matches elements without a closing tag. */
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i
/** Matches page elements whose closing tag is optional. */
const BLOCK =
  /^(?:html|head|body|div|p|li|ul|ol|dl|dt|dd|td|th|tr|table|section|article|aside|header|footer|main|nav|blockquote|pre|h[1-6]|form|script|style|template|title|svg|iframe)$/i
/** Matches tags that only format words. Tags of struck and cited words are missing, since their words are no statement. */
const FORMATS = /^<\/?(?:b|strong|i|em|u|mark|small|big|sub|sup|span|br)\s*\/?>$/i
/** Matches a tag with attributes that formats or links words. */
const LINKS = /^<(?:\/(?:font|a)|(?:b|strong|i|em|u|mark|small|span|font|a)\s[^<>]*)>$/i

/** Reports whether a tag formats words: one with attributes only within a sentence, since pages have them elsewhere. */
function formats(text: string, { 0: tag, index }: RegExpExecArray): boolean {
  if (FORMATS.test(tag)) return true
  return LINKS.test(tag) && (tag.startsWith('</') || /\p{L}[^<>.!?。！？]*$/u.test(text.slice(0, index)))
}
/** Matches tags around paragraphs and lists, as an editor of messages writes them. */
const ARRANGES = /^<(\/?)(?:p|div|ul|ol|li)\s*>$/i
/** Matches tokens of chat templates, which mark a model's turn. Users never write them. */
const TEMPLATE =
  /<\|[^|<>\n]{1,60}\|>|\[\/?INST\]|<<\/?SYS>>|\[\/?(?:system|quote)\b[^\]\n]*\]|\{\{[^{}\n]*\}\}|\[\[[^\][\n]{0,200}[:：][^\][\n]{0,2000}\]\]|\b(?:assistant|user|system|developer|tool|analysis)\s+to=\S/gi

/** Matches code in a fence, as opposed to prose. */
const IS_CODE = /[{}=;]|^\s*(?:\/\/|#|\$)|```\S/m
