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

const BATCH_SIZE = 500

/** Reads a file in a thread: first in full for its contents, then its turns, as many as are requested. */
class ThreadReader {
  readonly #work: ReadingWork
  readonly #send: (news: ReadingNews) => void
  #format: Format | null = null
  #turns: Iterator<PlacedTurn> = [].values()

  constructor(work: ReadingWork, say: (news: ReadingNews) => void) {
    this.#work = work
    this.#send = say
  }

  async begin(): Promise<void> {
    await this.#sendRefusal(async () => this.#send({ holds: await this.#readSurvey() }))
  }

  async next(): Promise<void> {
    await this.#sendRefusal(() => {
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

  async #sendRefusal(work: () => Promise<void> | void): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof ImportError)) throw error
      this.#send({ refused: { message: error.message, question: error.question, format: this.#format } })
    }
  }
}

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
