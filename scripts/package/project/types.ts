import { openMemory, type Memory } from 'keepsake'
import { scriptedModel } from 'keepsake/model'
import { storeContract, type Store, type StoreCase } from 'keepsake/store'
export const cases = (open: () => Promise<Store>): readonly StoreCase[] => storeContract({ open })
export async function facts(path: string): Promise<readonly Memory[]> {
  await using memory = await openMemory({ path, model: scriptedModel(() => 'yes') })
  return memory.scope({ user: 'ana' }).memories({ forms: ['fact'] })
}
