// Keepsake for Anthropic's memory tool (`memory_20250818`): its file commands on /memories, answered from a scope's blocks.
import type { MemoryToolHandlers } from '@anthropic-ai/sdk/helpers/beta/memory'
import type { FactEvidence, Memory, ScopedMemory } from 'keepsake'

/** Options of `memoryHandlers()`. */
export interface MemoryHandlersOptions {
  /** Most characters of a file that the model creates; 16,000 when absent. */
  readonly limit?: number
  /** The turns that a change rests on, such as those of the running conversation. */
  readonly evidence?: () => readonly FactEvidence[]
}

const ROOT = '/memories'
const USUAL_LIMIT = 16_000
const NUMBER_WIDTH = 6
const SNIPPET_LINES = 2
const LISTED_LEVELS = 2
const UNITS = ['B', 'K', 'M', 'G'] as const

/**
 * Answers the commands of Anthropic's memory tool from the blocks of a scope: `/memories/tasks.md` is the block `tasks.md`, and directories
 * are beginnings of names. Results and errors read as those of the SDK's own file system, on which models are trained; the SDK hands
 * a thrown error to the model.
 *
 * @example
 * const memory = betaMemoryTool(memoryHandlers(keepsake.scope({ user: 'ana' })))
 * await anthropic.beta.messages.toolRunner({ model, max_tokens: 1_024, messages, tools: [memory] })
 */
export function memoryHandlers(
  scope: ScopedMemory,
  { limit = USUAL_LIMIT, evidence = () => [] }: MemoryHandlersOptions = {},
): MemoryToolHandlers {
  const open = async (): Promise<Files> =>
    new Files(await scope.memories({ forms: ['block'], exactScope: true }))
  return {
    async view({ path, view_range: range }) {
      const place = readPath(path)
      const files = await open()
      const text = files.textOf(place)
      if (text !== undefined)
        return `Here's the content of ${path} with line numbers:\n${numbered(text, range?.[0], range?.[1])}`
      if (!files.isDirectory(place)) throw missing(path)
      return files.list(place)
    },
    async create({ path, file_text: text }) {
      const place = readPath(path)
      const files = await open()
      if (files.has(place)) throw new Error(`File ${path} already exists`)
      files.requireParents(place)
      requireFits(path, text, limit)
      await scope.writeBlock(place, text, { limit, evidence: evidence() })
      return `File created successfully at: ${path}`
    },
    async str_replace({ path, old_str: find, new_str: given }) {
      // A model may leave it out, to remove the words.
      const replace = (given as string | undefined) ?? ''
      const { place, text, most } = (await open()).file(path)
      const lines = linesHolding(text, find)
      if (lines.length === 0)
        throw new Error(
          `No replacement was performed, old_str \`${find}\` did not appear verbatim in ${path}.`,
        )
      if (lines.length > 1)
        throw new Error(
          `No replacement was performed. Multiple occurrences of old_str \`${find}\` in lines: ${[...new Set(lines)].join(', ')}. Please ensure it is unique`,
        )
      requireFits(
        path,
        text.replace(find, () => replace),
        most,
      )
      const edited = await scope.editBlock(place, { find, replace, evidence: evidence() })
      const [line = 1] = lines
      const snippet = numbered(edited.text, Math.max(1, line - SNIPPET_LINES), line + SNIPPET_LINES)
      return `The memory file has been edited. Here is the snippet showing the change (with line numbers):\n${snippet}`
    },
    async insert({ path, insert_line: line, insert_text: text }) {
      const file = (await open()).file(path)
      const lines = file.text.split('\n')
      if (!Number.isInteger(line) || line < 0 || line > lines.length)
        throw new Error(
          `Invalid \`insert_line\` parameter: ${line}. It should be within the range of lines of the file: [0, ${lines.length}]`,
        )
      requireFits(path, `${file.text}\n${text.replace(/\n$/, '')}`, file.most)
      await scope.editBlock(file.place, { insert: text, line, evidence: evidence() })
      return `The file ${path} has been edited.`
    },
    async delete({ path }) {
      const place = readPath(path)
      if (place === '') throw new Error(`Cannot delete the ${ROOT} directory itself`)
      const gone = (await open()).under(place)
      if (gone.length === 0) throw new Error(`The path ${path} does not exist`)
      for (const { id } of gone) await scope.forget(id)
      return `Successfully deleted ${path}`
    },
    async rename({ old_path: from, new_path: to }) {
      const place = readPath(from)
      const target = readPath(to)
      if (place === '') throw new Error(`Cannot rename the ${ROOT} directory itself`)
      const files = await open()
      if (files.has(target)) throw new Error(`The destination ${to} already exists`)
      const moved = files.under(place)
      if (moved.length === 0) throw new Error(`The path ${from} does not exist`)
      if (target.startsWith(`${place}/`)) throw new Error(`Cannot rename ${from} to a path inside itself`)
      files.requireParents(target)
      for (const { name } of moved)
        await scope.editBlock(name, { rename: `${target}${name.slice(place.length)}` })
      return `Successfully renamed ${from} to ${to}`
    },
  }
}

interface BlockFile {
  readonly id: string
  readonly name: string
  readonly text: string
  readonly limit: number
}

