/** A run cannot be reported, because its folder is missing, unfinished or damaged. The message names the file and what to do. */
export class ReportError extends Error {
  override readonly name = 'ReportError'
  readonly file: string
  /** `missing`: there is no file. `unfinished`: the run can be resumed. `damaged`: the file is unreadable. */
  readonly problem: 'missing' | 'unfinished' | 'damaged'

  constructor(file: string, problem: ReportError['problem'], message: string, cause?: unknown) {
    super(`${file}: ${message}`, cause === undefined ? undefined : { cause })
    this.file = file
    this.problem = problem
  }
}
