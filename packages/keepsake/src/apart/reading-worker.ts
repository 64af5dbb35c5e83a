import { parentPort } from 'node:worker_threads'
import { giveWayToOthers } from './lower-priority.ts'
import { doReading, type ReadingTask } from './reading-tasks.ts'
import type { ThreadNews, ThreadTask } from './thread-pool.ts'

giveWayToOthers()

/** The module of a thread that reads: one task after another. */
const port = parentPort
const say = (news: ThreadNews): void => port?.postMessage(news)

async function work({ id, given }: ThreadTask): Promise<void> {
  try {
    say({ id, result: await doReading(given as ReadingTask) })
  } catch (error) {
    say({ id, failure: String(error) })
  }
}

port?.on('message', (task: ThreadTask) => void work(task))
// What is read on first use is read now, before anything waits for it.
await doReading({
  kind: 'signals',
  words: [{ user: 'Hello there.', agent: '' }],
  history: [],
  historyLength: 1,
})
say({ ready: true })
