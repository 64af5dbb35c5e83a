import type { BenchConversation, OpenedDataset } from './conversation.ts'
import type { DatasetRecord, RecordFile } from './record-file.ts'

/** What a data set of one conversation an entry is besides its file. */
export interface ConversationForm {
  readonly name: string
  readonly language: 'en' | 'zh'
  /** @param index from 0, in the data's order. Throws DatasetError when the entry is not in its form. */
  readonly build: (record: DatasetRecord, index: number) => BenchConversation
}

/** A data set whose file has a conversation an entry; no question of it is left out. */
export function streamConversations(source: RecordFile, form: ConversationForm): OpenedDataset {
  const { dataHash, size } = source
  return {
    name: form.name,
    language: form.language,
    dataHash,
    size,
    async *conversations() {
      let index = 0
      for await (const record of source.records()) yield form.build(record, index++)
    },
    leftOut: () => ({}),
  }
}

/** The first entry of a file. It has one: files without are refused when opened. */
export async function readFirst(source: RecordFile): Promise<DatasetRecord> {
  for await (const record of source.records()) return record
  return { where: 'line 1', value: undefined }
}
