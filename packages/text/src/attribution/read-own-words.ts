// Removes what programs add to a message: blocks of an editor, sources, search results.
import { blankOut, type Stretch } from './stretch.ts'

/**
 * Returns the user's own words of a message that a program composed, without the program's blocks. If it has sources, only the query is
 * returned.
 *
 * @example
 * readOwnWords('Use this context.\n<context>I am a pirate.</context>\n<query>I live in Delft. Who am I?</query>')
 * // 'I live in Delft. Who am I?'
 */
export function readOwnWords(message: string): string {
  const text = withoutBlocks(message.replaceAll(INTERRUPTION, ''))
  const isRequest = FROM_SOURCES.test(text.trimStart())
  const [before, after] = splitAtSources(text)
  const rest = after ?? before
  const element = readQueryElement(rest, after !== null || isRequest) ?? readQueryElement(before, false)
  if (element !== null) return element.trim()
  if (!isRequest) {
    const own = blankOut(text, findSources(text))
    return own === message ? message : own.trim()
  }
  const frame = `${before}\n${after ?? ''}`
  const query = QUERY_HEADING.exec(frame)?.[1] ?? [...frame.matchAll(QUERY_LINE)].at(-1)?.[1]
  return (query ?? (rest.trim() === '' ? before : rest)).trim()
}

/** Finds sources that a program sets apart from the user's words, before or after them. */
export function findSources(text: string): Stretch[] {
  const found = elementIn(text) ?? sectionIn(text)
  if (found === null) return []
  const isFirst = text.slice(0, found.start).trim() === ''
  const isLast = text.slice(found.end).trim() === ''
  return isFirst === isLast ? [] : [found]
}

/** Finds an element of sources on lines of its own, without tags of the user's own markup. */
function elementIn(text: string): Stretch | null {
  const [before, after] = splitAtSources(text)
  const [start, end] = [before.length, text.length - (after?.length ?? 0)]
  const isAlone = /(?:^|\n)[ \t]*$/.test(before) && /^[ \t]*(?:\n|$)/.test(after ?? '-')
  const sources = text.slice(start, end)
  return isAlone && sources.includes('\n') && !OTHER_TAG.test(sources.replaceAll(FENCED, ''))
    ? { start, end }
    : null
}

/** Finds a section of sources. If no mark ends it, only the last paragraph is the user's, so that no source counts as the user's words. */
function sectionIn(text: string): Stretch | null {
  const heading = SECTION.exec(text)
  const start = heading?.index ?? -1
  const body = start + (heading?.[0].length ?? 0)
  const mark = [...text.matchAll(PIECE_END)].at(-1)
  if (start < 0 || (mark === undefined && !PIECE.test(text.slice(body, body + 40)))) return null
  if (mark !== undefined) return { start, end: mark.index + mark[0].length }
  const paragraph = text.slice(0, start).trim() === '' ? text.trimEnd().lastIndexOf('\n\n') : -1
  return { start, end: paragraph < body ? text.length : paragraph }
}

/** Removes the blocks of programs, from their opening to their closing tag. */
function withoutBlocks(text: string): string {
  const unclosed = new Set<string>()
  let rest = ''
  let from = 0
  for (const { 1: name, index } of text.matchAll(PROGRAM_BLOCK)) {
    const closing = name === undefined ? '<!-- END SYSTEM CONTEXT -->' : `</${name}>`
    if (index < from || unclosed.has(closing)) continue
    const end = text.indexOf(closing, index)
    if (end === -1) unclosed.add(closing)
    else {
      rest += text.slice(from, index)
      from = end + closing.length
    }
  }
  return rest + text.slice(from)
}

/** Returns the text before and after the sources. They end with the last closing tag, so that no source counts as the user's words. */
function splitAtSources(text: string): readonly [before: string, after: string | null] {
  const found = SOURCES.exec(text)
  const end = found === null ? -1 : text.lastIndexOf(`</${found[1]}>`)
  if (found === null || end < found.index) return [text, null]
  return [text.slice(0, found.index), text.slice(text.indexOf('>', end) + 1)]
}

