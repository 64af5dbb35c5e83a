import { openKeys } from '@keepsake/server'
import { Child } from '../processes/child.ts'
import type { RoomTimes } from '../processes/cpu-profile.ts'
import type { Holds } from '../processes/watch-holds.ts'
import type { ProcessUsage } from '../processes/process-usage.ts'
import { SERVE_SCOPES, type ServeRequest } from './serve-scopes.ts'

/** A server in a process of its own. */
export class ServerProcess {
  readonly url: string
  readonly #child: Child

  private constructor(url: string, child: Child) {
    this.url = url
    this.#child = child
  }

  /**
   * Starts a server on any free port and waits until it listens.
   *
   * @throws Error with what it said when it ends before that.
   */
  static async start(request: ServeRequest): Promise<ServerProcess> {
    const child = new Child<string>(SERVE_SCOPES, request)
    return new ServerProcess(await child.started, child)
  }

  /** @param collect whether garbage is collected before */
  async usage(collect = false): Promise<ProcessUsage> {
    return (await this.#child.ask(collect ? 'collected usage' : 'usage')) as ProcessUsage
  }

  /** How long its event loop was held since this was asked before; a server with workers cannot tell. */
  async holds(): Promise<Holds> {
    return (await this.#child.ask('holds')) as Holds
  }

  /** Waits until it has nothing left to do in the background. */
  async settle(): Promise<void> {
    await this.#child.ask('settle')
  }

  /** Process ids of the workers, where it has any. */
  async workers(): Promise<readonly number[]> {
    return (await this.#child.ask('workers')) as readonly number[]
  }

  /** Takes a profile of its process from now on. */
  async profile(): Promise<void> {
    await this.#child.ask('profile')
  }

  /** Ends it. @returns where the time went; `null` where no profile can be taken, since it has workers */
  async profiled(): Promise<RoomTimes | null> {
    return (await this.#child.ask('profiled')) as RoomTimes | null
  }

  async stop(): Promise<void> {
    await this.#child.ask('stop')
    await this.#child.release()
  }

  /** Ends it without a word (SIGKILL), and waits until it is gone. */
  kill(): Promise<void> {
    return this.#child.kill()
  }
}

const NO_LIMIT = 1_000_000_000_000

/** A key to a server's file, for some actions or for all, with a limit that no benchmark meets. */
export async function makeKey(
  path: string,
  actions?: readonly ('read' | 'write' | 'erase')[],
): Promise<string> {
  const { keys, close } = await openKeys(path)
  try {
    const limited = actions === undefined ? {} : { actions }
    const limits = { requestsPerMinute: NO_LIMIT, bytesPerMinute: NO_LIMIT }
    return (await keys.create({ name: 'bench', ...limited, ...limits })).key
  } finally {
    await close()
  }
}
