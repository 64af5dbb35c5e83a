import type { Benchmark } from '@keepsake/bench'
import { CliError } from './cli-error.ts'
import { EXIT } from './exit-codes.ts'

/** Loads an optional package. @throws CliError with the install command when it is missing */
export async function loadPackage<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    if (!isMissing(error, name)) throw error
    throw new CliError(
      `The package ${name} is not installed. Run "npm install ${name}" where you installed the command line (with -g if it is global).`,
      EXIT.failure,
      { cause: error },
    )
  }
}

export type Bench = Awaited<ReturnType<typeof loadBench>>

export const loadBench = () => loadPackage('@keepsake/bench', () => import('@keepsake/bench'))
export const loadGenerators = () =>
  loadPackage('@keepsake/bench-generators', () => import('@keepsake/bench-generators'))
export const loadHttpPeers = () =>
  loadPackage('@keepsake/bench-http-peers', () => import('@keepsake/bench-http-peers'))
export const loadModels = () => loadPackage('@keepsake/models', () => import('@keepsake/models'))
export const loadLibsql = () => loadPackage('@keepsake/libsql', () => import('@keepsake/libsql'))
export const loadPostgres = () => loadPackage('@keepsake/postgres', () => import('@keepsake/postgres'))
export const loadTraining = () => loadPackage('@keepsake/train', () => import('@keepsake/train'))
export const loadServer = () => loadPackage('@keepsake/server', () => import('@keepsake/server'))
export const loadMem0Compat = () =>
  loadPackage('@keepsake/mem0-compat', () => import('@keepsake/mem0-compat'))
/** Loads MCP over standard input and output without the rest of the server, because hosts start the command again and again. */
export const loadStdio = () => loadPackage('@keepsake/server', () => import('@keepsake/server/stdio'))

/** Loads the repository's own benchmarks, which are not published; `null` in an installation. */
export async function loadPerf(): Promise<{ readonly BENCHMARKS: readonly Benchmark[] } | null> {
  // A variable, because the compiler would look for a package that is named in `import()`.
  const name = '@keepsake/perf'
  try {
    return (await import(name)) as { readonly BENCHMARKS: readonly Benchmark[] }
  } catch (error) {
    if (isMissing(error, name)) return null
    throw error
  }
}

/** Whether this package itself is missing, not one of its dependencies. */
function isMissing(error: unknown, name: string): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === 'ERR_MODULE_NOT_FOUND' &&
    error.message.includes(`Cannot find package '${name}'`)
  )
}
