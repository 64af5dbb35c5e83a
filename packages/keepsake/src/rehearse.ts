import { openMemory } from './memory.ts'

/**
 * Facts, what is masked, a request to forget and questions, in each language: what reads them is all that is loaded and compiled on first use. Patterns of
 * secrets are compiled when digits or names of passwords first come, apart for text of Latin letters alone and for other text.
 */
const TOLD = [
  'I live in Lyon, and my sister Ann moved to Rome on Friday.',
  'Not Lyon any more: I moved to Oslo.',
  '我住在里昂，我姐姐上周五搬到了罗马。',
  'The code for the gate is 4471, and the wifi pass: quay-4471x.',
  'It’s Tom’s password: “quay-4471x”, from 10:30 on.',
  '门禁密码 4471，明天10点见。',
  'Forget what I said about Rome.',
]
const ASKED = [
  'Where do I live, and where is Ann?',
  'When did she move?',
  'What’s all that you know of me?',
  '我住在哪里？',
  '她什么时候搬的家？',
]

/**
 * Has this process load what first facts and first questions would load otherwise, which holds its event loop for some hundred milliseconds at
 * a time: the tagger, the tables of words, the weights. By telling and asking a memory of its own that is kept nowhere. For servers,
 * before they let anybody in; whatever has been loaded is there for all memories of the process.
 *
 * @example
 * const keepsake = await openMemory({ path: 'memory.db' })
 * await rehearse()
 * server.listen(3000)
 */
export async function rehearse(): Promise<void> {
  const keepsake = await openMemory({ path: ':memory:' })
  try {
    const memory = keepsake.scope({ user: 'rehearsal' })
    for (const text of TOLD) await memory.remember({ role: 'user', text })
    await keepsake.drain()
    for (const question of ASKED) await memory.recall(question)
  } finally {
    await keepsake.close()
  }
}
