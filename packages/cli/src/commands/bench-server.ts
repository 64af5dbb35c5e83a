import type { LoadSettingName } from '@keepsake/bench'
import { Command, InvalidArgumentError } from 'commander'
import { debugOption, jsonOption, oneOrMoreOf, share, wholeNumber } from '../common-options.ts'
import { CliError, wrongUsage } from '../cli-error.ts'
import { examples } from '../examples-help.ts'
import { EXIT } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { showReport } from '../output/format-report.ts'
import { print, printJson } from '../output/print.ts'
import { stepsFor } from '../output/progress.ts'

interface Options {
  readonly scopes?: number
  readonly memories?: number
  readonly seconds?: number
  readonly recallShare?: number
  readonly rate?: number
  readonly settings?: LoadSettingName[]
  readonly kills?: number
  readonly seed?: number
  readonly folder?: string
  readonly json?: boolean
}

const MOST = 1_000_000
const SETTINGS = ['default', 'roomy', 'normal', 'unreinforced'] as const satisfies readonly LoadSettingName[]

/** Options of the load run, which `--kills` replaces. */
const LOAD_OPTIONS = ['scopes', 'memories', 'seconds', 'recallShare', 'rate', 'settings'] as const

/** `keepsake bench server`: a server under load, or killed again and again. */
export function benchServerCommand(io: Io): Command {
  return new Command('server')
    .description(
      'Asks a server, in a process of its own on loopback, as much as it takes and then at half that rate, beside the same calls of the library. With --kills it is killed in the middle of requests instead, and what it had acknowledged is looked for. Takes minutes.',
    )
    .option(
      '--scopes <n>',
      'people who ask at a time, each over a connection (default: 200)',
      wholeNumber(1, 10_000),
    )
    .option('--memories <n>', 'turns told each of them before (default: 1000)', wholeNumber(1, MOST))
    .option('--seconds <n>', 'how long each run takes (default: 60)', wholeNumber(1, 86_400))
    .option('--recall-share <share>', 'how many calls recall; the others remember (default: 0.8)', share)
    .option('--rate <n>', 'calls a second of the second run (default: half of what the first came to)', rate)
    .option(
      '--settings <list>',
      'of default, roomy (caches of 1 GiB), normal (those, and --synchronous normal), unreinforced (those, and recalls strengthen nothing) (default: default)',
      oneOrMoreOf(SETTINGS),
    )
    .option('--kills <n>', 'kill it so often instead, while it writes', wholeNumber(1, 10_000))
    .option('--seed <n>', 'seed of the generated text (default: 1)', wholeNumber(0, MOST))
    .option('--folder <path>', 'where the files are made; they are removed (default: the temporary folder)')
    .addOption(jsonOption())
    .addOption(debugOption())
    .addHelpText(
      'after',
      examples(
        'keepsake bench server --scopes 20 --memories 100 --seconds 10',
        'keepsake bench server --settings default,normal --json',
        'keepsake bench server --kills 100',
      ),
    )
    .action((options: Options) => (options.kills === undefined ? load(io, options) : kill(io, options)))
}

function rate(value: string): number {
  const number = Number(value)
  if (value.trim() !== '' && number > 0 && number <= MOST) return number
  throw new InvalidArgumentError(`It must be a number above 0, and no more than ${MOST}.`)
}

async function load(io: Io, { json, ...options }: Options): Promise<void> {
  const { benchServer, renderServer } = await import('@keepsake/bench')
  const report = await benchServer({ ...options, onProgress: stepsFor(io, json === true).say })
  if (json === true) printJson(io, report)
  else print(io, renderServer(report).trimEnd())
}

async function kill(io: Io, options: Options): Promise<void> {
  const { kills, seed, folder, json } = options
  const given = LOAD_OPTIONS.find((name) => options[name] !== undefined)
  if (given !== undefined)
    throw wrongUsage(
      `--${given.replace('recallShare', 'recall-share')} is of the load run: leave it out, or leave out --kills.`,
    )
  const { benchServerKills } = await import('@keepsake/bench')
  const report = await benchServerKills({
    ...(kills === undefined ? {} : { kills }),
    ...(seed === undefined ? {} : { seed }),
    ...(folder === undefined ? {} : { folder }),
    onProgress: stepsFor(io, json === true).say,
  })
  showReport(io, report, json === true)
  const { lost, doubled, returned, replayed_otherwise: otherwise, erased_in_files: inFiles } = report.metrics
  if (lost + doubled + returned + otherwise + inFiles > 0)
    throw new CliError(
      `The server did not keep its word: ${lost} acknowledged writes lost, ${doubled} doubled, ${returned + inFiles} erased ones there.`,
      EXIT.failure,
    )
}
