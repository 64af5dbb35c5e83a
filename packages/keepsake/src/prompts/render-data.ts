import { tellName, zoneOffset } from '@keepsake/text'
import type { Memory } from '../memories/memory.ts'
import type { Turn } from '../turns/turn.ts'
import type { PromptLanguage, SaidMessage } from './prompt.ts'

const HAN = /\p{Script=Han}/gu
const LETTER = /\p{L}/gu
/** Share of Chinese letters from which a text counts as Chinese. One Chinese character says as much as two or three Latin letters. */
const CHINESE_FROM = 0.2

/** Returns the language of the prompt about some texts: Chinese if enough of their letters are, else English. */
export function promptLanguage(texts: readonly string[]): PromptLanguage {
  const whole = texts.join('\n').slice(0, 20_000)
  const letters = whole.match(LETTER)?.length ?? 0
  return letters > 0 && (whole.match(HAN)?.length ?? 0) / letters >= CHINESE_FROM ? 'zh' : 'en'
}

/** Renders text of a conversation as data: on one line, in quotation marks, so that nothing in it can close a tag. */
export function quoted(text: string): string {
  return JSON.stringify(text.replace(/\s+/g, ' ').trim()).replace(/</g, '\\u003c')
}

/** Renders text as data with its line breaks, as `\n`. */
export function quotedWhole(text: string): string {
  return JSON.stringify(text).replace(
    /[<\u2028\u2029]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Renders each line of a text as data on a line of its own. Empty lines are left out. */
export function quotedLines(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.map(quoted).join('\n')
}

/** Renders the name of a speaker or subject, in quotation marks only if it may be more than a name: see `tellName`. */
export function named(name: string): string {
  return name.trim() === '' ? '' : tellName(name)
}

const weekdayOf = (language: PromptLanguage): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' })
/** Created once, because creation takes longer than the rest of a prompt. */
const WEEKDAYS = { en: weekdayOf('en'), zh: weekdayOf('zh') } as const

/** Renders a time by the speaker's clock: `2026-03-05 Thu 21:10`. */
export function renderTime(at: number, timeZone: string | null, language: PromptLanguage): string {
  const local = new Date(at + zoneOffset(timeZone, at) * 60_000)
  const weekday = WEEKDAYS[language].format(local)
  const [day, time = ''] = local.toISOString().split('T')
  return `${day} ${weekday} ${time.slice(0, 5)}`
}

const ROLES = {
  en: { user: 'user', assistant: 'agent', other: 'other' },
  zh: { user: '用户', assistant: '助手', other: '其他' },
} as const

export type SaidTurn = Pick<Turn, 'role' | 'speaker' | 'text' | 'at' | 'timeZone'> & {
  readonly session?: string
}

/** Maximum characters of a text. A longer one is shown by its start and its end. */
const MAX_CHARACTERS = 2_000
const SHARE_AT_START = 0.7
const LEFT_OUT = ' […] '

/** Removes the middle of a long text. The rest stays word for word. */
export function cutMiddle(text: string, most: number = MAX_CHARACTERS): string {
  if (text.length <= most) return text
  const start = Math.round(most * SHARE_AT_START)
  return `${wholeCharacters(text.slice(0, start))}${LEFT_OUT}${wholeCharacters(text.slice(start - most))}`
}

/** Removes the half of a character that a cut may leave. */
function wholeCharacters(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '')
}

const ANOTHER_SESSION = { en: '-- another conversation --', zh: '—— 另一次对话 ——' } as const

/**
 * Renders numbered turns, one per line: `[1] 2026-03-05 Thu 21:10 user (Maya): "…"`. Days and sessions appear where
 * they change; long texts are cut in the middle.
 *
 * @param quote how a text is shown; `quotedWhole` for turns that are to be answered
 */
export function renderTurns(
  turns: readonly SaidTurn[],
  language: PromptLanguage,
  quote: (text: string) => string = (text) => quoted(cutMiddle(text)),
): string {
  return renderLines(turns, language, { quote, whoOf: (turn) => whoSaid(turn, language) })
}

/** Matches the tag around the memories of a reply, so that nothing that was said can forge a memory. */
const MEMORIES_TAG = /<(?=\s*\/?\s*memories\b)/gi

/**
 * Renders turns as messages of a chat, which providers format and cache. Roles alternate and the user begins, because some
 * providers require it. What others said is quoted, because it is not the user's word.
 */
export function chatMessages(turns: readonly SaidTurn[], language: PromptLanguage): SaidMessage[] {
  const names = new Set(turns.flatMap(({ role, speaker }) => (role === 'user' ? [speaker] : [])))
  const messages: SaidMessage[] = turns[0]?.role === 'assistant' ? [{ role: 'user', text: '…' }] : []
  for (const turn of turns) {
    const role = turn.role === 'assistant' ? 'assistant' : 'user'
    const isNamed = turn.role === 'user' && names.size > 1
    const said = isNamed ? `${whoSaid(turn, language)}: ${turn.text}` : turn.text
    const whole = turn.role === 'other' ? `${whoSaid(turn, language)}: ${quotedWhole(turn.text)}` : said
    const text = whole.replace(MEMORIES_TAG, '\\u003c')
    const last = messages.at(-1)
    if (last?.role === role) messages.splice(-1, 1, { role, text: `${last.text}\n\n${text}` })
    else messages.push({ role, text })
  }
  return messages
}

/** Pause after which a turn is shown with its time in the short form. */
const PAUSE_MS = 10 * 60_000

/** The same, shorter: roles are explained once, times appear after a pause. */
export function renderTalk(turns: readonly SaidTurn[], language: PromptLanguage): string {
  const isNew = turns.map(({ role, speaker }, place) => {
    const before = turns.findLast((one, at) => at < place && one.role === role)
    return before === undefined || before.speaker !== speaker
  })
  return renderLines(turns, language, {
    quote: (text) => quoted(cutMiddle(text)),
    whoOf: (turn, place) => (isNew[place] === true ? whoSaid(turn, language) : ROLES[language][turn.role]),
    pause: PAUSE_MS,
  })
}

/** How turns are rendered as lines. */
interface LineStyle {
  readonly quote: (text: string) => string
  readonly whoOf: (turn: SaidTurn, place: number) => string
  /** Milliseconds of silence after which the time of day is repeated; every turn has it when absent. */
  readonly pause?: number
}

function renderLines(
  turns: readonly SaidTurn[],
  language: PromptLanguage,
  { quote, whoOf, pause = 0 }: LineStyle,
): string {
  const times = turns.map((turn) => renderTime(turn.at, turn.timeZone, language))
  const lines = turns.map((turn, index) => {
    const time = times[index] ?? ''
    const last = turns[index - 1]
    const isOther = last?.session !== undefined && turn.session !== undefined && last.session !== turn.session
    const isSameDay = time.slice(0, 10) === times[index - 1]?.slice(0, 10)
    const isGoingOn = isSameDay && !isOther && Math.abs(turn.at - (last?.at ?? 0)) < pause
    const clock = isGoingOn ? '' : `${isSameDay ? time.slice(-5) : time} `
    const line = `[${index + 1}] ${clock}${whoOf(turn, index)}: ${quote(turn.text)}`
    return isOther ? `${ANOTHER_SESSION[language]}\n${line}` : line
  })
  return `<turns>\n${lines.join('\n')}\n</turns>`
}

/** Renders preceding turns and known texts without numbers, because nothing is extracted from them. Empty if there are none. */
export function renderContext(
  before: readonly SaidTurn[],
  known: readonly string[],
  language: PromptLanguage,
): string {
  if (before.length + known.length === 0) return ''
  const said = before.map((turn) => `- ${whoSaid(turn, language)}: ${quoted(cutMiddle(turn.text))}`)
  const remembered = known.map((text) => `- ${quoted(cutMiddle(text))}`)
  return `<context>\n${[...remembered, ...said].join('\n')}\n</context>\n`
}

function whoSaid(turn: SaidTurn, language: PromptLanguage): string {
  return `${ROLES[language][turn.role]}${turn.speaker === null ? '' : ` (${named(turn.speaker)})`}`
}

/**
 * Renders memories, numbered from 1, each on a line: `(1) since 2026-03-05 user, residence: "…"`.
 *
 * @param timeZone of the current speakers, for days
 */
export function renderMemories(
  memories: readonly Memory[],
  language: PromptLanguage,
  timeZone: string | null,
): string {
  const since = language === 'zh' ? '自' : 'since'
  const until = language === 'zh' ? '至' : 'until'
  const lines = memories.map((memory, index) => {
    const end = memory.validUntil === null ? '' : ` ${until} ${renderDay(memory.validUntil, timeZone)}`
    const about =
      memory.key === null ? named(memory.subject) : `${named(memory.subject)}, ${named(memory.key)}`
    return `(${index + 1}) ${since} ${renderDay(memory.validFrom, timeZone)}${end} ${about}: ${quoted(cutMiddle(memory.text))}`
  })
  return `<memories>\n${lines.join('\n')}\n</memories>`
}

/**
 * Renders many numbered memories briefly: `(1) 2026-03-05: "…"`. The day appears where it changes, and the last day
 * of ended ones.
 *
 * @param timeZone of the current speakers, for days
 */
export function renderKnown(
  memories: readonly Memory[],
  language: PromptLanguage,
  timeZone: string | null,
): string {
  const until = language === 'zh' ? '至' : 'until'
  const days = memories.map(({ validFrom }) => renderDay(validFrom, timeZone))
  const lines = memories.map(({ validUntil, text }, index) => {
    const day = days[index] === days[index - 1] ? '' : ` ${days[index] ?? ''}`
    const end = validUntil === null ? '' : ` ${until} ${renderDay(validUntil, timeZone)}`
    return `(${index + 1})${day}${end}: ${quoted(cutMiddle(text))}`
  })
  return `<memories>\n${lines.join('\n')}\n</memories>`
}

/** Renders a day in a time zone: `2026-03-05`. */
export function renderDay(at: number, timeZone: string | null): string {
  return new Date(at + zoneOffset(timeZone, at) * 60_000).toISOString().slice(0, 10)
}
