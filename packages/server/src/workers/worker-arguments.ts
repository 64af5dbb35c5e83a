import { availableParallelism } from 'node:os'
import { buffersOption } from './tune-process.ts'

const POOL = '--v8-pool-size'

/** What is so of this machine and process, unless a test says otherwise. */
const HERE = {
  processors: availableParallelism(),
  options: process.env['NODE_OPTIONS'] ?? '',
  buffers: buffersOption,
}

/**
 * What Node starts a worker with: as the primary was started; buffers counted as {@link buffersOption} says; and with no more of V8's own threads (four, unless told
 * otherwise) than each worker has processors. They mark garbage and compile, and those of several workers together keep the processors from whoever answers, for a tenth of
 * a second at a time.
 *
 * @param count workers
 * @param given what the primary itself was started with; whoever chose a number of threads keeps it
 */
export function workerArguments(
  count: number,
  given: readonly string[] = process.execArgv,
  { processors, options, buffers } = HERE,
): string[] {
  const all = [...given, ...options.split(/\s+/)]
  const chosen = all.some((one) => one.replaceAll('_', '-').startsWith(POOL))
  const threads = Math.max(1, Math.floor(processors / count))
  return [
    ...given,
    ...(chosen ? [] : [`${POOL}=${threads}`]),
    ...buffers().filter((one) => !all.includes(one)),
  ]
}
