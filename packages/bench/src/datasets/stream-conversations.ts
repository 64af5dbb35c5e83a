import type { z } from 'zod'
import { checkRecord } from './check-record.ts'
import type { BenchConversation, OpenedDataset } from './conversation.ts'
import type { DatasetRecord, RecordFile } from './record-file.ts'

/** How the entries of a file become conversations. Each entry is one conversation. */
interface ConversationForm<Entry> {
  readonly name: string
  readonly language: 'en' | 'zh'
  readonly schema: z.ZodType<Entry>
  /** @param index from 0, in the data's order */
  readonly build: (entry: Entry, index: number) => BenchConversation
}

/** Opens a data set with one conversation per entry. No question is left out. */
export function streamConversations<Entry>(
  source: RecordFile,
  { name, language, schema, build }: ConversationForm<Entry>,
): OpenedDataset {
  const { file, dataHash, size } = source
  return {
    name,
    language,
    dataHash,
    size,
    async *conversations() {
      let index = 0
      for await (const record of source.records()) yield build(checkRecord(schema, file, record), index++)
    },
    leftOut: () => ({}),
  }
}

/** Reads the first entry of a file. It exists, because empty files are refused when they are opened. */
export async function readFirst(source: RecordFile): Promise<DatasetRecord> {
  for await (const record of source.records()) return record
  return { where: 'line 1', value: undefined }
}
