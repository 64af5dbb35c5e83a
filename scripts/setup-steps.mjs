// Functions of with-setup.mjs, in a separate file for their tests. Node 18 must be able to run them, since they run
// before the repository's own Node is installed.
import { existsSync, readFileSync } from 'node:fs'
import { basename, delimiter, join, sep } from 'node:path'

/** Reports whether the repository's packages are installed, including its own Node. @param {string} root @returns {boolean} */
export function isInstalled(root) {
  return existsSync(nodeBinary(root)) && hasLockedPackages(root)
}

/**
 * Reports whether node_modules contains the packages of package-lock.json. npm's own record of its installation
 * (node_modules/.package-lock.json, written last) must name every package that is not optional at the locked
 * version. A hand-run `npm install` counts, an interrupted one does not.
 *
 * @param {string} root where package-lock.json lies
 * @returns {boolean}
 */
export function hasLockedPackages(root) {
  const installed = readPackages(join(root, 'node_modules', '.package-lock.json'))
  const locked = readPackages(join(root, 'package-lock.json'))
  if (installed === null || locked === null) return false
  return Object.entries(locked).every(([place, entry]) => {
    if (!place.includes('node_modules/') || entry.optional || entry.peer) return true
    const found = installed[place]
    if (found === undefined) return false
    return entry.link ? found.link === true : found.version === entry.version
  })
}

/** @param {string} file */
function readPackages(file) {
  if (!existsSync(file)) return null
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** Returns the path of the Node that the development dependency `node` installs. @param {string} root */
export function nodeBinary(root) {
  return join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')
}

/**
 * Returns the command of npm: the npm that runs this process (its path is in npm_execpath), else the one on PATH.
 * The repository's own Node must not run it, since `npm ci` deletes that Node before it installs it again.
 *
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 * @param {string[]} args
 * @param {string} node the Node that runs this process
 * @returns {{ command: string, args: string[], env: NodeJS.ProcessEnv }}
 */
export function npmCommand(root, env, args, node = process.execPath) {
  const path = env['npm_execpath']
  const isOwnNode = node.startsWith(join(root, 'node_modules') + sep)
  const outside = withoutOwnNode(root, env)
  if (!isOwnNode && path !== undefined && /^npm(-cli)?\.[cm]?js$/.test(basename(path)) && existsSync(path)) {
    return { command: node, args: [path, ...args], env: outside }
  }
  return { command: 'npm', args, env: outside }
}

/** @param {NodeJS.ProcessEnv} env */
const pathKey = (env) => Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH'

/** @param {string} root @param {NodeJS.ProcessEnv} env @returns {NodeJS.ProcessEnv} */
function withoutOwnNode(root, env) {
  const key = pathKey(env)
  const folders = (env[key] ?? '').split(delimiter)
  return {
    ...env,
    [key]: folders.filter((folder) => folder !== join(root, 'node_modules', '.bin')).join(delimiter),
  }
}

/** Returns the environment with our Node first. @param {string} root @param {NodeJS.ProcessEnv} env @returns {NodeJS.ProcessEnv} */
export function withOwnNode(root, env) {
  const key = pathKey(env)
  return { ...env, [key]: [join(root, 'node_modules', '.bin'), env[key]].filter(Boolean).join(delimiter) }
}

const UNREACHABLE =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|UNABLE_TO_[A-Z_]+|SELF_SIGNED_[A-Z_]+|CERT_[A-Z_]+|E5\d\d|E40[13])\b/

/** Returns an explanation for a failure of npm that the user can solve, or `null` for other failures. @param {string} output @returns {string | null} */
export function explainNpmFailure(output) {
  const reason = UNREACHABLE.exec(output)?.[1]
  if (reason !== undefined) {
    return `The package registry could not be reached (${reason}): check the network and \`npm config get registry\`, then run the same command again.`
  }
  if (/\bENOSPC\b/.test(output))
    return 'The disk is full: make room for about 500 MB, then run the same command again.'
  if (/\b(EACCES|EPERM|EROFS)\b/.test(output)) {
    return 'npm may not write to this folder: make it writable for you, then run the same command again.'
  }
  return null
}
