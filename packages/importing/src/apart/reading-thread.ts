import { parentPort, workerData } from 'node:worker_threads'
import { ImportError } from '../import-error.ts'
import type { ImportSource, PlacedTurn } from '../import-source.ts'
import { InputFile } from '../input-file.ts'
import { LeftOut } from '../left-out.ts'
import { openSource } from '../open-source.ts'
import { recogniseFormat, type Format } from '../recognise-format.ts'
import { surveyExport } from '../survey-export.ts'
import { surveySource, type FileSurvey } from '../survey-source.ts'
import type { FileHolds, ReadingNews, ReadingWork } from './reading-messages.ts'

/** Number of turns in one message. */
const BATCH_SIZE = 500

/** Reads a file in a thread: first in full for a survey, then its turns, batch by batch on request. */
class ThreadReader {
  readonly #work: ReadingWork
  readonly #send: (news: ReadingNews) => void
  #format: Format | null = null
  #turns: Iterator<PlacedTurn> = [].values()

  constructor(work: ReadingWork, send: (news: ReadingNews) => void) {
    this.#work = work
    this.#send = send
  }

  /** Sends the survey. */
  async begin(): Promise<void> {
    await this.#runOrRefuse(async () => this.#send({ holds: await this.#readSurvey() }))
  }

  /** Sends the next batch of turns. */
  async next(): Promise<void> {
    await this.#runOrRefuse(() => {
      const turns: PlacedTurn[] = []
      while (turns.length < BATCH_SIZE) {
        const { done, value } = this.#turns.next()
        if (done === true) {
          this.#send({ turns, isLast: true })
          return
        }
        turns.push(value)
      }
      this.#send({ turns, isLast: false })
    })
  }

  async #readSurvey(): Promise<FileHolds> {
    const { descriptor, name, settings } = this.#work
    const input = InputFile.ofDescriptor(name, descriptor)
    this.#format = this.#work.format ?? recogniseFormat(input, settings)
    if (this.#format === 'keepsake') return { kind: 'export', survey: surveyExport(input) }
    const source = await openSource(this.#format, input, settings)
    this.#turns = source.turns(new LeftOut())[Symbol.iterator]()
    return { kind: 'turns', survey: surveyWhole(source, this.#work) }
  }

  /** Runs a step. If the file cannot be imported, it sends the reason instead. */
  async #runOrRefuse(work: () => Promise<void> | void): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof ImportError)) throw error
      this.#send({ refused: { message: error.message, question: error.question, format: this.#format } })
    }
  }
}

/** Surveys a source without pauses, since a thread blocks no other caller. */
function surveyWhole(source: ImportSource, { settings }: ReadingWork): FileSurvey {
  const steps = surveySource(source, settings)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

const port = parentPort
if (port !== null) {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  const reading = new ThreadReader(workerData as ReadingWork, (news) => port.postMessage(news))
  port.on('message', () => void reading.next())
  void reading.begin()
}
