/** A run cannot be reported: its folder is absent, unfinished or damaged. Says which file, what is wrong, what to do. */
export class ReportError extends Error {
  override readonly name = 'ReportError'
  readonly file: string
  /** `missing`: nothing is there; `unfinished`: the run can go on; `damaged`: it is there and cannot be read. */
  readonly problem: 'missing' | 'unfinished' | 'damaged'

  constructor(file: string, problem: ReportError['problem'], message: string, cause?: unknown) {
    super(`${file}: ${message}`, cause === undefined ? undefined : { cause })
    this.file = file
    this.problem = problem
  }
}
