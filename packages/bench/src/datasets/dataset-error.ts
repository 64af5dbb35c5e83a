/** A data set's file is missing or not in its published form. Names the file and the problem. */
export class DatasetError extends Error {
  override readonly name = 'DatasetError'
  readonly file: string

  constructor(file: string, problem: string, cause?: unknown) {
    super(`${file}: ${problem}`, cause === undefined ? undefined : { cause })
    this.file = file
  }
}
