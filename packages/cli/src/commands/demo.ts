import { defineCommand } from '../define-command.ts'
import { wholeNumber } from '../read-values.ts'

export const demoCommand = defineCommand({
  name: 'demo',
  summary: 'a demonstration of a few seconds',
  description:
    'Remembers, recalls, changes and forgets two included conversations, one English and one Chinese, and explains each step.',
  sharedOptions: [],
  declare: (command) =>
    command
      .option('--db <file>', 'a new database file (default: in a temporary folder)')
      .option('--ui', 'print nothing, and open the demo users in the browser')
      .option('--port <n>', 'with --ui: the port; 0 takes any that is free', wholeNumber(0, 65_535), 0),
  examples: ['keepsake demo', 'keepsake demo --ui', 'keepsake demo --db demo.db'],
  run: async ({ io, options }) => {
    const { runDemo, showDemo } = await import('../demo/run-demo.ts')
    await (options.ui === true ? showDemo : runDemo)(io, options)
  },
})
