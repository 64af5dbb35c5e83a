import { defineCommand } from '../define-command.ts'
import { openModels } from '../model-options.ts'

export const demoCommand = defineCommand({
  name: 'demo',
  summary: 'see it work, in a few seconds',
  description:
    'Remembers, recalls, changes and forgets two conversations that come with it, one English and one Chinese, and says how. With --model, that model reads them, and the calls and tokens it took are told.',
  takes: ['models', 'preset'],
  declare: (command) =>
    command
      .option('--db <file>', 'a new file for it (default: one in a temporary folder)')
      .option('--no-keep', 'remove the database at the end')
      .option('--ui', 'tell nothing: open the people of the demo in the browser'),
  examples: [
    'keepsake demo',
    'keepsake demo --ui',
    'keepsake demo --model openai:gpt-5-mini',
    'keepsake demo --model ollama:qwen3:8b --preset moom --db moom.db',
    'keepsake demo --no-keep --json',
  ],
  run: async ({ io, options }) => {
    const tell =
      options.ui === true
        ? (await import('../demo/show-demo.ts')).showDemo
        : (await import('../demo/run-demo.ts')).runDemo
    await tell(io, options, await openModels(io, options))
  },
})
