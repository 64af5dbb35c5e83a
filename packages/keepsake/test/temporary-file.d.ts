/** A path for a database in a folder of its own, removed when the test is over. */
export declare function temporaryFile(name?: string): string;
//# sourceMappingURL=temporary-file.d.ts.map