/** Returns the content of the last element that holds a query. */
function readQueryElement(text: string, isBesideSources: boolean): string | null {
  for (const name of isBesideSources ? QUERY_ELEMENTS : QUERY_ELEMENTS.slice(0, -2)) {
    const end = text.lastIndexOf(`</${name}>`)
    const start = end === -1 ? -1 : text.lastIndexOf(`<${name}>`, end)
    if (start !== -1) return text.slice(start + name.length + 2, end)
  }
  return null
}

// Finds the user's words in a message that a program composed, such as a coding tool or a search over documents. Sources are the documents
// that the program puts next to the user's question.

/** Matches the beginning of a block that a program writes into a user's message: reminders, commands and their output, files. */
const PROGRAM_BLOCK =
  /(?<!`)(?:<((?:system|command|local-command|bash|ide|user[-_](?:prompt|memory|instructions|info)|task|environment|attach(?:ed|ments?)|additional|files|reminder|editor)[-_][a-z_-]+)>|<!-- SYSTEM CONTEXT\b)/gi
const INTERRUPTION = /^\[Request interrupted by user[^\]\n]*\]$/gm
const SOURCES =
  /<(context|sources?|documents?|search[-_]results?|references?|knowledge|files|conversation)(?:\s[^<>]*)?>/
/** Matches a tag that programs do not write into sources, so that it is the user's own markup. */
const OTHER_TAG =
  /<(?!\/?(?:context|sources?|documents?|document_content|search[-_]results?|results?|references?|knowledge|conversation|files?|rules?|directories|symbols|selections|threads|fetched_urls|title|url)\b)\/?[a-z]/i
const FENCED = /^```.*\n[\s\S]*?^```/gm
/** Matches the heading of a section of sources: “### Context:”, “--- Sources ---”. */
const SECTION =
  /^(?:#{1,6} |\*\*|-{3,} ?)?(?:(?:retrieved|relevant|additional|document) )?(?:context|sources|documents|excerpts|search results|references|knowledge)(?::?\*\*|:| ?-{3,})?:?[ \t]*\n\s*/im
/** Matches the beginning of a piece of a section, as programs write it: “[CONTEXT 0]:”, “Excerpt: …”, “Document 2: …”. */
const PIECE =
  /^(?:\[(?:context|document|source|chunk) ?#?\d+\]|(?:collection|excerpt|snippet|chunk|passage)(?: \d+)?: \S|(?:document|source) \d+:)/i
/** Matches the end of a piece, or of a section: “[END CONTEXT 0]”, “--- End of context ---”. */
const PIECE_END = /^(?:\[END [A-Z]+ \d+\]|-{3,} ?end(?: of)? [^\n-]{1,40}-{3,}).*$/gim
/** Matches the beginning of a request to answer from sources: “Use the following context …”, “### Task: respond … using the provided context”. */
const FROM_SOURCES =
  /^(?:\W{0,8}task:?\s*)?(?:[^\n]{0,160}\b(?:us(?:e|ing)|given|based on)\b[^\n]{0,80}\b(?:context|references?|sources?|documents?)\b|context information is below)/i
/** Names of the elements around the user's query. The last two have this meaning only next to sources. */
const QUERY_ELEMENTS =
  'user_query user-query userQuery user_question user_request userRequest user_input user_message query question'.split(
    ' ',
  )
const QUERY_HEADING =
  /^#+ ?(?:my question is|(?:the )?user(?:['’]s)? (?:query|question)|query|question)[ \t]*:?[ \t]*\n([\s\S]*?)(?=^#+ |(?![\s\S]))/im
const QUERY_LINE =
  /^(?:user(?:['’]s)? )?(?:query|question)[ \t]*:([\s\S]*?)(?=^(?:(?:helpful )?answer|context)[ \t]*:|(?![\s\S]))/gim
