import { z } from 'zod'

/*
 * What the trainers' configurations may hold, as far as our recipes use it: the names and types of the fields that each trainer publishes in
 * its source. Strict, so that a recipe cannot name a field that is not among them. Where each was read:
 *
 * - LLaMA-Factory: src/llamafactory/hparams/{finetuning,data,model,training}_args.py (commit 00577a85) and examples/train_lora/qwen3_lora_{sft,dpo}.yaml
 * - axolotl: src/axolotl/utils/schemas/{config,datasets,training,peft,model}.py (commit 00564c8f) and docs/rlhf.qmd
 * - TRL: trl/scripts/{sft,dpo}.py with ScriptArguments and ModelConfig, trl/trainer/{sft,dpo}_config.py, on transformers' TrainingArguments
 */

const step = z.enum(['no', 'steps', 'epoch'])
const schedule = z.enum(['linear', 'cosine', 'constant', 'constant_with_warmup'])
const count = z.int().positive()
const rate = z.number().positive()

/** A YAML for `llamafactory-cli train`. */
export const llamaFactoryConfig = z.strictObject({
  model_name_or_path: z.string(),
  adapter_name_or_path: z.string().optional(),
  stage: z.enum(['pt', 'sft', 'rm', 'ppo', 'dpo', 'kto']),
  do_train: z.boolean(),
  finetuning_type: z.enum(['lora', 'oft', 'freeze', 'full']),
  lora_rank: count,
  lora_alpha: count,
  lora_target: z.string(),
  pref_beta: rate.optional(),
  pref_loss: z.enum(['sigmoid', 'hinge', 'ipo', 'kto_pair', 'orpo', 'simpo']).optional(),
  dataset_dir: z.string(),
  dataset: z.string(),
  eval_dataset: z.string().optional(),
  template: z.string(),
  cutoff_len: count,
  output_dir: z.string(),
  logging_steps: count,
  save_strategy: step,
  eval_strategy: step.optional(),
  per_device_train_batch_size: count,
  per_device_eval_batch_size: count.optional(),
  gradient_accumulation_steps: count,
  learning_rate: rate,
  num_train_epochs: rate.optional(),
  max_steps: count.optional(),
  lr_scheduler_type: schedule,
  warmup_ratio: z.number().min(0).max(1),
  bf16: z.boolean(),
  seed: z.int(),
  report_to: z.string(),
})

const axolotlDataset = z.strictObject({
  path: z.string(),
  ds_type: z.enum(['json', 'csv', 'parquet', 'arrow', 'text']),
  split: z.string(),
  type: z.enum(['chat_template', 'chat_template.default']),
  field_messages: z.string(),
  field_chosen: z.string().optional(),
  field_rejected: z.string().optional(),
  message_property_mappings: z.record(z.string(), z.string()),
  roles: z.record(z.string(), z.array(z.string())).optional(),
  roles_to_train: z.array(z.string()).optional(),
  train_on_eos: z.enum(['all', 'turn', 'last']).optional(),
})

/** A YAML for `axolotl train`. */
export const axolotlConfig = z.strictObject({
  base_model: z.string(),
  lora_model_dir: z.string().optional(),
  chat_template: z.string(),
  rl: z.enum(['dpo', 'ipo', 'orpo', 'kto', 'grpo', 'simpo']).optional(),
  rl_beta: rate.optional(),
  datasets: z.array(axolotlDataset).min(1),
  test_datasets: z.array(axolotlDataset).optional(),
  adapter: z.enum(['lora', 'qlora', 'llama-adapter']),
  lora_r: count,
  lora_alpha: count,
  lora_dropout: z.number().min(0).max(1),
  lora_target_linear: z.boolean(),
  sequence_len: count,
  micro_batch_size: count,
  gradient_accumulation_steps: count,
  num_epochs: rate.optional(),
  max_steps: count.optional(),
  learning_rate: rate,
  lr_scheduler: schedule,
  warmup_ratio: z.number().min(0).max(1),
  optimizer: z.string(),
  bf16: z.union([z.boolean(), z.literal('auto')]),
  gradient_checkpointing: z.boolean(),
  logging_steps: count,
  save_strategy: step,
  eval_strategy: step.optional(),
  output_dir: z.string(),
  seed: z.int(),
})

/** A YAML for `trl sft --config` or `trl dpo --config`. */
export const trlConfig = z.strictObject({
  model_name_or_path: z.string(),
  use_peft: z.boolean(),
  lora_r: count,
  lora_alpha: count,
  lora_dropout: z.number().min(0).max(1),
  lora_target_modules: z.union([z.string(), z.array(z.string())]),
  dataset_name: z.string(),
  dataset_train_split: z.string(),
  dataset_test_split: z.string().optional(),
  max_length: count,
  completion_only_loss: z.boolean().optional(),
  beta: rate.optional(),
  loss_type: z.string().optional(),
  output_dir: z.string(),
  per_device_train_batch_size: count,
  gradient_accumulation_steps: count,
  learning_rate: rate,
  num_train_epochs: rate.optional(),
  max_steps: count.optional(),
  lr_scheduler_type: schedule,
  warmup_ratio: z.number().min(0).max(1),
  bf16: z.boolean(),
  gradient_checkpointing: z.boolean(),
  logging_steps: count,
  save_strategy: step,
  eval_strategy: step.optional(),
  seed: z.int(),
  report_to: z.string(),
})

export type LlamaFactoryConfig = z.infer<typeof llamaFactoryConfig>
export type AxolotlConfig = z.infer<typeof axolotlConfig>
export type TrlConfig = z.infer<typeof trlConfig>
