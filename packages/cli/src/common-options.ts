import { InvalidArgumentError, Option, type Command } from 'commander'
import { PRESET_NAMES, type PresetName } from 'keepsake'
import type { Io } from './io.ts'

/** Options that every command on a database takes. */
export interface CommonOptions {
  readonly db: string
  readonly preset?: PresetName
  readonly json?: boolean
  readonly debug?: boolean
}

/** Options that say whose memory is meant. */
export interface ScopeOptions extends CommonOptions {
  readonly user?: string
  readonly tenant?: string
  readonly agent?: string
  readonly app?: string
}

export const jsonOption = (what = 'one JSON object'): Option =>
  new Option('--json', `print ${what} and nothing else`)
export const debugOption = (): Option => new Option('--debug', 'show the stack of an error')
export const dbOption = ({ env }: Io): Option =>
  new Option('--db <file>', 'the database; also KEEPSAKE_DB').default(env['KEEPSAKE_DB'] || './keepsake.db')
export const tenantOption = ({ env }: Io, what: string): Option =>
  withDefault(new Option('--tenant <name>', `${what}; also KEEPSAKE_TENANT`), env['KEEPSAKE_TENANT'])
export const presetOption = (): Option =>
  new Option('--preset <name>', 'how to remember and forget (default: "keepsake")').choices(PRESET_NAMES)

/** Commander reads the process's own environment; ours comes through `io`. */
const withDefault = (option: Option, value: string | undefined): Option =>
  value ? option.default(value) : option

/** Adds `--db`, `--preset`, `--json` and `--debug`. */
export function withDatabase(command: Command, io: Io, json?: string): Command {
  return command
    .addOption(dbOption(io))
    .addOption(presetOption())
    .addOption(jsonOption(json))
    .addOption(debugOption())
}

/** Adds what {@link withDatabase} does, and `--user`, `--tenant`, `--agent`, `--app`. */
export function withScope(command: Command, io: Io, json?: string): Command {
  const user = new Option('--user <name>', 'whose memory; also KEEPSAKE_USER')
  command
    .addOption(withDefault(user, io.env['KEEPSAKE_USER']))
    .addOption(tenantOption(io, 'the tenant that person belongs to'))
    .option('--agent <name>', 'only what this agent knows')
    .option('--app <name>', 'only what this application knows')
  return withDatabase(command, io, json)
}

/** Reads a whole number within bounds. */
export function wholeNumber(least: number, most: number): (value: string) => number {
  return (value) => {
    const number = Number(value)
    if (value.trim() !== '' && Number.isInteger(number) && number >= least && number <= most) return number
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`)
  }
}

/** Reads a share from 0 to 1. */
export function share(value: string): number {
  const number = Number(value)
  if (value.trim() !== '' && number >= 0 && number <= 1) return number
  throw new InvalidArgumentError('It must be a number from 0 to 1.')
}

/** Reads a date or time as ISO 8601. */
export function time(value: string): Date {
  const at = new Date(value)
  if (/^\d{4}-\d\d-\d\d/.test(value) && !Number.isNaN(at.getTime())) return at
  throw new InvalidArgumentError(
    'It must be a date such as 2026-03-31 or a time such as 2026-03-31T18:00:00Z.',
  )
}

/** Reads a list separated by commas, each of `allowed`. */
export function oneOrMoreOf<Name extends string>(allowed: readonly Name[]): (value: string) => Name[] {
  return (value) =>
    value.split(',').map((part) => {
      const name = allowed.find((one) => one === part.trim())
      if (name === undefined) throw new InvalidArgumentError(`It must be of ${allowed.join(', ')}.`)
      return name
    })
}
