/** Waits for the end of the process: Ctrl-C, or a signal. */
export interface StopSignal {
  /** Resolves at the first SIGINT or SIGTERM. A second one ends the process at once. */
  readonly stopped: Promise<NodeJS.Signals>
  release(): void
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const
/** A shell's exit code for a process that a signal ended: 128 and its number. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const

/** Handles SIGINT and SIGTERM of this process until released. */
export function takeStopSignal(): StopSignal {
  let isStopping = false
  const { promise: stopped, resolve } = Promise.withResolvers<NodeJS.Signals>()
  const onSignal = (signal: NodeJS.Signals): void => {
    if (isStopping) process.exit(EXIT_CODES[signal as keyof typeof EXIT_CODES])
    isStopping = true
    resolve(signal)
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  return {
    stopped,
    release: () => {
      for (const signal of SIGNALS) process.off(signal, onSignal)
    },
  }
}
