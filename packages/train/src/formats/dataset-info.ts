import { z } from 'zod'

const tags = z.strictObject({
  role_tag: z.string(),
  content_tag: z.string(),
  user_tag: z.string(),
  assistant_tag: z.string(),
  observation_tag: z.string().optional(),
  function_tag: z.string().optional(),
  system_tag: z.string().optional(),
})
const columns = z.strictObject({
  messages: z.string(),
  system: z.string().optional(),
  tools: z.string().optional(),
  chosen: z.string().optional(),
  rejected: z.string().optional(),
  kto_tag: z.string().optional(),
})

/** LLaMA-Factory's `dataset_info.json`, as its data/README.md documents it for sharegpt and OpenAI files. */
export const datasetInfo = z.record(
  z.string(),
  z.strictObject({
    file_name: z.string(),
    formatting: z.enum(['alpaca', 'sharegpt']),
    ranking: z.boolean().optional(),
    columns,
    tags,
  }),
)
export type DatasetInfo = z.infer<typeof datasetInfo>

const TAGS = {
  role_tag: 'role',
  content_tag: 'content',
  user_tag: 'user',
  assistant_tag: 'assistant',
  system_tag: 'system',
}

/** Describes an export's files, given by folder (`sft`, `dpo`) and part, to LLaMA-Factory. */
export function datasetInfoOf(
  files: readonly { readonly folder: 'sft' | 'dpo'; readonly part: string }[],
): DatasetInfo {
  return datasetInfo.parse(
    Object.fromEntries(
      files.map(({ folder, part }) => [
        datasetName(folder, part),
        {
          file_name: `${folder}/${part}.jsonl`,
          formatting: 'sharegpt',
          ...(folder === 'dpo' ? { ranking: true } : {}),
          columns: {
            messages: 'messages',
            ...(folder === 'dpo' ? { chosen: 'chosen', rejected: 'rejected' } : {}),
          },
          tags: TAGS,
        },
      ]),
    ),
  )
}

export function datasetName(folder: 'sft' | 'dpo', part: string): string {
  return `keepsake_${folder}_${part}`
}
