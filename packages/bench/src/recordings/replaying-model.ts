import { ModelError, type LanguageAnswer, type LanguageModel, type LanguageRequest } from 'keepsake'
import { AnswerBook } from './answer-book.ts'
import {
  languageAnswer,
  promptOf,
  readRecording,
  requestKey,
  type RecordedAnswer,
  type RecordingHeader,
} from './recording.ts'
import { RecordingError } from './recording-error.ts'
import { streamAnswer } from './stream-answer.ts'

/** A model that answers from a recording. */
export interface ReplayingModel extends LanguageModel {
  readonly header: RecordingHeader
  /** Prompts of the requests so far that had no recorded answer, once each. */
  readonly missing: readonly string[]
  /** Answers that no one asked for yet: after a whole run, those the recording need not hold. */
  readonly unused: readonly RecordedAnswer[]
}

export interface ReplayOptions {
  /** The command that records the file again, for the message of a missing answer. */
  readonly command?: string
}

/**
 * Answers from a recording, and from nothing else: a request that is not in it fails with a ModelError that
 * is not retried and says how to record again.
 *
 * @throws RecordingError when there is no such file, or it is damaged.
 */
export function replayingModel(file: string, options: ReplayOptions = {}): ReplayingModel {
  const recording = readRecording(file)
  if (recording === null) throw new RecordingError(file, `there is no such recording. ${adviceFor(options)}`)
  const { header } = recording
  const book = new AnswerBook(recording.answers)
  const missing = new Set<string>()
  const answer = async (request: LanguageRequest): Promise<LanguageAnswer> => {
    request.abortSignal?.throwIfAborted()
    const found = book.find(request)
    if (found !== null) return languageAnswer(found)
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

function staleError(
  file: string,
  { model }: RecordingHeader,
  request: LanguageRequest,
  options: ReplayOptions,
): ModelError {
  const prompt = promptOf(request)
  return new ModelError(
    `${file} holds no answer to this request of ${prompt}: the recording is stale. The prompt, the talk or what leads to the request has changed since. ${adviceFor(options)}`,
    { isRetryable: false, details: { model, prompt, key: requestKey(request), file } },
  )
}

function adviceFor({ command }: ReplayOptions): string {
  return command === undefined ? 'Record it anew with recordingModel().' : `Record it anew: ${command}`
}
