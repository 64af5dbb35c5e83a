import { defineCommand } from '../define-command.ts'
import { serveInspector } from '../inspecting/serve-inspector.ts'
import { openModels } from '../model-options.ts'
import { shownDb, withExisting } from '../open-database.ts'
import { wholeNumber } from '../read-values.ts'

export const inspectCommand = defineCommand({
  name: 'inspect',
  summary: 'view, search and correct memories in the browser',
  description:
    'Opens a database in the browser: users, memories, their evidence and history, with corrections. It listens only on this machine until you stop it (Ctrl-C). The address that it prints contains the key.',
  sharedOptions: ['models', 'db', 'preset'],
  declare: (command) =>
    command
      .argument('[file]', 'the database (default: --db)')
      .option('--port <n>', 'the port; 0 takes any that is free', wholeNumber(0, 65_535), 0)
      .option('--read-only', 'allow no changes in the page'),
  json: 'its address as one JSON object',
  examples: [
    'keepsake inspect memory.db',
    'keepsake inspect memory.db --read-only',
    'keepsake inspect --port 4151',
  ],
  async run({ io, options }, file) {
    const { port, json, readOnly = false } = options
    const db = file ?? options.db
    const models = await openModels(io, options)
    await withExisting(
      { ...options, db },
      (keepsake) =>
        serveInspector(io, keepsake, { db: shownDb(db), port, json, model: models.model, readOnly }),
      models,
    )
  },
})
