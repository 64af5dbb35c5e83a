import { readLead, readBracketedDate } from '../text/read-lead.ts'

/** The text of a line, apart from its day and speaker. */
export interface Speech {
  /** The day of the line, as written. */
  readonly date: string | null
  readonly speaker: string | null
  readonly text: string
  /** Whether the line marks the text as past. */
  readonly isFormer: boolean
}

const PERSON_PATTERN = String.raw`(?:\p{Lu}[\p{L}\p{N}'’.-]*(?: \p{Lu}[\p{L}\p{N}'’.-]*){0,2}|\p{Script=Han}{1,6}|users?|assistant|agent|speaker ?\w{0,2})`
const QUOTED_PATTERN = String.raw`"(?:[^"\\]|\\.)*"|“[^”]*”|「[^」]*」`
/** Matches a speaker: `Ana: `. */
const SPEAKER_PREFIX = new RegExp(String.raw`^(${PERSON_PATTERN})\s*[:：]\s*(?=\S)`, 'u')
const ROLE = /^(?:users?|assistant|agent|speaker ?\w{0,2}|用户|助手)$/iu
/** Matches a quotation and its speaker: `Ana: "To Lyon." / `. */
const QUOTATION = new RegExp(
  String.raw`^(?:(${PERSON_PATTERN})\s*[:：]\s*)?(${QUOTED_PATTERN})(?:\s*/\s*|\s*$|\s*(?=\())`,
  'u',
)
/** Matches a note of former values after a quotation: `(before 2024: "Bristol")`. */
const FORMER_NOTE = new RegExp(
  String.raw`^\((?:before|formerly|previously|以前|之前|曾)[;:：；,，]?\s*(.*)\)$`,
  'iu',
)
const FORMER_VERSION = new RegExp(String.raw`(?:until\s+)?([^\s:;]*)\s*[:：]\s*(${QUOTED_PATTERN})`, 'gu')
/** Matches brackets at the end of a line: `… [2024-05-02]`. */
const TRAILING_MARK = /\s*[[(（【]([^\])）】]{4,60})[\])）】]\s*$/u

/** Parses any system's context: JSON, or lines with day, speaker and quotation marks. Other forms are plain text. */
export function readContext(context: string): readonly (readonly Speech[])[] {
  const json = parseJson(context)
  if (Array.isArray(json)) return json.map(speechesInJson).filter((speeches) => speeches.length > 0)
  return context
    .split('\n')
    .map(readLine)
    .filter((speeches) => speeches.length > 0)
}

function readLine(line: string): Speech[] {
  const { date, rest } = readLead(line)
  if (rest === '') return []
  const json = /^[{[]/.test(rest) ? parseJson(rest.replace(/,$/, '')) : undefined
  if (json !== undefined) return speechesInJson(json)
  const quoted = readQuotations(rest, date)
  if (quoted !== null) return quoted
  const mark = TRAILING_MARK.exec(rest)
  const trailing = date === null && mark !== null ? readBracketedDate(mark[1] ?? '') : null
  const plain = trailing === null ? rest : rest.slice(0, mark?.index)
  const day = date ?? trailing
  const name = SPEAKER_PREFIX.exec(plain)
  const isSpeaker = name !== null && (day !== null || ROLE.test(name[1] ?? ''))
  return [
    makeSpeech(isSpeaker ? plain.slice(name[0].length) : plain, day, isSpeaker ? (name[1] ?? null) : null),
  ]
}

/** Reads the quotations of a line that has nothing else. `null`: the line has other text. */
function readQuotations(text: string, date: string | null): Speech[] | null {
  const all: Speech[] = []
  let rest = text
  for (let next = QUOTATION.exec(rest); next !== null; next = QUOTATION.exec(rest)) {
    all.push(makeSpeech(next[2] ?? '', date, next[1] ?? null))
    rest = rest.slice(next[0].length)
  }
  if (all.length === 0) return null
  const former = FORMER_NOTE.exec(rest)?.[1]
  if (former !== undefined)
    for (const [, until, version = ''] of former.matchAll(FORMER_VERSION))
      all.push({ ...makeSpeech(version, until === '' ? null : (until ?? null), null), isFormer: true })
  else if (rest !== '') {
    const day = TRAILING_MARK.exec(rest)?.index === 0 ? readBracketedDate(rest.slice(1, -1)) : null
    if (day === null) return null
    return all.map((one) => ({ ...one, date: one.date ?? day }))
  }
  return all
}

function makeSpeech(text: string, date: string | null, speaker: string | null): Speech {
  return { date, speaker, text: unquote(text), isFormer: false }
}

function unquote(text: string): string {
  const trimmed = text.trim()
  if (!new RegExp(`^(?:${QUOTED_PATTERN})$`, 'u').test(trimmed)) return trimmed
  const parsed = parseJson(trimmed)
  return typeof parsed === 'string' ? parsed : trimmed.slice(1, -1)
}

/** Reads JSON. From an object it takes the longest text, the first text that is a date, and the speaker. */
function speechesInJson(value: unknown): Speech[] {
  if (typeof value === 'string') return readLine(value)
  if (Array.isArray(value)) return value.flatMap(speechesInJson)
  if (typeof value !== 'object' || value === null) return []
  const fields = Object.entries(value).flatMap(([key, one]) =>
    typeof one === 'string' ? [{ key, text: one }] : [],
  )
  const speaker = fields.find(({ key }) => /^(?:speaker|role|name|author|from)$/i.test(key))?.text ?? null
  const days = fields.map(({ text }) => readBracketedDate(text))
  const texts = fields.filter(({ text }, place) => days[place] === null && text !== speaker)
  const [longest] = texts.toSorted((one, other) => other.text.length - one.text.length)
  return longest === undefined
    ? []
    : [makeSpeech(longest.text, days.find((day) => day !== null) ?? null, speaker)]
}

/** Parses JSON. `undefined`: the text is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
