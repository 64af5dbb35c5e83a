import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/**
 * Runs a module in a process of its own and waits for its one answer.
 * @param url the module's `import.meta.url`; it answers by {@link answerParent}
 * @throws Error when that process ends without an answer; what it said on standard error is in the message.
 */
export function askChild<Answer>(url: string, request: unknown): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const path = fileURLToPath(url)
  const child = fork(path, [JSON.stringify(request)], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  let said = ''
  child.stderr?.on('data', (piece: Buffer) => {
    said = (said + piece.toString('utf8')).slice(-2_000)
  })
  child.once('message', (answer) => {
    resolve(answer as Answer)
    // The channel keeps the process alive until the answer has arrived.
    child.disconnect()
  })
  child.once('error', reject)
  child.once('close', (code, signal) => {
    // Without effect when the answer came first.
    reject(new Error(`${path} ended (${signal ?? `code ${code}`}) and gave no answer. ${said}`.trim()))
  })
  return promise
}

/** Whether a module runs as the child that {@link askChild} started. */
export function isChild(url: string): boolean {
  return process.send !== undefined && process.argv[1] === fileURLToPath(url)
}

/** Reads the request, answers it, and lets the process end. */
export async function answerParent<Request>(answer: (request: Request) => Promise<unknown>): Promise<void> {
  const request = JSON.parse(process.argv[2] ?? '{}') as Request
  const result = await answer(request)
  process.send?.(result)
}
