/** Numbers in [0, 1) that are the same for the same seed on every machine (mulberry32). */
export declare function seededRandom(seed: number): () => number
//# sourceMappingURL=seeded-random.d.ts.map
