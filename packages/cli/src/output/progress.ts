import { Presets, SingleBar } from 'cli-progress'
import type { Io } from '../io.ts'

/** Shows how far a long command is. On a terminal only: elsewhere it would be noise. */
export interface Progress {
  /** Counts up to `total`, or without an end where that is `null`. */
  readonly start: (label: string, total: number | null) => void
  /** For work that cannot be counted. */
  readonly wait: (label: string) => void
  /** Says more exactly what is waited for. Does nothing while something is counted. */
  readonly relabel: (label: string) => void
  readonly add: (count: number) => void
  /** A listener for work that tells how much of how much is done. */
  readonly follow: (label: string) => (done: number, total: number) => void
  /** The same for several works, one after another: another label is another bar. */
  readonly track: (label: string, done: number, total: number) => void
  readonly stop: () => void
}

const MEASURED = '{label}  {bar}  {value}/{total}  {eta_formatted} left'
const COUNTED = '{label}  {value} turns  {duration_formatted}'
const WAITING = '{label} … {duration_formatted}'

const nothing = (): void => undefined
const SILENT: Progress = {
  start: nothing,
  wait: nothing,
  relabel: nothing,
  add: nothing,
  follow: () => nothing,
  track: nothing,
  stop: nothing,
}

const isShown = (io: Io, isQuiet: boolean): boolean =>
  !isQuiet && io.stderr.isTTY === true && io.env['TERM'] !== 'dumb'

export function progressFor(io: Io, isQuiet: boolean): Progress {
  if (!isShown(io, isQuiet)) return SILENT
  let bar: SingleBar | null = null
  let isWaiting = false
  const stop = (): void => {
    bar?.stop()
    bar = null
    isWaiting = false
  }
  const show = (format: string, label: string, total: number): SingleBar => {
    stop()
    const made = new SingleBar(
      { format, stream: io.stderr, clearOnComplete: true, gracefulExit: false, barsize: 24 },
      Presets.shades_grey,
    )
    made.start(total, 0, { label })
    bar = made
    return made
  }
  const start = (label: string, total: number | null): SingleBar =>
    total === null ? show(COUNTED, label, 0) : show(MEASURED, label, total)
  const follow = (label: string) => (done: number, total: number) => (bar ?? start(label, total)).update(done)
  let tracked = ''
  return {
    start,
    stop,
    follow,
    track(label, done, total) {
      if (label !== tracked) stop()
      tracked = label
      follow(label)(done, total)
    },
    wait(label) {
      show(WAITING, label, 0)
      isWaiting = true
    },
    relabel: (label) => {
      if (isWaiting) bar?.update(0, { label })
    },
    add: (count) => bar?.increment(count),
  }
}

/** Says what a long command is doing, a line a step, on a terminal. */
export function stepsFor(io: Io, isQuiet: boolean): { readonly say: (step: string) => void } {
  return { say: isShown(io, isQuiet) ? (step) => io.stderr.write(`${step}\n`) : nothing }
}
