import { defineCommand } from '../define-command.ts'
import { openModels } from '../model-options.ts'
import { wholeNumber } from '../read-values.ts'

export const demoCommand = defineCommand({
  name: 'demo',
  summary: 'see it work, in a few seconds',
  description:
    'Remembers, recalls, changes and forgets two included conversations, one English and one Chinese, and explains each step. With --model, that model extracts facts, and the demo reports its calls and tokens.',
  sharedOptions: ['models', 'preset'],
  declare: (command) =>
    command
      .option('--db <file>', 'a new database file (default: in a temporary folder)')
      .option('--no-keep', 'remove the database at the end')
      .option('--ui', 'print nothing; open the demo users in the browser')
      .option('--port <n>', 'with --ui: the port; 0 takes any that is free', wholeNumber(0, 65_535), 0),
  examples: [
    'keepsake demo',
    'keepsake demo --ui',
    'keepsake demo --model openai:gpt-5-mini',
    'keepsake demo --model ollama:qwen3:8b --preset moom --db moom.db',
    'keepsake demo --no-keep --json',
  ],
  run: async ({ io, options }) => {
    const { runDemo, showDemo } = await import('../demo/run-demo.ts')
    await (options.ui === true ? showDemo : runDemo)(io, options, await openModels(io, options))
  },
})
