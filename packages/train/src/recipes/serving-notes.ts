import type { ModelTask } from 'keepsake'
import type { PresetName } from '@keepsake/papers'
import type { Task } from '../examples/example.ts'
import type { RecipeInput } from './write-recipes.ts'

/** Which preset asks what a task teaches, and what the engine calls that kind of question. */
const USED_BY: Readonly<Record<Task, readonly [preset: PresetName, model: ModelTask]>> = {
  'persona-snapshot': ['moom', 'extraction'],
  operations: ['mmm', 'extraction'],
  'session-memory': ['comedy', 'summary'],
  compression: ['comedy', 'portrait'],
  reply: ['comedy', 'reply'],
  'reply-dpo': ['comedy', 'reply'],
}

/** Stands for whichever model does the rest. */
const OTHER = 'openai:gpt-5-mini'
/** Name under which the adapter is served. */
const SERVED = 'keepsake-tuned'

/** How what was trained is served by vLLM, and the line by which Keepsake uses it. */
export function servingNotes({ tasks, settings, hasSft, hasDpo }: RecipeInput): string {
  const method = hasDpo ? 'dpo' : 'sft'
  return `# From this export to a model that Keepsake uses

All commands run in the folder of the export. Try the data first, on any machine with PyTorch and without a download:

    python3 recipes/smoke.py${hasSft ? '' : ' --method dpo'}

## Train

One of the three, whichever you have:

${(['llama-factory', 'axolotl', 'trl'] as const).map((trainer) => trainingLines(trainer, { hasSft, hasDpo })).join('\n')}

Settings: LoRA of rank ${settings.loraRank} and α ${settings.loraAlpha} (MMM), learning rate ${settings.learningRate} and ${settings.epochs} epochs (COMEDY; MOOM the same rate), DPO with β ${settings.dpoBeta}
(COMEDY), ${settings.cutoff} tokens an example (COMEDY 2048; more where an example of this export is longer). COMEDY and MOOM train all weights, MMM a LoRA without naming its rate:
with a LoRA, 1e-5 learns slowly. If the loss hardly falls, 1e-4 is what LoRA's own recipes use.

## Serve

    vllm serve ${settings.baseModel} --enable-lora --max-lora-rank ${settings.loraRank} \\
      --lora-modules ${SERVED}=out/llama-factory-${method} --max-model-len ${settings.cutoff * 2}

After axolotl the adapter lies in \`out/axolotl-${method}\`, after TRL in \`out/trl-${method}\`${hasSft && hasDpo ? ', whose base is then `out/trl-sft-merged`' : ''}.

## Use

${usingLines(tasks)}

Judge it before you use it: docs/training.md says how, on the people of \`test\`, whom nothing here was learned from.
`
}

/** The tuned model for what it learned, another one for the rest. */
function usingLines(tasks: readonly Task[]): string {
  const model = `openai-compatible:http://localhost:8000/v1#${SERVED}`
  const presets = [...new Set(tasks.map((task) => USED_BY[task][0]))]
  const asksOf = (preset: PresetName): ModelTask[] => [
    ...new Set(tasks.flatMap((task) => (USED_BY[task][0] === preset ? [USED_BY[task][1]] : []))),
  ]
  return `The tuned model is asked what it learned, another one the rest. On the command line:

${presets.map((preset) => commandLine(preset, asksOf(preset), model)).join('\n')}

In a program:

    import { openMemory } from 'keepsake'
    import { openModel } from '@keepsake/models'
    const tuned = await openModel('${model}')
    const model = await openModel('${OTHER}')
${presets.map((preset) => programLine(preset, asksOf(preset))).join('\n')}`
}

function commandLine(preset: PresetName, asks: readonly ModelTask[], model: string): string {
  const tuned = asks.map((ask) => ` --model-for ${ask}=${model}`).join('')
  return `    keepsake chat --preset ${preset} --model ${OTHER}${tuned}`
}

function programLine(preset: PresetName, asks: readonly ModelTask[]): string {
  const models = asks.map((ask) => `${ask}: tuned`).join(', ')
  return `    const ${preset} = await openMemory({ path: '${preset}.db', preset: '${preset}', model, models: { ${models} } })`
}

function trainingLines(
  trainer: 'llama-factory' | 'axolotl' | 'trl',
  { hasSft, hasDpo }: Pick<RecipeInput, 'hasSft' | 'hasDpo'>,
): string {
  const commandOf = (method: 'sft' | 'dpo'): string =>
    ({
      'llama-factory': `llamafactory-cli train recipes/llama-factory-${method}.yaml`,
      axolotl: `axolotl train recipes/axolotl-${method}.yaml`,
      trl: `trl ${method} --config recipes/trl-${method}.yaml`,
    })[trainer]
  const merge =
    trainer === 'trl' && hasSft && hasDpo
      ? [
          "python3 -c \"from peft import AutoPeftModelForCausalLM as M; M.from_pretrained('out/trl-sft').merge_and_unload().save_pretrained('out/trl-sft-merged')\"",
        ]
      : []
  const commands = [...(hasSft ? [commandOf('sft')] : []), ...merge, ...(hasDpo ? [commandOf('dpo')] : [])]
  return commands.map((command) => `    ${command}`).join('\n')
}
