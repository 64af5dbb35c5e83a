import { spawn, type ChildProcess } from 'node:child_process'

const running = new Set<Program>()

/** Ends what tests that failed have left running. */
export function endPrograms(): void {
  for (const program of running) program.child.kill('SIGKILL')
}

/** A program that runs beside a test, and what it has said so far. */
export class Program {
  readonly child: ChildProcess
  said = ''

  constructor(
    command: string,
    args: readonly string[],
    options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
  ) {
    this.child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...process.env, NO_COLOR: '1', ...options.env },
    })
    running.add(this)
    this.child.once('exit', () => running.delete(this))
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.on('data', (data: Buffer) => (this.said += String(data)))
  }

  /** Waits until it has said something. */
  async says(wanted: RegExp, milliseconds = 60_000): Promise<RegExpExecArray> {
    const until = Date.now() + milliseconds
    for (;;) {
      const found = wanted.exec(this.said)
      if (found !== null) return found
      if (this.child.exitCode !== null || Date.now() > until)
        throw new Error(`it never said ${wanted}, but:\n${this.said}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  /** Asks it to end, and waits. @returns its exit status */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return this.child.exitCode
    const closed = new Promise<number | null>((resolve) => this.child.once('exit', (code) => resolve(code)))
    this.child.kill(signal)
    return closed
  }
}
