import { DatasetError } from '../datasets/dataset-error.ts'
import { openDataset } from '../datasets/open-dataset.ts'
import { loadOwnTalk, type Talk } from '../datasets/own-talk.ts'

/** Which talk: one that is shipped or a file of turns, or a conversation of a published data set. */
export type TalkSource =
  | { readonly talk: string }
  | {
      readonly dataset: 'locomo' | 'lufy' | 'memorybank'
      readonly path: string
      /** From 1, in the data's order. */
      readonly conversation: number
    }

/** @throws DatasetError when the data is absent, is not in its published form, or has no such conversation. */
export async function openTalk(source: TalkSource): Promise<Talk> {
  if ('talk' in source) return loadOwnTalk(source.talk)
  const { dataset, path, conversation: number } = source
  // MemoryBank's language is that of the file named; a folder means English.
  const bank = path.endsWith('memory_bank_cn.json') ? 'memorybank-cn' : 'memorybank-en'
  const data = await openDataset(dataset === 'memorybank' ? bank : dataset, path)
  const conversation = (await Array.fromAsync(data.conversations()))[number - 1]
  if (conversation === undefined)
    throw new DatasetError(path, `has ${data.size} conversations and no number ${number}`)
  return { name: `${data.name} ${conversation.name}`, dataHash: data.dataHash, conversation }
}
