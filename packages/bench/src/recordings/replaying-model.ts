import { ModelError, type LanguageModel } from 'keepsake'
import type { LanguageAnswer, LanguageRequest } from 'keepsake/model'
import {
  AnswerBook,
  languageAnswer,
  promptOf,
  readRecording,
  requestKey,
  type RecordedAnswer,
  type RecordingHeader,
  RecordingError,
} from './recording.ts'
import { streamAnswer } from './stream-answer.ts'

/** A model that answers from a recording only. */
export interface ReplayingModel extends LanguageModel {
  readonly header: RecordingHeader
  /** The prompts of requests without a recorded answer. */
  readonly missing: readonly string[]
  /** Recorded answers that no request used. After a complete run they can be removed. */
  readonly unused: readonly RecordedAnswer[]
}

export interface ReplayOptions {
  /** The command that records the file again, for the message of a missing answer. */
  readonly command?: string
}

/** Opens a model that answers from a recording only. Other requests fail with a ModelError that names the command that records again. */
export function replayingModel(file: string, options: ReplayOptions = {}): ReplayingModel {
  const recording = readRecording(file)
  if (recording === null) throw new RecordingError(file, `there is no such recording. ${adviceFor(options)}`)
  const { header } = recording
  const book = new AnswerBook(recording.answers)
  const missing = new Set<string>()
  const answer = async (request: LanguageRequest): Promise<LanguageAnswer> => {
    request.abortSignal?.throwIfAborted()
    const recorded = book.find(request)
    if (recorded !== null) return languageAnswer(recorded)
    missing.add(promptOf(request))
    throw staleError(file, header, request, options)
  }
  return {
    id: header.model,
    header,
    get missing() {
      return [...missing]
    },
    get unused() {
      return book.unused
    },
    generate: answer,
    stream: (request) => streamAnswer(answer(request)),
  }
}

/** Makes the error of a request without a recorded answer. */
function staleError(
  file: string,
  { model }: RecordingHeader,
  request: LanguageRequest,
  options: ReplayOptions,
): ModelError {
  const prompt = promptOf(request)
  return new ModelError(
    `${file} has no answer to this request of ${prompt}: the recording is stale. The prompt, the conversation or an earlier step has changed since. ${adviceFor(options)}`,
    { isRetryable: false, details: { model, prompt, key: requestKey(request), file } },
  )
}

function adviceFor({ command }: ReplayOptions): string {
  return command === undefined ? 'Record it again with replayOrRecord().' : `Record it again: ${command}`
}
