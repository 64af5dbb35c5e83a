import { existsSync, readFileSync } from 'node:fs'
import { given } from '@keepsake/text/names'
import { runChat } from '../chat/run-chat.ts'
import { notFound, wrongUsage } from '../cli-error.ts'
import { defineCommand } from '../define-command.ts'
import { loadModels } from '../load-package.ts'
import { MODEL_FORMS_INLINE, openModels } from '../model-options.ts'
import { findOrCreateScope, withOpened } from '../open-database.ts'
import { progressFor } from '../output/progress.ts'

export const chatCommand = defineCommand({
  name: 'chat',
  summary: 'chat with a model that remembers, or with the memory alone',
  description:
    'Chats with a language model that remembers: it recalls before each reply and learns from the conversation, across runs. Shows what it recalled and learned. Without a model there are no replies: questions are answered with earlier messages. Each line is a turn; lines can come from a pipe.',
  sharedOptions: ['models', 'person', 'db', 'preset'],
  declare: (command) =>
    command
      .option('--session <id>', 'continue this session, or start it under this name')
      .option('--instructions <text>', 'instructions for the agent; @FILE reads a file')
      .option('--agent <name>', "the agent's name; each agent has its own memory"),
  json: 'one JSON object per line: replies and what was learned',
  examples: [
    'keepsake chat --model ollama:qwen3:8b --user maya',
    'keepsake chat --model openai:gpt-5-mini --user maya --agent Juno --instructions @juno.txt',
    'echo "Where did I leave my bike?" | keepsake chat --user maya --json',
    'keepsake chat --user maya   # no model: it recalls, and shows what it learned',
  ],
  async run({ io, options }) {
    const { model = null, agent, session, preset = 'keepsake', json = false } = options
    if (model === null && options.instructions !== undefined)
      throw wrongUsage(
        `--instructions need a language model: set --model (or KEEPSAKE_MODEL): ${MODEL_FORMS_INLINE}.`,
      )
    const instructions = readInstructions(options.instructions)
    const unreachable = model === null ? null : await (await loadModels()).whyUnreachable(model)
    const settings = {
      model,
      ...given({ agent, session, instructions, unreachable: unreachable ?? undefined }),
    }
    // The default preset waits for several exchanges to save calls, but a chat should show learned facts at once. Published presets keep
    // their own schedule.
    const schedule = preset === 'keepsake' ? { exchangesPerExtraction: 1 } : {}
    const opened = await openModels(io, { ...schedule, ...options })
    const progress = progressFor(io, json)
    await withOpened(
      options,
      async (memory) => {
        const scope = await findOrCreateScope(memory, options)
        await runChat(io, { memory, scope, settings, progress }, json)
      },
      opened,
    )
  },
})

function readInstructions(text: string | undefined): string | undefined {
  if (!text?.startsWith('@')) return text
  const file = text.slice(1)
  if (!existsSync(file)) throw notFound(`There is no file ${file} to read instructions from.`)
  return readFileSync(file, 'utf8')
}
