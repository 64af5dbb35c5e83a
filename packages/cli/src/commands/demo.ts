import { Command } from 'commander'
import type { PresetName } from 'keepsake'
import { debugOption, jsonOption, presetOption } from '../common-options.ts'
import { runDemo } from '../demo/run-demo.ts'
import { examples } from '../examples-help.ts'
import type { Io } from '../io.ts'
import { openModels, withModels, type ModelOptions } from '../model-options.ts'

interface Options extends ModelOptions {
  readonly db?: string
  readonly keep: boolean
  readonly json?: boolean
  readonly preset?: PresetName
}

export function demoCommand(io: Io): Command {
  const command = new Command('demo')
    .summary('see it work, in a few seconds')
    .description(
      'Remembers, recalls, changes and forgets two conversations that come with it, one English and one Chinese, and says how. With --model, that model reads them, and the calls and tokens it took are told.',
    )
    .option('--db <file>', 'a new file for it (default: one in a temporary folder)')
    .option('--no-keep', 'remove the database at the end')
    .addOption(presetOption())
    .addOption(jsonOption())
    .addOption(debugOption())
  return withModels(command, io)
    .addHelpText(
      'after',
      examples(
        'keepsake demo',
        'keepsake demo --model openai:gpt-5-mini',
        'keepsake demo --model ollama:qwen3:8b --preset moom --db moom.db',
        'keepsake demo --no-keep --json',
      ),
    )
    .action(async (options: Options) => {
      const { db, keep, json, preset, model } = options
      await runDemo(io, {
        keep,
        json: json === true,
        models: await openModels(io, options),
        ...(db === undefined ? {} : { db }),
        ...(preset === undefined ? {} : { preset }),
        ...(model === undefined ? {} : { model }),
      })
    })
}
