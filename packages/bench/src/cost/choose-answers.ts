import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ModelError, type LanguageModel } from 'keepsake'
import { type PresetName } from '@keepsake/papers'
import type { RecordingHeader } from '../recordings/recording.ts'
import { replayOrRecord } from '../recordings/replay-or-record.ts'
import { replayingModel } from '../recordings/replaying-model.ts'

/** Presets that never call a language model. */
const WITHOUT_MODEL: readonly PresetName[] = ['naive-rag', 'first-in-first-out']

/** The source of a model's answers: a recording, or a model whose answers may be recorded. */
export type AnswerSource =
  | {
      readonly kind: 'recorded'
      /** A `.jsonl` file, or a folder of them named after the presets. */
      readonly path: string
    }
  | {
      readonly kind: 'model'
      readonly model: LanguageModel
      /** Where to record answers, in the form of `path`. Requests that are recorded there are not sent again. */
      readonly record?: string
    }

/** The model with which a preset is measured. */
export interface PresetModel {
  readonly model: LanguageModel
  /** Whether answers come from a recording. */
  readonly isReplayed: boolean
  /** Whether the preset calls a language model at all. */
  readonly asksModel: boolean
  /** The header of the recording, which says what was recorded. */
  readonly about: RecordingHeader['about']
  /** Prompts of requests without a recorded answer. */
  missing(): readonly string[]
  /** Marks the run as complete. */
  done(): void
}

/** Returns the folder of the answers that are shipped for a talk. */
export function shippedAnswers(talk: string): string {
  return fileURLToPath(new URL(`../../data/answers/${talk}`, import.meta.url))
}

/** Returns the file of a preset's answers. */
export function answerFile(path: string, preset: PresetName): string {
  return path.endsWith('.jsonl') ? path : join(path, `${preset}.jsonl`)
}

const doNothing = (): void => undefined

/** Reports whether answers exist for a preset. Presets without a model need none. */
export function isRecorded(source: AnswerSource, preset: PresetName): 'yes' | 'no' | 'not needed' {
  if (WITHOUT_MODEL.includes(preset)) return 'not needed'
  return source.kind === 'model' || existsSync(answerFile(source.path, preset)) ? 'yes' : 'no'
}

/** Opens the model of a preset, which answers from the source. `about` is the header of a new recording. Errors name `command`. */
export function chooseAnswers(
  source: AnswerSource,
  preset: PresetName,
  about: RecordingHeader['about'],
  command: string,
): PresetModel {
  if (WITHOUT_MODEL.includes(preset)) {
    const model = silentModel(preset)
    return { model, isReplayed: true, asksModel: false, about: {}, missing: () => [], done: doNothing }
  }
  if (source.kind === 'model') return recordableModel(source.model, source.record, preset, about)
  const model = replayingModel(answerFile(source.path, preset), { command })
  return {
    model,
    isReplayed: true,
    asksModel: true,
    about: model.header.about,
    missing: () => model.missing,
    done: doNothing,
  }
}

/** Wraps a model whose answers are recorded if `record` names a file or folder. */
function recordableModel(
  model: LanguageModel,
  record: string | undefined,
  preset: PresetName,
  about: RecordingHeader['about'],
): PresetModel {
  const traits = { isReplayed: false, asksModel: true, about: {}, missing: () => [] }
  if (record === undefined) return { model, ...traits, done: doNothing }
  const recorded = replayOrRecord(model, answerFile(record, preset), about)
  return { model: recorded, ...traits, done: () => recorded.dropUnused() }
}

/** Makes a model that must not be called. */
function silentModel(preset: PresetName): LanguageModel {
  const refuse = (): never => {
    throw new ModelError(`The preset ${preset} was not expected to ask a language model.`)
  }
  return { id: 'none', generate: async () => refuse(), stream: () => refuse() }
}
