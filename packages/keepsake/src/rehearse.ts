import { openMemory } from './memory.ts'

/**
 * Facts, secrets, a request to forget and questions in each language. They load and compile everything that the first use of a memory
 * needs. The patterns of secrets compile when digits or password words first appear, separately for Latin and for other text.
 */
const TURNS = [
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
 * Warms up this process: loads the tagger, word tables and weights, which would block the event loop for some hundred milliseconds on first
 * use. It uses a temporary memory that is discarded. Call it in a server before it accepts connections; all memories of the process
 * benefit.
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
    for (const text of TURNS) await memory.remember({ role: 'user', text })
    await keepsake.drain()
    for (const question of ASKED) await memory.recall(question)
  } finally {
    await keepsake.close()
  }
}
