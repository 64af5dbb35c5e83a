import { z } from 'zod'
import { damagedData, parsePackagedData, readPackagedData } from '../terms/read-packaged-data.ts'
import { STEPS_PER_BIT } from './word-table.ts'

export const CHARACTER_TABLE_FILE = 'character-frequencies-zh.json'

/** The packaged form: characters, the most frequent first, and −log₂ of each one's probability in eighths of a bit, as base64. */
const characterTableSchema = z.object({
  source: z.string(),
  characters: z.string(),
  frequencies: z.string(),
})

/** Probability of a Chinese character in general text. Rare characters are absent. */
export type CharacterTable = ReadonlyMap<string, number>

let loaded: CharacterTable | undefined
/** Returns the packaged character frequencies, read on first use and cached. */
export function embeddedCharacterTable(): CharacterTable {
  return (loaded ??= decodeCharacterTable(readPackagedData(CHARACTER_TABLE_FILE).toString('utf8')))
}

/** Decodes the packaged form. @throws ModelError if the text is not a character table */
export function decodeCharacterTable(text: string): CharacterTable {
  const { characters, frequencies } = parsePackagedData(CHARACTER_TABLE_FILE, text, characterTableSchema)
  const steps = Buffer.from(frequencies, 'base64')
  const list = Array.from(characters)
  if (steps.length !== list.length) throw damagedData(CHARACTER_TABLE_FILE)
  return new Map(list.map((character, index) => [character, 2 ** (-(steps[index] ?? 0) / STEPS_PER_BIT)]))
}
