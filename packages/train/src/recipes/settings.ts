import type { Task } from '../examples/example.ts'

/** What the papers say of training, and where. Whatever they do not say is marked as ours. */
export interface Settings {
  readonly baseModel: string
  /** MMM, section 2.1: rank 8, α 32. */
  readonly loraRank: number
  readonly loraAlpha: number
  /** COMEDY, section 4.2, and MOOM, appendix C: 1e-5. */
  readonly learningRate: number
  /** COMEDY, section 4.2: 2, for SFT and DPO. */
  readonly epochs: number
  /** Sequences a step. COMEDY: 32 for 7B, 16 for 13B, 8 for DPO; MOOM: 64. */
  readonly batch: number
  readonly dpoBatch: number
  /** COMEDY, section 4.2: 0.1. */
  readonly dpoBeta: number
  /** Longest example, in tokens. COMEDY: 2,048; more where an export needs it. */
  readonly cutoff: number
}

/** MMM tunes a Qwen2.5 of 7B; the chat form of it, since the engine talks to chat models. */
export const BASE_MODEL = 'Qwen/Qwen2.5-7B-Instruct'
const CUTOFF_OF_COMEDY = 2_048
/** Sequences on the device at once; the rest of a batch is accumulated. Ours. */
export const PER_DEVICE = 1

/**
 * @param longest example of the export, in estimated tokens
 */
export function settingsFor(tasks: readonly Task[], longest: number, baseModel: string): Settings {
  const isSnapshotAlone = tasks.length === 1 && tasks[0] === 'persona-snapshot'
  let cutoff = CUTOFF_OF_COMEDY
  while (cutoff < longest) cutoff *= 2
  return {
    baseModel,
    loraRank: 8,
    loraAlpha: 32,
    learningRate: 1e-5,
    epochs: 2,
    batch: isSnapshotAlone ? 64 : 32,
    dpoBatch: 8,
    dpoBeta: 0.1,
    cutoff,
  }
}
