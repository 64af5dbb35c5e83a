import { decideDateOrder } from './decide-date-order.ts'
import { unreadable } from './import-error.ts'
import type { ImportSettings, ImportSource, PlacedTurn } from './import-source.ts'
import type { InputFile, Line } from './input-file.ts'
import type { LeftOut } from './left-out.ts'
import { inSessions, withIds } from './name-turns.ts'
import { chooseSpeaker, partOf } from './speaking.ts'
import { timeOfMessage, readStamped, type StampedMessage } from './stamped-lines.ts'

/** Matches a line with a day, which precedes the day's messages: `2026/03/01(Sun)`, `Sun, 03/01/2026`, `2026.03.01 Sunday`. */
const DAY =
  /^(?:(\p{L}{2,12})[.,]*\s+)?(\d{1,4}[./-]\d{1,2}[./-]\d{1,4})\.?\s?(?:[(（]?(\p{L}{1,12})[)）]?)?$/u
/** Beginnings of the English days of the week. In other languages LINE writes the year first, so that the day decides nothing. */
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
/** Matches a Korean, Japanese or Chinese day: `2026년 3월 13일`, `2026年3月13日`. */
const SIGNED_DAY = /^(\d{4})[년年]\s?(\d{1,2})[월月]\s?(\d{1,2})[일日]/u
/** Matches a message in a phone's export: time, name and text, separated by tabs. */
const MESSAGE = /^(?:(\S{1,4})\s?)?(\d{1,2}:\d\d)(?:\s?([AP]M))?\t([^\t]+)\t(.*)$/iu
/** Matches a message in a computer's export: time, then name and text, separated by spaces. */
const SPACED_MESSAGE = /^(\d{1,2}:\d\d) (\S+ .+)$/u
/** Matches a notice of the messenger: a time, then a text without a name, or with an empty one. */
const NOTICE = /^(?:\S{1,4}\s?)?\d{1,2}:\d\d(?:\s?[AP]M)?\t(?:[^\t]*|\s*\t.*)$/iu
/** Matches a notice in a computer's export, where nothing separates the name from the text. */
const SPACED_NOTICE =
  /^\d{1,2}:\d\d (?:[^\t]{0,60}(?:メッセージの送信を取り消し|(?:グループ|トークルーム)[をにから]{1,2}(?:退会|参加|退出)し)ました。?|[^\t]{1,40} unsent a message\.|[^\t\s]{0,40}已收回訊息)$/u
/** Matches a picture, a sticker or a call: `[Photo]`, `☎ Call time 0:30`. */
const MEDIA = /^\[[^[\]\n]{2,30}\]$|^☎[^\n]{0,40}$/u

/** Matches the quotation marks around a message of several lines. */
const QUOTED_LINES = /^"([^\n]*\n[\s\S]*)"$/

/** Reports whether these are the first lines of a chat that LINE exported, on a phone or a computer. */
export const isLineHead = ([first = '', second = '']: readonly string[]): boolean =>
  /^\uFEFF?\[LINE\]/.test(first) ||
  (/^\uFEFF?Chat history (?:with|in) /.test(first) && second.startsWith('Saved on')) ||
  (DAY.test(first.replace('\uFEFF', '')) && SPACED_MESSAGE.test(second))

