import {
  promptRunner,
  type LanguageModel,
  type PromptRunnerOptions,
  type Update,
  type Updater,
} from 'keepsake'
import { promptVersion, requestTokens } from 'keepsake/parts'
import { operationsPrompt, type OperationCode } from './operations.ts'

/** What the list may take of a request. */
const LIST_SHARE = 0.5
/** An updater knows no person: all its questions are one account. */
const NOBODY = { tenant: 'default', user: 'updater', agent: null, app: null }

/**
 * An updater that asks a language model of its own MMM's question (prompt `operations`), beside the model that writes replies:
 * one tuned for it, served by vLLM or llama.cpp over OpenAI's interface, say.
 *
 * @param options how it is asked; `windowTokens` is the window it is served with
 * @example
 * const tuned = await openModel('openai-compatible:http://127.0.0.1:8000/v1#mmm-7b')
 * const keepsake = await openMemory({ path: 'memory.db', preset: mmm, updater: updaterAsking(tuned) })
 */
export function updaterAsking(
  model: LanguageModel,
  options: Omit<PromptRunnerOptions, 'model'> = {},
): Updater {
  const ask = promptRunner({ ...options, model }).for('updater', NOBODY)
  return {
    id: `${model.id} ${promptVersion(operationsPrompt)}`,
    listTokens: Math.floor(requestTokens(ask) * LIST_SHARE),
    update: async ({ language, ...input }) =>
      (await ask.ask(operationsPrompt, input, { language })).operations.flatMap(updateOf),
  }
}

/** Codes without words to add, or without a number to touch, say nothing that could be carried out. */
function updateOf({ type, index, content }: OperationCode): Update[] {
  const text = content?.trim() ?? ''
  if (type === 'delete') return index === null ? [] : [{ type, index }]
  if (text === '') return []
  return type === 'modify' && index !== null
    ? [{ type, index, content: text }]
    : [{ type: 'add', content: text }]
}
