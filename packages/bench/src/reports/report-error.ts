/** A run cannot be reported: its folder is missing, unfinished or damaged. Names the file, the problem and what to do. */
export class ReportError extends Error {
  override readonly name = 'ReportError'
  readonly file: string
  /** `missing`: no file; `unfinished`: can be resumed; `damaged`: unreadable. */
  readonly problem: 'missing' | 'unfinished' | 'damaged'

  constructor(file: string, problem: ReportError['problem'], message: string, cause?: unknown) {
    super(`${file}: ${message}`, cause === undefined ? undefined : { cause })
    this.file = file
    this.problem = problem
  }
}
