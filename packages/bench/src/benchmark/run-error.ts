/** A run cannot begin or resume. The message names its folder and what to do. */
export class RunError extends Error {
  override readonly name = 'RunError'
  readonly folder: string

  constructor(folder: string, problem: string, cause?: unknown) {
    super(`${folder}: ${problem}`, cause === undefined ? undefined : { cause })
    this.folder = folder
  }
}
