import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { LanguageModel } from 'keepsake'
import {
  headerFor,
  readRecording,
  recordedAnswer,
  writeRecording,
  type RecordedAnswer,
  type RecordingHeader,
} from './recording.ts'
import { RecordingError } from './recording-error.ts'
import { tellAnswers } from './stream-answer.ts'

/**
 * Records every answer of a model, so that the run can be repeated at no cost with {@link replayingModel}. Failed and broken answers are
 * not recorded. Of a request only a key is stored.
 *
 * @param file created when missing, appended to otherwise
 * @param about the run, for the header of a new file
 * @throws RecordingError when the file holds another model's answers.
 *
 * @example
 * const model = recordingModel(languageModel(openai('gpt-5-mini')), 'answers.jsonl')
 */
export function recordingModel(
  model: LanguageModel,
  file: string,
  about: RecordingHeader['about'] = {},
): LanguageModel {
  startRecording(file, model.id, about)
  return tellAnswers(model, (request, answer) => appendAnswer(file, recordedAnswer(request, answer)))
}

/** Creates the file when missing. @throws RecordingError when it holds another model's answers. */
export function startRecording(file: string, model: string, about: RecordingHeader['about']): void {
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, writeRecording({ header: headerFor(model, about), answers: [] }))
    return
  }
  const recorded = readRecording(file)?.header.model
  if (recorded !== undefined && recorded !== model) {
    throw new RecordingError(file, `holds the answers of ${recorded}, not of ${model}. Choose another file.`)
  }
}

export function appendAnswer(file: string, answer: RecordedAnswer): void {
  appendFileSync(file, `${JSON.stringify(answer)}\n`)
}