/** Reads a chat that the messenger LINE exported. Its times are in the settings' time zone. */
export function readLine(input: InputFile, settings: ImportSettings): ImportSource {
  const { messages, notices } = readMessages(input)
  const { order, note } = decideDateOrder(messages, input.name, settings)
  const counts = new Map<string, number>()
  for (const { name } of messages) counts.set(name ?? '', (counts.get(name ?? '') ?? 0) + 1)
  if (counts.size === 0)
    throw unreadable(`${input.name} has no line with a time, a name and a text between tabs.`)
  const user = chooseSpeaker(input.name, counts, settings)
  function* readTurns(leftOut: LeftOut): Generator<PlacedTurn> {
    leftOut.add('notices', notices)
    for (const message of messages) {
      const text = message.text.trim().replace(QUOTED_LINES, '$1').trim()
      if (text === '' || MEDIA.test(text)) {
        leftOut.add('wordless')
        continue
      }
      const at = timeOfMessage(message, order, input.name, settings)
      const turn = { ...partOf(message.name ?? '', user), text, at, timeZone: settings.timeZone }
      yield { user, agent: null, app: null, session: null, where: `${input.name}:${message.line}`, turn }
    }
  }
  return {
    name: input.name,
    format: 'line',
    turns: (leftOut) => inSessions('line', withIds('line', readTurns(leftOut))),
    notes: note === null ? [] : [note],
  }
}

/** Reads the messages and counts the notices. Parses each time together with the day that precedes it. */
function readMessages(input: InputFile): { readonly messages: StampedMessage[]; readonly notices: number } {
  const messages: StampedMessage[] = []
  let notices = 0
  let day: string | null = null
  let weekday = -1
  const lines = [...input.lines()]
  const hasTabs = lines.some(({ text }) => MESSAGE.test(text))
  const toTabs = hasTabs ? (line: string) => line : tabConverter(lines)
  for (const { text: line, number } of lines) {
    const text = toTabs(line)
    const [, nameBefore, newDay, nameAfter] = DAY.exec(text.trim().replace(SIGNED_DAY, '$1.$2.$3')) ?? []
    const [, amBefore = '', time, amAfter = '', name, content = ''] = MESSAGE.exec(text) ?? []
    if (newDay !== undefined) {
      day = newDay
      weekday = WEEKDAYS.indexOf((nameBefore ?? nameAfter ?? '').slice(0, 3).toLowerCase())
    } else if (NOTICE.test(text) || (!hasTabs && SPACED_NOTICE.test(line))) notices += 1
    else if (day !== null && time !== undefined && name !== undefined) {
      const moment = `${day}, ${`${amBefore}${time} ${amAfter}`.trim()}`
      const [stamped] = readStamped([{ text: `[${moment}] x: x`, number }])
      if (stamped === undefined)
        throw unreadable(`${input.name}:${number}: this day and time cannot be read.`)
      messages.push({ ...stamped, name: name.trim(), text: content, ...(weekday < 0 ? {} : { weekday }) })
    } else {
      const last = messages.pop()
      if (last !== undefined) messages.push({ ...last, text: `${last.text}\n${text}` })
    }
  }
  return { messages, notices }
}

/**
 * Makes a function that converts lines of a computer's export to a phone's, with tabs. Nothing separates a name from the text, so a name
 * has two words only if at least three messages begin with its first word and all of them have the same second word.
 */
function tabConverter(lines: readonly Line[]): (line: string) => string {
  /** Number of messages and set of second words, by first word. */
  const beginnings = new Map<string, { count: number; seconds: Set<string> }>()
  for (const { text } of lines) {
    const [first, second = ''] = SPACED_MESSAGE.exec(text)?.[2]?.split(' ') ?? []
    if (first === undefined) continue
    const beginning = beginnings.get(first) ?? { count: 0, seconds: new Set() }
    beginning.count += 1
    beginning.seconds.add(second)
    beginnings.set(first, beginning)
  }
  const hasTwoWords = (first: string): boolean => {
    const { count, seconds } = beginnings.get(first) ?? { count: 0, seconds: new Set() }
    return count > 2 && seconds.size === 1
  }
  return (line) => {
    const [, time, nameAndText] = SPACED_MESSAGE.exec(line) ?? []
    if (time === undefined || nameAndText === undefined) return line
    const parts = nameAndText.split(' ')
    const length = hasTwoWords(parts[0] ?? '') && parts.length > 2 ? 2 : 1
    return [time, parts.slice(0, length).join(' '), parts.slice(length).join(' ')].join('\t')
  }
}
