// Renders turns, memories and other texts of conversations for prompts, as data and never as instructions.
import { isChinese, tellName, zoneOffset } from '@keepsake/text'
import type { Memory } from '../memories/memory.ts'
import type { Turn } from '../turns/turn.ts'
import type { PromptLanguage, SaidMessage } from './prompt.ts'

/** Returns the language of a prompt about texts: Chinese for Chinese texts, else English. */
export const promptLanguage = (texts: readonly string[]): PromptLanguage =>
  isChinese(texts.join('\n')) ? 'zh' : 'en'

/** Renders a text on one line, in quotation marks and escaped, so that it cannot close a tag. */
export function quoted(text: string): string {
  return JSON.stringify(text.replace(/\s+/g, ' ').trim()).replace(/</g, '\\u003c')
}

/** Renders a text like `quoted`, but keeps its line breaks as `\n`. */
export function quotedWhole(text: string): string {
  const escape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(text).replace(/[<\u2028\u2029]/g, escape)
}

/** Renders each line of a text like `quoted`. Empty lines are left out. */
export function quotedLines(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.map(quoted).join('\n')
}

/** Renders the name of a speaker or subject. `tellName` puts a text that may be no name in quotation marks. */
export function named(name: string): string {
  return name.trim() === '' ? '' : tellName(name)
}

const weekdayOf = (language: PromptLanguage): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' })
/** Created once, because the creation of a format takes longer than the rest of a prompt. */
const WEEKDAYS = { en: weekdayOf('en'), zh: weekdayOf('zh') } as const

/** Renders a time in the speaker's time zone: `2026-03-05 Thu 21:10`. */
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

/** Maximum characters of a text in a prompt. Of a longer text, the start and the end are shown. */
const MAX_CHARACTERS = 2_000
/** Share of the shown characters that are from the start of the text. */
const SHARE_AT_START = 0.7
const OMISSION = ' […] '

/** Removes the middle of a long text. The rest is not changed. */
export function cutMiddle(text: string, maxCharacters: number = MAX_CHARACTERS): string {
  if (text.length <= maxCharacters) return text
  const startLength = Math.round(maxCharacters * SHARE_AT_START)
  const start = withoutHalfCharacters(text.slice(0, startLength))
  const end = withoutHalfCharacters(text.slice(startLength - maxCharacters))
  return `${start}${OMISSION}${end}`
}

/** Removes a half of a character (a lone surrogate) at the ends of a text, which a cut may leave. */
function withoutHalfCharacters(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '')
}

const ANOTHER_SESSION = { en: '-- another conversation --', zh: '—— 另一次对话 ——' } as const

/** Renders turns: `[1] 2026-03-05 Thu 21:10 user (Maya): "…"`. Days and sessions appear only when they change. */
export function renderTurns(
  turns: readonly SaidTurn[],
  language: PromptLanguage,
  quote: (text: string) => string = (text) => quoted(cutMiddle(text)),
): string {
  return renderLines(turns, language, { quote, speakerOf: (turn) => renderSpeaker(turn, language) })
}

/** Matches the tag of memories in a turn. It is escaped, so that no turn can forge a memory. */
const MEMORIES_TAG = /<(?=\s*\/?\s*memories\b)/gi

/** Renders turns as chat messages. Providers require that roles alternate and the user begins. Turns of others are quoted. */
export function chatMessages(turns: readonly SaidTurn[], language: PromptLanguage): SaidMessage[] {
  const names = new Set(turns.flatMap(({ role, speaker }) => (role === 'user' ? [speaker] : [])))
  const messages: SaidMessage[] = turns[0]?.role === 'assistant' ? [{ role: 'user', text: '…' }] : []
  for (const turn of turns) {
    const role = turn.role === 'assistant' ? 'assistant' : 'user'
    const needsName = turn.role === 'other' || (turn.role === 'user' && names.size > 1)
    const words = turn.role === 'other' ? quotedWhole(turn.text) : turn.text
    const message = needsName ? `${renderSpeaker(turn, language)}: ${words}` : words
    const text = message.replace(MEMORIES_TAG, '\\u003c')
    const last = messages.at(-1)
    if (last?.role === role) messages.splice(-1, 1, { role, text: `${last.text}\n\n${text}` })
    else messages.push({ role, text })
  }
  return messages
}

