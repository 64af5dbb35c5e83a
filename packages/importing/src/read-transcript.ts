import { unreadable } from './import-error.ts'
import type { ImportSettings, ImportSource, PlacedTurn } from './import-source.ts'
import type { InputFile } from './input-file.ts'
import { inSessions, withIds } from './name-turns.ts'
import { chooseSpeaker, partOf, personNamed, roleOf } from './speaking.ts'

const TIME_OF_DAY = String.raw`\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d{1,3})?(?:\s?[ap]\.?m\.?)?`
/** Matches a time of day before the name: `[09:01] Anna: Hello`, `9:01 AM - Anna: Hello`. */
const TIME_BEFORE = new RegExp(String.raw`^[[(]?${TIME_OF_DAY}[\])]?\s*(?:[-–—|]\s+)?(?=\p{L})`, 'iu')
/** Matches a name with a time of day above the text, as chat pages are copied: `Anna [9:01 AM]`, `Anna — Today at 9:01 AM`. */
const SPEAKER_ABOVE = new RegExp(
  String.raw`^(?<name>\p{L}[^:：[\]\n—]{0,39}?)\s+(?:\[${TIME_OF_DAY}\]|—\s+(?:(?:today|yesterday),?\s+(?:at\s+)?${TIME_OF_DAY}|\d{1,2}:\d\d\s?[ap]m))\s*$`,
  'iu',
)
/** Matches a line that begins with a name of a few words, possibly with Markdown emphasis or heading signs: `**Anna:** Hello`. */
const SPEAKER_LINE =
  /^(?:#{1,6}\s+)?[*_]{0,2}(?<name>[\p{L}\p{N}][^:：\n]{0,39}?)[*_]{0,2}[:：](?!(?<=\d.)\d)[*_]{0,2}(?!\/\/)\s*(?<text>.*)$/u
const MAX_NAME_WORDS = 4
/** Matches a Markdown heading or rule before a conversation. */
const HEADING = /^(?:#{1,6}\s|[-=*_]{3,}\s*$)/

interface SpeakerLine {
  readonly name: string
  readonly text: string
}

/** Splits a line into its possible name and text. */
export function parseSpeaker(line: string): SpeakerLine | null {
  const groups = (SPEAKER_ABOVE.exec(line) ?? SPEAKER_LINE.exec(line.replace(TIME_BEFORE, '')))?.groups
  const name = groups?.['name']?.trim() ?? ''
  if (name === '' || name.split(/\s+/).length > MAX_NAME_WORDS || /^\d+$/.test(name)) return null
  return { name, text: groups?.['text'] ?? '' }
}

/** Reads turns with a name before each: `Anna: Hello`. All other lines continue a turn. */
export function readTranscript(input: InputFile, settings: ImportSettings): ImportSource {
  const parse = parserOf(input)
  const speakers = findSpeakers(input, parse)
  const user = chooseSpeaker(input.name, speakers, settings)
  function* readTurns(): Generator<PlacedTurn> {
    let open: { name: string; line: number; texts: string[] } | null = null
    const close = ({ name, line, texts }: NonNullable<typeof open>): PlacedTurn[] => {
      const text = texts.join('\n').trim()
      const where = `${input.name}:${line}`
      if (text === '')
        throw unreadable(`${where}: ${name} has no text here. Remove the line, or add the text.`)
      if (roleOf(name) === 'machine') return []
      const turn = { ...partOf(name, user), text }
      return [{ user: personNamed(user), agent: null, app: null, session: null, where, turn }]
    }
    for (const { text, number } of input.lines()) {
      const spoken = parse(text)
      if (spoken === null || !speakers.has(spoken.name)) {
        if (open === null && text.trim() !== '' && !HEADING.test(text))
          throw unreadable(`${input.name}:${number}: there is no name before this text, as in "Anna: Hello".`)
        open?.texts.push(text)
        continue
      }
      if (open !== null) yield* close(open)
      open = { name: spoken.name, line: number, texts: [spoken.text] }
    }
    if (open !== null) yield* close(open)
  }
  return {
    name: input.name,
    format: 'transcript',
    turns: () => inSessions('transcript', withIds('transcript', readTurns())),
  }
}

/** Returns the parser of the file's lines. If names stand above the texts, a colon never ends a name. */
function parserOf(input: InputFile): typeof parseSpeaker {
  for (const { text } of input.lines())
    if (SPEAKER_ABOVE.test(text)) return (line) => (SPEAKER_ABOVE.test(line) ? parseSpeaker(line) : null)
  return parseSpeaker
}

/**
 * Counts the lines of each speaker. If at least two names repeat, words that begin only one line are no names.
 *
 * @throws ImportError if no line begins with a name
 */
function findSpeakers(input: InputFile, parse: typeof parseSpeaker): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { text } of input.lines()) {
    const name = parse(text)?.name
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  if (counts.size === 0) throw unreadable(`${input.name}: no line starts with a name, as in "Anna: Hello".`)
  const likely = new Map([...counts].filter(([name, count]) => count > 1 || roleOf(name) !== null))
  return likely.size > 1 ? likely : counts
}
