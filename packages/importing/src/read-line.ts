import { decideDateOrder } from './decide-date-order.ts'
import { unreadable } from './import-error.ts'
import type { ImportSettings, ImportSource, PlacedTurn } from './import-source.ts'
import type { InputFile, Line } from './input-file.ts'
import type { LeftOut } from './left-out.ts'
import { inSessions, withIds } from './name-turns.ts'
import { chooseSpeaker, partOf } from './speaking.ts'
import { timeOfMessage, readStamped, type StampedMessage } from './stamped-lines.ts'

/** A day above its messages: `2026/03/01(Sun)`, `Sun, 03/01/2026`, `2026.03.01 Sunday`. */
const DAY = /^(?:\p{L}{2,12}[.,]*\s+)?(\d{1,4}[./-]\d{1,2}[./-]\d{1,4})\.?\s?(?:[(（]?\p{L}{1,12}[)）]?)?$/u
/** `2026년 3월 13일`, `2026年3月13日` */
const SIGNED_DAY = /^(\d{4})[년年]\s?(\d{1,2})[월月]\s?(\d{1,2})[일日]/u
/** A message: time, name and text between tabs. */
const MESSAGE = /^(?:(\S{1,4})\s?)?(\d{1,2}:\d\d)(?:\s?([AP]M))?\t([^\t]+)\t(.*)$/iu
/** A message of LINE for computers: time, name and text between spaces. */
const SPACED_MESSAGE = /^(\d{1,2}:\d\d) (\S+ .+)$/u
/** A notice of the messenger: a time, and words without a name. */
const NOTICE = /^(?:\S{1,4}\s?)?\d{1,2}:\d\d(?:\s?[AP]M)?\t[^\t]*$/iu
/** Matches a picture, a sticker or a call: `[Photo]`, `☎ Call time 0:30`. */
const MEDIA = /^\[[^[\]\n]{2,30}\]$|^☎[^\n]{0,40}$/u

/** Whether lines begin LINE's export of a chat, of a phone or a computer. */
export const isLineHead = ([first = '', second = '']: readonly string[]): boolean =>
  /^\uFEFF?\[LINE\]/.test(first) || (DAY.test(first.replace('\uFEFF', '')) && SPACED_MESSAGE.test(second))

/** Reads LINE's export of a chat. Times are in the settings' time zone. */
export function readLine(input: InputFile, settings: ImportSettings): ImportSource {
  const { found: messages, notices } = readMessages(input)
  const { order, note } = decideDateOrder(messages, input.name, settings)
  const counts = new Map<string, number>()
  for (const { name } of messages) counts.set(name ?? '', (counts.get(name ?? '') ?? 0) + 1)
  if (counts.size === 0)
    throw unreadable(`${input.name} has no line with a time, a name and a text between tabs.`)
  const user = chooseSpeaker(input.name, counts, settings)
  function* readTurns(leftOut: LeftOut): Generator<PlacedTurn> {
    leftOut.add('notices', notices)
    for (const message of messages) {
      const text = message.text.replace(/^"([\s\S]*)"$/, '$1').trim()
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

/** Reads each message as one whose line begins with day and time. */
function readMessages(input: InputFile): { readonly found: StampedMessage[]; readonly notices: number } {
  const found: StampedMessage[] = []
  let notices = 0
  let day: string | null = null
  const lines = [...input.lines()]
  const withTabs = lines.some(({ text }) => MESSAGE.test(text))
    ? (text: string) => text
    : tabsBehindNames(lines)
  for (const { text: line, number } of lines) {
    const text = withTabs(line)
    const opened = DAY.exec(text.trim().replace(SIGNED_DAY, '$1.$2.$3'))?.[1]
    const [, before = '', time, after = '', name, words = ''] = MESSAGE.exec(text) ?? []
    if (opened !== undefined) day = opened
    else if (day !== null && time !== undefined && name !== undefined) {
      const [stamped] = readStamped([
        { text: `[${day}, ${`${before}${time} ${after}`.trim()}] x: x`, number },
      ])
      if (stamped === undefined)
        throw unreadable(`${input.name}:${number}: this day and time cannot be read.`)
      found.push({ ...stamped, name: name.trim(), text: words })
    } else if (NOTICE.test(text)) notices += 1
    else {
      const last = found.at(-1)
      if (last !== undefined) found.push({ ...(found.pop() ?? last), text: `${last.text}\n${text}` })
    }
  }
  return { found, notices }
}

/**
 * Writes messages of LINE for computers as those of phones, with tabs. A name is one word, or two where all messages with the same first
 * word, at least three, share the second one too.
 */
function tabsBehindNames(lines: readonly Line[]): (line: string) => string {
  /** By first word: how many messages begin with it, and the second words. */
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
    const [, time, words] = SPACED_MESSAGE.exec(line) ?? []
    if (time === undefined || words === undefined) return line
    const parts = words.split(' ')
    const length = hasTwoWords(parts[0] ?? '') && parts.length > 2 ? 2 : 1
    return [time, parts.slice(0, length).join(' '), parts.slice(length).join(' ')].join('\t')
  }
}