/** The blocks of a scope as files. A block whose name is no path of a file is none. */
class Files {
  readonly #files: readonly BlockFile[]

  constructor(blocks: readonly Memory[]) {
    this.#files = blocks
      .map(({ id, name, text, limit }) => ({ id, name: name ?? '', text, limit: limit ?? USUAL_LIMIT }))
      .filter(({ name }) => isPathOfFile(name))
      .toSorted((one, other) => compareNames(one.name, other.name))
  }

  textOf(place: string): string | undefined {
    return this.#files.find(({ name }) => name === place)?.text
  }

  isDirectory(place: string): boolean {
    return place === '' || this.#files.some(({ name }) => name.startsWith(`${place}/`))
  }

  has(place: string): boolean {
    return this.textOf(place) !== undefined || this.isDirectory(place)
  }

  /** The file of that path, or the files in the directory. */
  under(place: string): readonly BlockFile[] {
    return this.#files.filter(({ name }) => name === place || place === '' || name.startsWith(`${place}/`))
  }

  /** A file to edit. @throws Error where there is none, or a directory */
  file(path: string): { readonly place: string; readonly text: string; readonly most: number } {
    const place = readPath(path)
    const found = this.#files.find(({ name }) => name === place)
    if (found !== undefined) return { place, text: found.text, most: found.limit }
    throw this.isDirectory(place) ? new Error(`The path ${path} is not a file.`) : missing(path)
  }

  /** @throws Error where a directory of the path is a file */
  requireParents(place: string): void {
    const steps = place.split('/')
    for (let depth = 1; depth < steps.length; depth += 1) {
      const parent = steps.slice(0, depth).join('/')
      if (this.textOf(parent) !== undefined) throw new Error(`The path ${ROOT}/${parent} is not a directory.`)
    }
  }

  /** Lists a directory, each entry with the bytes in it. */
  list(place: string): string {
    const shown = place === '' ? ROOT : `${ROOT}/${place}`
    const sizes = new Map([[shown, 0]])
    for (const { name, text } of this.under(place)) {
      const steps = name.slice(place === '' ? 0 : place.length + 1).split('/')
      if (steps.some((step) => step.startsWith('.') || step === 'node_modules')) continue
      const bytes = Buffer.byteLength(text)
      sizes.set(shown, (sizes.get(shown) ?? 0) + bytes)
      for (const depth of steps.keys()) {
        const entry = `${shown}/${steps.slice(0, depth + 1).join('/')}${depth < steps.length - 1 ? '/' : ''}`
        if (depth < LISTED_LEVELS) sizes.set(entry, (sizes.get(entry) ?? 0) + bytes)
      }
    }
    const lines = [...sizes].map(([entry, bytes]) => `${formatSize(bytes)}\t${entry}`)
    return `Here're the files and directories up to ${LISTED_LEVELS} levels deep in ${shown}, excluding hidden items and node_modules:\n${lines.join('\n')}`
  }
}

/** Orders names as directories are walked: step by step. */
function compareNames(one: string, other: string): number {
  const [left, right] = [one, other].map((name) => name.replaceAll('/', '\0'))
  return (left ?? '') < (right ?? '') ? -1 : 1
}

function isPathOfFile(name: string): boolean {
  return name.split('/').every((step) => step !== '' && step !== '.' && step !== '..')
}

/** The path within the directory, empty for itself. @throws Error for a path outside it, written plainly or encoded */
function readPath(path: string): string {
  if (path !== ROOT && !path.startsWith(`${ROOT}/`))
    throw new Error(`Path must start with ${ROOT}, got: ${path}`)
  const decoded = path.replaceAll(/%2e/gi, '.').replaceAll(/%2f|%5c|\\/gi, '/')
  if (decoded.split('/').some((step) => step === '.' || step === '..'))
    throw new Error(`Path ${path} would escape ${ROOT} directory`)
  return path.slice(ROOT.length).split('/').filter(Boolean).join('/')
}

function missing(path: string): Error {
  return new Error(`The path ${path} does not exist. Please provide a valid path.`)
}

function requireFits(path: string, text: string, limit: number): void {
  const characters = Array.from(text).length
  if (characters > limit)
    throw new Error(
      `File ${path} would hold ${characters} characters, and at most ${limit} are taken. Nothing was changed: shorten it, or split it into several files.`,
    )
}

/** The line of each occurrence, from 1. */
function linesHolding(text: string, find: string): readonly number[] {
  if (find === '') return []
  const parts = text.split(find).slice(0, -1)
  const lines: number[] = []
  let before = ''
  for (const part of parts) {
    before += part
    lines.push(before.split('\n').length)
    before += find
  }
  return lines
}

/** Numbered lines, from 1; an end of -1 is the last line. */
function numbered(text: string, from = 1, to = -1): string {
  const start = Math.max(1, from) - 1
  const lines = text.split('\n')
  return lines
    .slice(start, to === -1 ? lines.length : to)
    .map((line, index) => `${String(start + index + 1).padStart(NUMBER_WIDTH)}\t${line}`)
    .join('\n')
}

function formatSize(bytes: number): string {
  const power = bytes === 0 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1)
  const size = bytes / 1_024 ** power
  return `${Number.isInteger(size) ? size : size.toFixed(1)}${UNITS[power]}`
}
