import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ModelError, type LanguageModel } from 'keepsake'
import { type PresetName } from '@keepsake/papers'
import type { RecordingHeader } from '../recordings/recording.ts'
import { replayOrRecord } from '../recordings/replay-or-record.ts'
import { replayingModel } from '../recordings/replaying-model.ts'

/** Presets that ask no language model even where there is one. */
const WITHOUT_MODEL: readonly PresetName[] = ['naive-rag', 'first-in-first-out']

/** Where answers come from: recorded ones, or a model whose answers may be recorded. */
export type AnswerSource =
  | {
      readonly kind: 'recorded'
      /** A `.jsonl` file, or a folder of them named after the presets. */
      readonly path: string
    }
  | {
      readonly kind: 'model'
      readonly model: LanguageModel
      /** As `path` above. What is recorded there already is not asked again. */
      readonly record?: string
    }

/** The model of one preset's run. */
export interface PresetModel {
  readonly model: LanguageModel
  readonly isReplayed: boolean
  readonly asksModel: boolean
  /** What was run when the answers were recorded. */
  readonly about: RecordingHeader['about']
  /** Prompts of requests that had no recorded answer. */
  missing(): readonly string[]
  /** The run is over and was whole. */
  done(): void
}

/** The recorded answers that this package ships for a talk of its own. */
export function shippedAnswers(talk: string): string {
  return fileURLToPath(new URL(`../../data/answers/${talk}`, import.meta.url))
}

/** A preset's file at a path that names a file or a folder. */
export function answerFile(path: string, preset: PresetName): string {
  return path.endsWith('.jsonl') ? path : join(path, `${preset}.jsonl`)
}

const nothing = (): void => undefined

/** Whether there are answers for a preset; one that asks no model needs none. */
export function isRecorded(source: AnswerSource, preset: PresetName): 'yes' | 'no' | 'not needed' {
  if (WITHOUT_MODEL.includes(preset)) return 'not needed'
  return source.kind === 'model' || existsSync(answerFile(source.path, preset)) ? 'yes' : 'no'
}

/**
 * @param about what is run, for the header of a new recording
 * @param command how to record again, for the message of a missing answer
 * @throws RecordingError when a recording is missing, damaged or another model's.
 */
export function chooseAnswers(
  source: AnswerSource,
  preset: PresetName,
  about: RecordingHeader['about'],
  command: string,
): PresetModel {
  if (WITHOUT_MODEL.includes(preset)) {
    const model = silentModel(preset)
    return { model, isReplayed: true, asksModel: false, about: {}, missing: () => [], done: nothing }
  }
  if (source.kind === 'model') return askedModel(source.model, source.record, preset, about)
  const model = replayingModel(answerFile(source.path, preset), { command })
  return {
    model,
    isReplayed: true,
    asksModel: true,
    about: model.header.about,
    missing: () => model.missing,
    done: nothing,
  }
}

function askedModel(
  model: LanguageModel,
  record: string | undefined,
  preset: PresetName,
  about: RecordingHeader['about'],
): PresetModel {
  const traits = { isReplayed: false, asksModel: true, about: {}, missing: () => [] }
  if (record === undefined) return { model, ...traits, done: nothing }
  const recorded = replayOrRecord(model, answerFile(record, preset), about)
  return { model: recorded, ...traits, done: () => recorded.dropUnused() }
}

/** Stands in for the model of a preset that has no use for one. */
function silentModel(preset: PresetName): LanguageModel {
  const refuse = (): never => {
    throw new ModelError(`The preset ${preset} was not expected to ask a language model.`)
  }
  return { id: 'none', generate: async () => refuse(), stream: () => refuse() }
}
