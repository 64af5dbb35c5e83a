import { z } from 'zod'
import { damagedData, parsePackagedData, readPackagedData } from './read-packaged-data.ts'

export const TRADITIONAL_CHARACTERS_FILE = 'traditional-characters.json'

const tableSchema = z.object({ source: z.string(), traditional: z.string(), simplified: z.string() })

/** Matches the range in which the characters of the table lie. Most texts have no such character and need no lookup. */
const MAY_BE_HAN = /[\u3400-\uffff]/

/** The simplified character by UTF-16 unit, or 0 if the unit does not change. */
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
 * Writes Traditional Chinese in simplified characters, one for one, so that offsets stay valid. Rules read texts in this form. Users see
 * them as they were written.
 *
 * @throws ModelError on the first Chinese text if the packaged table is missing or damaged
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

/**
 * Writes a text in the characters of its source.
 *
 * @param text a text in simplified characters, such as a value that a rule found
 * @param words the words, as they were written, from which the text was read
 */
export function writeAsSaid(text: string, words: string): string {
  const simplified = simplifyChinese(words)
  if (simplified === words) return text
  const index = simplified.indexOf(text)
  if (index >= 0) return words.slice(index, index + text.length)
  const originals = Array.from(words)
  const originalOf = new Map(Array.from(simplified, (character, i) => [character, originals[i] ?? character]))
  return Array.from(text, (character) => originalOf.get(character) ?? character).join('')
}
