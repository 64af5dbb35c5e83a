import { appendFileSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { LanguageModel } from 'keepsake'
import { type LanguageAnswer, type LanguageRequest } from 'keepsake/model'
import {
  AnswerBook,
  headerFor,
  languageAnswer,
  readRecording,
  recordedAnswer,
  writeRecording,
  type RecordedAnswer,
  type RecordingHeader,
  RecordingError,
} from './recording.ts'
import { streamAnswer, observeAnswers } from './stream-answer.ts'

/** A model whose answers come from a recording, or are added to it. */
export interface RecordedModel extends LanguageModel {
  /** Rewrites the file with only the answers that this run used. Call it only at the end of a complete run, because all others are lost. */
  dropUnused(): void
}

/** Makes a model that answers from the recording. Otherwise it asks the model and records its answer, so that a run can resume. */
export function replayOrRecord(
  model: LanguageModel,
  file: string,
  about: RecordingHeader['about'] = {},
): RecordedModel {
  const recording = readRecording(file)
  startRecording(file, model.id, about)
  const book = new AnswerBook(recording?.answers ?? [])
  const used = new Set<RecordedAnswer>()
  const recordingModel = observeAnswers(model, (request, answer) => {
    const recorded = recordedAnswer(request, answer)
    appendAnswer(file, recorded)
    used.add(recorded)
  })
  const find = (request: LanguageRequest): LanguageAnswer | null => {
    const recorded = book.find(request)
    if (recorded === null) return null
    used.add(recorded)
    return languageAnswer(recorded)
  }
  return {
    id: model.id,
    windowTokens: model.windowTokens,
    generate: async (request) => find(request) ?? recordingModel.generate(request),
    stream(request) {
      const recorded = find(request)
      return recorded === null ? recordingModel.stream(request) : streamAnswer(Promise.resolve(recorded))
    },
    dropUnused() {
      const whole = writeRecording({ header: headerFor(model.id, about), answers: [...used] })
      writeFileSync(`${file}.new`, whole)
      renameSync(`${file}.new`, file)
    },
  }
}

/** Creates the file if it is missing. @throws RecordingError if it has another model's answers */
function startRecording(file: string, model: string, about: RecordingHeader['about']): void {
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, writeRecording({ header: headerFor(model, about), answers: [] }))
    return
  }
  const recorded = readRecording(file)?.header.model
  if (recorded !== undefined && recorded !== model) {
    throw new RecordingError(
      file,
      `contains the answers of ${recorded}, not of ${model}. Choose another file.`,
    )
  }
}

function appendAnswer(file: string, answer: RecordedAnswer): void {
  appendFileSync(file, `${JSON.stringify(answer)}\n`)
}
