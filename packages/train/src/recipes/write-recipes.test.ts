import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { BASE_MODEL, settingsFor } from './settings.ts'
import { axolotlConfig, llamaFactoryConfig, trlConfig } from './trainer-schemas.ts'
import { writeRecipes } from './write-recipes.ts'

const recipes = writeRecipes({
  tasks: ['operations', 'reply-dpo'],
  settings: settingsFor(['operations', 'reply-dpo'], 900, BASE_MODEL),
  hasSft: true,
  hasDpo: true,
  hasValidation: { sft: true, dpo: false },
  seed: 7,
})
const read = (name: string): unknown => parse(recipes.get(name) ?? '')

describe('recipes', () => {
  it('are what each trainer’s published schema takes, and name the command that runs them', () => {
    for (const method of ['sft', 'dpo'] as const) {
      llamaFactoryConfig.parse(read(`llama-factory-${method}.yaml`))
      axolotlConfig.parse(read(`axolotl-${method}.yaml`))
      trlConfig.parse(read(`trl-${method}.yaml`))
      expect(recipes.get(`axolotl-${method}.yaml`)).toContain(`axolotl train recipes/axolotl-${method}.yaml`)
    }
  })

  it('have the papers’ settings in each trainer’s own words', () => {
    expect(read('llama-factory-sft.yaml')).toMatchObject({
      lora_rank: 8,
      lora_alpha: 32,
      learning_rate: 1e-5,
      num_train_epochs: 2,
      cutoff_len: 2048,
      model_name_or_path: 'Qwen/Qwen2.5-7B-Instruct',
      dataset: 'keepsake_sft_train',
      eval_dataset: 'keepsake_sft_validation',
    })
    expect(read('axolotl-sft.yaml')).toMatchObject({ lora_r: 8, lora_alpha: 32, learning_rate: 1e-5 })
    expect(read('trl-sft.yaml')).toMatchObject({ lora_r: 8, lora_alpha: 32, completion_only_loss: true })
    expect(read('llama-factory-dpo.yaml')).toMatchObject({
      stage: 'dpo',
      pref_beta: 0.1,
      pref_loss: 'sigmoid',
    })
    expect(read('axolotl-dpo.yaml')).toMatchObject({ rl: 'dpo', rl_beta: 0.1 })
    expect(read('trl-dpo.yaml')).toMatchObject({ beta: 0.1, dataset_name: './trl/dpo' })
  })

  it('learn from batches of the papers’ size: 32 to imitate, 8 of pairs, 64 for snapshots alone', () => {
    const batchOf = (name: string): number => {
      const { per_device_train_batch_size: each, gradient_accumulation_steps: steps } =
        llamaFactoryConfig.parse(read(name))
      return each * steps
    }
    expect([batchOf('llama-factory-sft.yaml'), batchOf('llama-factory-dpo.yaml')]).toEqual([32, 8])
    expect(settingsFor(['persona-snapshot'], 900, BASE_MODEL).batch).toBe(64)
  })

  it('learn preferences on top of what was taught, where there is both', () => {
    expect(read('llama-factory-dpo.yaml')).toMatchObject({ adapter_name_or_path: 'out/llama-factory-sft' })
    expect(read('axolotl-dpo.yaml')).toMatchObject({ lora_model_dir: 'out/axolotl-sft' })
  })

  it('do not look at examples that are not there', () => {
    expect(read('trl-dpo.yaml')).not.toHaveProperty('dataset_test_split')
    expect(read('axolotl-dpo.yaml')).not.toHaveProperty('test_datasets')
  })

  it('have room for the longest example', () => {
    expect(settingsFor(['compression'], 5000, BASE_MODEL).cutoff).toBe(8192)
  })

  it('say how the model is served, and give the line by which it is used', () => {
    const serving = recipes.get('SERVING.md') ?? ''
    expect(serving).toContain(`vllm serve ${BASE_MODEL} --enable-lora --max-lora-rank 8`)
    expect(serving).toContain('keepsake-tuned=out/llama-factory-dpo')
    const tuned = 'openai-compatible:http://localhost:8000/v1#keepsake-tuned'
    expect(serving).toContain(`--preset mmm --model openai:gpt-5-mini --model-for extraction=${tuned}`)
    expect(serving).toContain(`--preset comedy --model openai:gpt-5-mini --model-for reply=${tuned}`)
    expect(serving).toContain("preset: 'comedy', model, models: { reply: tuned }")
  })
})
