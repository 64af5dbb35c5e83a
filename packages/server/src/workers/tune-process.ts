import { execFileSync } from 'node:child_process'
import { setFlagsFromString } from 'node:v8'

/**
 * Buffers and typed arrays lie outside V8's heap. As it comes, V8 looks through the whole heap once 64 MB of them were allocated since it last did, which a busy server does
 * several times a minute, and holds whoever allocates for milliseconds each time until it is done. With this option they count as the heap does: looked through when all of it has grown by its share.
 */
const BUFFERS_AS_HEAP = '--external-memory-accounted-in-global-limit'

let known: readonly string[] | null = null

/** The option that has V8 count buffers as its heap, where this Node's V8 knows it (that of Node 24 does, that of 22 does not). */
export function buffersOption(): readonly string[] {
  known ??= hasOption(BUFFERS_AS_HEAP) ? [BUFFERS_AS_HEAP] : []
  return known
}

/** A process that is started with what V8 does not know ends at once; so it is asked. Where no process may be started it serves without. */
function hasOption(option: string): boolean {
  try {
    return execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' }).includes(`${option} `)
  } catch {
    return false
  }
}

/**
 * Sets this process up to serve: for programs that are a server and nothing else, as `keepsake serve` is; one that does other things too decides for itself. Its workers are
 * started so.
 */
export function tuneProcess(): void {
  for (const option of buffersOption()) setFlagsFromString(option)
}