/** In the short form, a turn has a time of day only after a pause of ten minutes. */
const PAUSE_MS = 10 * 60_000

/** Renders numbered turns in a shorter form. Speakers are named when they change, and times only after a pause. */
export function renderTalk(turns: readonly SaidTurn[], language: PromptLanguage): string {
  const isNewSpeaker = turns.map(({ role, speaker }, index) => {
    const previous = turns.findLast((turn, place) => place < index && turn.role === role)
    return previous === undefined || previous.speaker !== speaker
  })
  return renderLines(turns, language, {
    quote: (text) => quoted(cutMiddle(text)),
    speakerOf: (turn, place) =>
      isNewSpeaker[place] === true ? renderSpeaker(turn, language) : ROLES[language][turn.role],
    pauseMs: PAUSE_MS,
  })
}

/** Defines how turns are rendered as lines. */
interface LineStyle {
  readonly quote: (text: string) => string
  readonly speakerOf: (turn: SaidTurn, place: number) => string
  /** A turn has a time of day only after a pause of this length. All turns have one when absent. */
  readonly pauseMs?: number
}

/** Renders turns as numbered lines in a style. */
function renderLines(
  turns: readonly SaidTurn[],
  language: PromptLanguage,
  { quote, speakerOf, pauseMs = 0 }: LineStyle,
): string {
  const times = turns.map((turn) => renderTime(turn.at, turn.timeZone, language))
  const lines = turns.map((turn, index) => {
    const time = times[index] ?? ''
    const previous = turns[index - 1]
    const haveSessions = previous?.session !== undefined && turn.session !== undefined
    const isNewSession = haveSessions && previous.session !== turn.session
    const isSameDay = time.slice(0, 10) === times[index - 1]?.slice(0, 10)
    const isAfterPause = Math.abs(turn.at - (previous?.at ?? 0)) >= pauseMs
    const needsTime = !isSameDay || isNewSession || isAfterPause
    const shownTime = needsTime ? `${isSameDay ? time.slice(-5) : time} ` : ''
    const line = `[${index + 1}] ${shownTime}${speakerOf(turn, index)}: ${quote(turn.text)}`
    return isNewSession ? `${ANOTHER_SESSION[language]}\n${line}` : line
  })
  return `<turns>\n${lines.join('\n')}\n</turns>`
}

/** Renders preceding turns and known texts. They have no numbers, because nothing is extracted from them. */
export function renderContext(
  before: readonly SaidTurn[],
  known: readonly string[],
  language: PromptLanguage,
): string {
  if (before.length + known.length === 0) return ''
  const turnLines = before.map(
    (turn) => `- ${renderSpeaker(turn, language)}: ${quoted(cutMiddle(turn.text))}`,
  )
  const knownLines = known.map((text) => `- ${quoted(cutMiddle(text))}`)
  return `<context>\n${[...knownLines, ...turnLines].join('\n')}\n</context>\n`
}

/** Renders the role and the name of a speaker: `user (Maya)`. */
function renderSpeaker(turn: SaidTurn, language: PromptLanguage): string {
  return `${ROLES[language][turn.role]}${turn.speaker === null ? '' : ` (${named(turn.speaker)})`}`
}

/** Renders memories, numbered from 1: `(1) since 2026-03-05 user, residence: "…"`, with days in the speakers' zone. */
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

/** Renders many memories in a short form: `(1) 2026-03-05: "…"`. A day appears only when it changes. Expired memories have their last day. */
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
