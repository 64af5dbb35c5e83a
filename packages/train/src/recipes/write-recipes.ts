import { stringify } from 'yaml'
import type { Task } from '../examples/example.ts'
import { datasetName } from '../formats/dataset-info.ts'
import { servingNotes } from './serving-notes.ts'
import { PER_DEVICE, type Settings } from './settings.ts'
import {
  axolotlConfig,
  llamaFactoryConfig,
  trlConfig,
  type AxolotlConfig,
  type LlamaFactoryConfig,
  type TrlConfig,
} from './trainer-schemas.ts'

/** What an export holds, as far as recipes depend on it. */
export interface RecipeInput {
  readonly tasks: readonly Task[]
  readonly settings: Settings
  readonly hasSft: boolean
  readonly hasDpo: boolean
  /** Whether there are examples to look at while training. */
  readonly hasValidation: { readonly sft: boolean; readonly dpo: boolean }
  readonly seed: number
}

type Method = 'sft' | 'dpo'

/** Where a trainer leaves what it learned, as seen from the export's folder. */
export function adapterFolder(trainer: string, method: Method): string {
  return `out/${trainer}-${method}`
}

/**
 * Recipes beside an export, by file name: a YAML for each trainer and method, and how what they make is served and used. Checked
 * against the schemas of {@link llamaFactoryConfig} and its neighbours before they are written.
 */
export function writeRecipes(input: RecipeInput): ReadonlyMap<string, string> {
  const methods: Method[] = [
    ...(input.hasSft ? ['sft' as const] : []),
    ...(input.hasDpo ? ['dpo' as const] : []),
  ]
  const files = methods.flatMap((method): [string, string][] => [
    [
      `llama-factory-${method}.yaml`,
      yaml(`llamafactory-cli train recipes/llama-factory-${method}.yaml`, llamaFactory(input, method)),
    ],
    [`axolotl-${method}.yaml`, yaml(`axolotl train recipes/axolotl-${method}.yaml`, axolotl(input, method))],
    [`trl-${method}.yaml`, yaml(`trl ${method} --config recipes/trl-${method}.yaml`, trl(input, method))],
  ])
  return new Map([...files, ['SERVING.md', servingNotes(input)]])
}

function yaml(command: string, config: object): string {
  return `# Run from the export's folder: ${command}
# Its fields and their types were checked against those that the trainer publishes; it was not run by the trainer.
${stringify(config)}`
}

/** Sequences a step, and how many steps of the device they take. */
function accumulation({ batch, dpoBatch }: Settings, method: Method): number {
  return (method === 'sft' ? batch : dpoBatch) / PER_DEVICE
}

function llamaFactory(
  { settings, hasSft, hasValidation, seed }: RecipeInput,
  method: Method,
): LlamaFactoryConfig {
  const isDpo = method === 'dpo'
  return llamaFactoryConfig.parse({
    model_name_or_path: settings.baseModel,
    // Preferences are learned on top of what was taught (COMEDY, section 3.3).
    ...(isDpo && hasSft ? { adapter_name_or_path: adapterFolder('llama-factory', 'sft') } : {}),
    stage: method,
    do_train: true,
    finetuning_type: 'lora',
    lora_rank: settings.loraRank,
    lora_alpha: settings.loraAlpha,
    lora_target: 'all',
    ...(isDpo ? { pref_beta: settings.dpoBeta, pref_loss: 'sigmoid' } : {}),
    dataset_dir: '.',
    dataset: datasetName(method, 'train'),
    ...(hasValidation[method]
      ? {
          eval_dataset: datasetName(method, 'validation'),
          eval_strategy: 'epoch',
          per_device_eval_batch_size: PER_DEVICE,
        }
      : {}),
    template: /qwen/i.test(settings.baseModel) ? 'qwen' : 'default',
    cutoff_len: settings.cutoff,
    output_dir: adapterFolder('llama-factory', method),
    logging_steps: 10,
    save_strategy: 'epoch',
    per_device_train_batch_size: PER_DEVICE,
    gradient_accumulation_steps: accumulation(settings, method),
    learning_rate: settings.learningRate,
    num_train_epochs: settings.epochs,
    lr_scheduler_type: 'cosine',
    warmup_ratio: 0.1,
    bf16: true,
    seed,
    report_to: 'none',
  })
}

function axolotl({ settings, hasSft, hasValidation, seed }: RecipeInput, method: Method): AxolotlConfig {
  const isDpo = method === 'dpo'
  const dataset = (part: string) => ({
    path: `${method}/${part}.jsonl`,
    ds_type: 'json',
    split: 'train',
    type: isDpo ? 'chat_template.default' : 'chat_template',
    field_messages: 'messages',
    message_property_mappings: { role: 'role', content: 'content' },
    ...(isDpo
      ? {
          field_chosen: 'chosen',
          field_rejected: 'rejected',
          roles: { system: ['system'], user: ['user'], assistant: ['assistant'] },
        }
      : { roles_to_train: ['assistant'], train_on_eos: 'turn' }),
  })
  return axolotlConfig.parse({
    base_model: settings.baseModel,
    ...(isDpo && hasSft ? { lora_model_dir: adapterFolder('axolotl', 'sft') } : {}),
    chat_template: 'tokenizer_default',
    ...(isDpo ? { rl: 'dpo', rl_beta: settings.dpoBeta } : {}),
    datasets: [dataset('train')],
    ...(hasValidation[method] ? { test_datasets: [dataset('validation')], eval_strategy: 'epoch' } : {}),
    adapter: 'lora',
    lora_r: settings.loraRank,
    lora_alpha: settings.loraAlpha,
    lora_dropout: 0,
    lora_target_linear: true,
    sequence_len: settings.cutoff,
    micro_batch_size: PER_DEVICE,
    gradient_accumulation_steps: accumulation(settings, method),
    num_epochs: settings.epochs,
    learning_rate: settings.learningRate,
    lr_scheduler: 'cosine',
    warmup_ratio: 0.1,
    optimizer: 'adamw_torch',
    bf16: 'auto',
    gradient_checkpointing: true,
    logging_steps: 10,
    save_strategy: 'epoch',
    output_dir: adapterFolder('axolotl', method),
    seed,
  })
}

function trl({ settings, hasSft, hasValidation, seed }: RecipeInput, method: Method): TrlConfig {
  const isDpo = method === 'dpo'
  return trlConfig.parse({
    model_name_or_path: isDpo && hasSft ? `${adapterFolder('trl', 'sft')}-merged` : settings.baseModel,
    use_peft: true,
    lora_r: settings.loraRank,
    lora_alpha: settings.loraAlpha,
    lora_dropout: 0,
    lora_target_modules: 'all-linear',
    dataset_name: `./trl/${method}`,
    dataset_train_split: 'train',
    ...(hasValidation[method] ? { dataset_test_split: 'validation', eval_strategy: 'epoch' } : {}),
    max_length: settings.cutoff,
    ...(isDpo ? { beta: settings.dpoBeta, loss_type: 'sigmoid' } : { completion_only_loss: true }),
    output_dir: adapterFolder('trl', method),
    per_device_train_batch_size: PER_DEVICE,
    gradient_accumulation_steps: accumulation(settings, method),
    learning_rate: settings.learningRate,
    num_train_epochs: settings.epochs,
    lr_scheduler_type: 'cosine',
    warmup_ratio: 0.1,
    bf16: true,
    gradient_checkpointing: true,
    logging_steps: 10,
    save_strategy: 'epoch',
    seed,
    report_to: 'none',
  })
}
