import { PassThrough } from 'node:stream'
import { Presets, SingleBar } from 'cli-progress'
import type { Io } from '../io.ts'

const MEASURED = '{label}  {bar}  {value}/{total}  {eta_formatted} left'
const COUNTED = '{label}  {value} turns  {duration_formatted}'
const WAITING = '{label} … {duration_formatted}'

const isShown = (io: Io, isQuiet: boolean): boolean =>
  !isQuiet && io.stderr.isTTY === true && io.env['TERM'] !== 'dumb'

/** Shows how far a long command is. On a terminal only: elsewhere it would be noise. */
export function progressFor(io: Io, isQuiet: boolean): Progress {
  return new Progress(isShown(io, isQuiet) ? io.stderr : new PassThrough())
}

export class Progress {
  readonly #stream: NodeJS.WritableStream
  #bar: SingleBar | null = null
  #isWaiting = false
  #tracked = ''

  /** @param stream where nothing is drawn unless it is a terminal */
  constructor(stream: NodeJS.WritableStream) {
    this.#stream = stream
  }

  /** Counts up to `total`, or without an end where that is `null`. */
  start(label: string, total: number | null): void {
    this.#draw(label, total === null ? COUNTED : MEASURED, total ?? 0)
  }

  /** For work that cannot be counted. */
  wait(label: string): void {
    this.#draw(label, WAITING, 0)
    this.#isWaiting = true
  }

  /** Says more exactly what is waited for. Does nothing while something is counted. */
  relabel(label: string): void {
    if (this.#isWaiting) this.#bar?.update(0, { label })
  }

  add(count: number): void {
    this.#bar?.increment(count)
  }

  /** A listener for work that tells how much of how much is done. */
  follow(label: string): (done: number, total: number) => void {
    return (done, total) => {
      if (this.#bar === null) this.start(label, total)
      this.#bar?.update(done)
    }
  }

  /** The same for several works, one after another: another label is another bar. */
  readonly track = (label: string, done: number, total: number): void => {
    if (label !== this.#tracked) this.stop()
    this.#tracked = label
    this.follow(label)(done, total)
  }

  readonly stop = (): void => {
    this.#bar?.stop()
    this.#bar = null
    this.#isWaiting = false
  }

  #draw(label: string, format: string, total: number): void {
    this.stop()
    const stream = this.#stream
    const options = { format, stream, clearOnComplete: true, gracefulExit: false, barsize: 24 }
    this.#bar = new SingleBar(options, Presets.shades_grey)
    this.#bar.start(total, 0, { label })
  }
}

/** Says what a long command is doing, a line a step, on a terminal. */
export function stepsFor(io: Io, isQuiet: boolean): { readonly say: (step: string) => void } {
  return {
    say: (step) => {
      if (isShown(io, isQuiet)) io.stderr.write(`${step}\n`)
    },
  }
}
