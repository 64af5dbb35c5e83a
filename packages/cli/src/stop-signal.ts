/** Waits for somebody to end the process: Ctrl-C, or what runs it. */
export interface StopSignal {
  /** Resolves at the first SIGINT or SIGTERM. A second one ends the process at once. */
  readonly stopped: Promise<NodeJS.Signals>
  /** Gives the signals back to Node. */
  release(): void
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const
/** What a shell reports for a process that a signal ended: 128 and the signal's number. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const

/** Takes SIGINT and SIGTERM of this process until it is released. */
export function takeStopSignal(): StopSignal {
  let isStopping = false
  let resolve: (signal: NodeJS.Signals) => void = () => undefined
  const stopped = new Promise<NodeJS.Signals>((settle) => {
    resolve = settle
  })
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
