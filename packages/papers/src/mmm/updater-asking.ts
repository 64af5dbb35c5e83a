// Makes an updater of the paper MMM from a separate language model.
import type { LanguageModel } from 'keepsake'
import { promptRunner, requestTokens } from 'keepsake/model'
import type { PromptRunnerOptions, Update, Updater } from 'keepsake/model'
import { askGuided, promptVersion } from 'keepsake/preset'
import { operationsPrompt, type OperationCode } from './operations.ts'

const NO_GUIDELINES = { keep: [], never: [] }
/** Maximum share of a request that the list of memories takes. The rest is for the rules and the turns. */
const LIST_SHARE = 0.5
/** The scope of all calls, because the updater does not know the user. */
const UPDATER_SCOPE = { tenant: 'default', user: 'updater', agent: null, app: null }

/**
 * Makes an updater that sends MMM's prompt (`operations`) to a separate language model. It can be a tuned model that vLLM or
 * llama.cpp serves over OpenAI's interface.
 *
 * @param options the limits of its calls; `windowTokens` is the window it is served with
 * @example
 * const tuned = await openModel('openai-compatible:http://127.0.0.1:8000/v1#mmm-7b')
 * const keepsake = await openMemory({ path: 'memory.db', preset: mmm, updater: updaterAsking(tuned) })
 */
export function updaterAsking(
  model: LanguageModel,
  options: Omit<PromptRunnerOptions, 'model'> = {},
): Updater {
  const ask = promptRunner({ ...options, model }).for('updater', UPDATER_SCOPE)
  return {
    id: `${model.id} ${promptVersion(operationsPrompt)}`,
    listTokens: Math.floor(requestTokens(ask) * LIST_SHARE),
    update: async ({ language, guidelines = NO_GUIDELINES, ...input }) => {
      const { operations } = await askGuided(ask, guidelines).ask(operationsPrompt, input, { language })
      return operations.flatMap(updateOf)
    },
  }
}

/** Converts an operation of the answer. Returns none for an addition without a text, or a deletion without the number of a memory. */
export function updateOf({ type, index, content }: OperationCode): Update[] {
  const text = content?.trim() ?? ''
  if (type === 'delete') return index === null ? [] : [{ type, index }]
  if (text === '') return []
  return type === 'modify' && index !== null
    ? [{ type, index, content: text }]
    : [{ type: 'add', content: text }]
}
