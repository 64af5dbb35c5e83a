import { NotPossibleError } from './errors/not-possible-error.ts'

const NEEDED = [22, 18] as const

/** Refuses a Node that is too old, in a sentence, before anything native is loaded. */
export function requireNode(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) return
  throw new NotPossibleError(
    `Keepsake needs Node ${NEEDED.join('.')} or newer, but this is Node ${version}. Install a current Node and start again.`,
    {
      node: version,
    },
  )
}
