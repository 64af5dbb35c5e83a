/** A file of recorded answers is missing, damaged or of another model. The message names the file and the problem. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError'
  readonly file: string

  constructor(file: string, problem: string, cause?: unknown) {
    super(`${file}: ${problem}`, cause === undefined ? undefined : { cause })
    this.file = file
  }
}
