import type { Dataset } from './conversation.ts'
/** Which query–response pairs (`2023-04-27#0`) answer each question: by language, then user, then question. */
export interface MemoryBankLabels {
  readonly en: readonly (readonly (readonly string[])[])[]
  readonly cn: readonly (readonly (readonly string[])[])[]
}
/** The labels this package ships. @throws DatasetError when they are missing or of another form. */
export declare function readMemoryBankLabels(): Promise<MemoryBankLabels>
/**
 * MemoryBank's evaluation memories in one language. A unit is a query–response pair. Questions name no evidence
 * in the data; `labels` do. Without labels no question counts as answerable.
 *
 * @param directory the folder of `memory_bank_{en,cn}.json` and `probing_questions_{en,cn}.jsonl`.
 * @throws DatasetError naming the file and what is wrong in it.
 */
export declare function loadMemoryBank(
  directory: string,
  language: 'en' | 'cn',
  labels: MemoryBankLabels,
): Promise<Dataset>
//# sourceMappingURL=memorybank.d.ts.map
