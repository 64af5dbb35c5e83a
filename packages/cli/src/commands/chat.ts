import { existsSync, readFileSync } from 'node:fs'
import { notFound, wrongUsage } from '../cli-error.ts'
import { READING } from '../chat/end-chat.ts'
import { runChat } from '../chat/run-chat.ts'
import { wholeNumber } from '../read-values.ts'
import { defineCommand } from '../define-command.ts'
import { given } from '../given.ts'
import { MODEL_FORMS_INLINE, openModels } from '../model-options.ts'
import { meetScope, withOpened } from '../open-database.ts'
import { progressFor } from '../output/progress.ts'
import { watchModels } from '../watch-calls.ts'

export const chatCommand = defineCommand({
  name: 'chat',
  summary: 'talk with a model that remembers, or with the memory alone',
  description:
    'Talks with a language model that remembers: it recalls before each reply and learns from the talk, across runs. Shows what it recalled and learned. Without a model nobody replies: what you ask is answered with what was said. A line is a turn; lines can come from a pipe.',
  takes: ['models', 'person', 'db', 'preset'],
  declare: (command) =>
    command
      .option('--session <id>', 'go on with this session, or start it under this name')
      .option('--instructions <text>', 'who the agent is and how it talks; @FILE reads a file')
      .option('--agent <name>', "the agent's name; each agent has a memory of its own")
      .option(
        '--read-every <n>',
        'rounds of talk the model reads at a time (default: 1)',
        wholeNumber(1, 1_000),
      ),
  json: 'one JSON object a line: replies, what was learned',
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
        `--instructions are for a language model: name one with --model (or KEEPSAKE_MODEL): ${MODEL_FORMS_INLINE}.`,
      )
    const instructions = readInstructions(options.instructions)
    const settings = { model, ...given({ agent, session, instructions }) }
    // Who talks wants to see what was learned of it. The default preset waits for many rounds, to save calls; the
    // published ones keep their own cadence.
    const cadence = preset === 'keepsake' ? { readEvery: 1 } : {}
    const opened = await openModels(io, { ...cadence, ...options })
    const progress = progressFor(io, json)
    await withOpened(
      options,
      async (memory) => {
        const scope = await meetScope(memory, options)
        await runChat(io, { memory, scope, settings, progress }, json)
      },
      watchModels(opened, progress, READING),
    )
  },
})

function readInstructions(text: string | undefined): string | undefined {
  if (!text?.startsWith('@')) return text
  const file = text.slice(1)
  if (!existsSync(file)) throw notFound(`There is no file ${file} to read instructions from.`)
  return readFileSync(file, 'utf8')
}
