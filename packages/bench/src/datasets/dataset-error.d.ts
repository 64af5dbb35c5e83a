/** A data set's file is absent or is not in its published form. Names the file and what is wrong with it. */
export declare class DatasetError extends Error {
  readonly name = 'DatasetError'
  readonly file: string
  constructor(file: string, problem: string, cause?: unknown)
}
//# sourceMappingURL=dataset-error.d.ts.map
