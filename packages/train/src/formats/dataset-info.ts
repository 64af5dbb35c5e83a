/** One part of an export: a file of examples to imitate (`sft`) or of preference pairs (`dpo`). */
interface ExportFile {
  readonly folder: 'sft' | 'dpo'
  readonly part: string
}

/** Names of fields and roles in the rows of `chat-rows.ts`. */
const TAGS = {
  role_tag: 'role',
  content_tag: 'content',
  user_tag: 'user',
  assistant_tag: 'assistant',
  system_tag: 'system',
}

/** Makes LLaMA-Factory's `dataset_info.json` for the files of an export. LLaMA-Factory documents the format in its data/README.md. */
export function datasetInfoOf(files: readonly ExportFile[]): object {
  return Object.fromEntries(
    files.map(({ folder, part }) => {
      const isPreference = folder === 'dpo'
      const info = {
        file_name: `${folder}/${part}.jsonl`,
        formatting: 'sharegpt',
        ...(isPreference ? { ranking: true } : {}),
        columns: {
          messages: 'messages',
          ...(isPreference ? { chosen: 'chosen', rejected: 'rejected' } : {}),
        },
        tags: TAGS,
      }
      return [`keepsake_${folder}_${part}`, info]
    }),
  )
}
