import { z } from 'zod'

/** An option that does not go with another, or lacks one. */
export class OptionError extends Error {
  override readonly name = 'OptionError'
}

/** A whole number within bounds. */
export function wholeNumber(least: number, most: number): z.ZodNumber {
  const error = `It must be a whole number from ${least} to ${most}.`
  return z.number({ error }).int(error).min(least, error).max(most, error)
}

const SHARE = 'It must be a number from 0 to 1.'
/** A share from 0 to 1. */
export const shareNumber = z.number({ error: SHARE }).min(0, SHARE).max(1, SHARE)

/** One of several names. */
export function oneOf<const Names extends readonly string[]>(
  names: Names,
): z.ZodEnum<{ [Name in Names[number]]: Name }> {
  return z.enum(names, { error: `It must be of ${names.join(', ')}.` })
}

export const seedOption = wholeNumber(0, 0xffff_ffff)
  .default(1)
  .meta({ description: 'seed of what is drawn or generated' })

export const folderOption = z.string().optional().meta({
  value: '<path>',
  description: 'where the files are made; they are removed (default: the temporary folder)',
})

/** The command as it can be given again, of the options that were given. */
export function commandOf(benchmark: string, given: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(given).flatMap(([name, value]): string[] => {
    const flag = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    if (value === undefined) return []
    if (typeof value === 'boolean') return [value ? `--${flag}` : `--no-${flag}`]
    return [`--${flag}`, Array.isArray(value) ? value.join(',') : String(value)]
  })
  return ['keepsake bench', benchmark, ...parts].join(' ')
}
