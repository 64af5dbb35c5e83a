/** The bytes of an input file. @throws DatasetError naming the file. */
export declare function readInput(file: string): Promise<Buffer>
/** A file's JSON. @throws DatasetError when it is none. */
export declare function parseJson(file: string, bytes: Buffer): unknown
/** sha256 over several inputs, by name and content, so that a result names exactly what it was measured on. */
export declare function hashInputs(
  inputs: readonly {
    readonly name: string
    readonly bytes: Buffer
  }[],
): string
export declare function isRecord(value: unknown): value is Record<string, unknown>
//# sourceMappingURL=read-input.d.ts.map
