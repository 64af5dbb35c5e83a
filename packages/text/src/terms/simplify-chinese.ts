import { z } from 'zod'
import { damagedData, parsePackagedData, readPackagedData } from './read-packaged-data.ts'

export const TRADITIONAL_CHARACTERS_FILE = 'traditional-characters.json'

const tableSchema = z.object({ source: z.string(), traditional: z.string(), simplified: z.string() })

/** Matches the characters from which those of the table begin. Most texts have none and need no lookup. */
const MAY_BE_HAN = /[\u3400-\uffff]/

/** By UTF-16 unit the simplified character; 0 where the unit stands for itself. */
let loaded: Uint16Array | undefined

function simplifiedUnits(): Uint16Array {
  if (loaded !== undefined) return loaded
  const file = readPackagedData(TRADITIONAL_CHARACTERS_FILE).toString('utf8')
  const { traditional, simplified } = parsePackagedData(TRADITIONAL_CHARACTERS_FILE, file, tableSchema)
  if (traditional.length !== simplified.length) throw damagedData(TRADITIONAL_CHARACTERS_FILE)
  const units = new Uint16Array(1 << 16)
  for (let index = 0; index < traditional.length; index += 1)
    units[traditional.charCodeAt(index)] = simplified.charCodeAt(index)
  return (loaded = units)
}

/**
 * Writes Traditional Chinese in simplified characters, one for one, so that offsets stay valid. Texts are read so; what is shown stays
 * as it was written.
 *
 * @throws ModelError on the first Chinese text when the packaged table is missing or damaged.
 * @example
 * simplifyChinese('我對花生過敏') // '我对花生过敏'
 */
export function simplifyChinese(text: string): string {
  if (!MAY_BE_HAN.test(text)) return text
  const units = simplifiedUnits()
  let simplified = ''
  let from = 0
  for (let index = 0; index < text.length; index += 1) {
    const other = units[text.charCodeAt(index)] ?? 0
    if (other === 0) continue
    simplified += text.slice(from, index) + String.fromCharCode(other)
    from = index + 1
  }
  return from === 0 ? text : simplified + text.slice(from)
}

/** Gives a text read from simplified words the characters in which those words were written. */
export function writeAsSaid(text: string, words: string): string {
  const read = simplifyChinese(words)
  if (read === words) return text
  const at = read.indexOf(text)
  if (at >= 0) return words.slice(at, at + text.length)
  const said = Array.from(words)
  const written = new Map(Array.from(read, (character, index) => [character, said[index] ?? character]))
  return Array.from(text, (character) => written.get(character) ?? character).join('')
}
