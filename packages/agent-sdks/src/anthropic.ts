// Keepsake for Anthropic's memory tool (`memory_20250818`): its file commands on /memories, answered from a scope's blocks.
import type { MemoryToolHandlers } from '@anthropic-ai/sdk/helpers/beta/memory'
import type { FactEvidence, Memory, ScopedMemory } from 'keepsake'

/** Options of `memoryHandlers()`. */
export interface MemoryHandlersOptions {
  /** Maximum characters of a file that the model creates. Default: 16,000. */
  readonly limit?: number
  /** Returns the turns that are evidence for a change, such as those of the current conversation. */
  readonly evidence?: () => readonly FactEvidence[]
}

const ROOT = '/memories'
const DEFAULT_LIMIT = 16_000
/** Layout of the SDK's own file system: width of line numbers, lines around an edit, listed levels, units of sizes. */
const NUMBER_WIDTH = 6
const SNIPPET_LINES = 2
const MAX_LISTED_LEVELS = 2
const UNITS = ['B', 'K', 'M', 'G'] as const

/**
 * Answers the commands of Anthropic's memory tool from the blocks of a scope. The file `/memories/tasks.md` is the block `tasks.md`; a
 * directory is the beginning of a name. Results and errors have the wording of the SDK's own file system, on which models are trained.
 * The SDK passes a thrown error to the model.
 *
 * @example
 * const memory = betaMemoryTool(memoryHandlers(keepsake.scope({ user: 'ana' })))
 * await anthropic.beta.messages.toolRunner({ model, max_tokens: 1_024, messages, tools: [memory] })
 */
export function memoryHandlers(
  scope: ScopedMemory,
  { limit = DEFAULT_LIMIT, evidence = () => [] }: MemoryHandlersOptions = {},
): MemoryToolHandlers {
  const readFiles = async (): Promise<Files> =>
    new Files(await scope.memories({ forms: ['block'], exactScope: true }))
  return {
    async view({ path, view_range: range }) {
      const blockName = readPath(path)
      const files = await readFiles()
      const text = files.textOf(blockName)
      if (text !== undefined)
        return `Here's the content of ${path} with line numbers:\n${numberLines(text, range?.[0], range?.[1])}`
      if (!files.isDirectory(blockName)) throw noSuchPath(path)
      return files.list(blockName)
    },
    async create({ path, file_text: text }) {
      const blockName = readPath(path)
      const files = await readFiles()
      if (files.has(blockName)) throw new Error(`File ${path} already exists`)
      files.requireParents(blockName)
      requireFits(path, text, limit)
      await scope.writeBlock(blockName, text, { limit, evidence: evidence() })
      return `File created successfully at: ${path}`
    },
    async str_replace({ path, old_str: find, new_str: newText }) {
      // A model may leave out `new_str` to remove the text.
      const replace = (newText as string | undefined) ?? ''
      const { blockName, text, limit: maxLength } = (await readFiles()).file(path)
      const lines = linesContaining(text, find)
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
        maxLength,
      )
      const edited = await scope.editBlock(blockName, { find, replace, evidence: evidence() })
      const [line = 1] = lines
      const snippet = numberLines(edited.text, Math.max(1, line - SNIPPET_LINES), line + SNIPPET_LINES)
      return `The memory file has been edited. Here is the snippet showing the change (with line numbers):\n${snippet}`
    },
    async insert({ path, insert_line: line, insert_text: text }) {
      const file = (await readFiles()).file(path)
      const lines = file.text.split('\n')
      if (!Number.isInteger(line) || line < 0 || line > lines.length)
        throw new Error(
          `Invalid \`insert_line\` parameter: ${line}. It should be within the range of lines of the file: [0, ${lines.length}]`,
        )
      requireFits(path, `${file.text}\n${text.replace(/\n$/, '')}`, file.limit)
      await scope.editBlock(file.blockName, { insert: text, line, evidence: evidence() })
      return `The file ${path} has been edited.`
    },
    async delete({ path }) {
      const blockName = readPath(path)
      if (blockName === '') throw new Error(`Cannot delete the ${ROOT} directory itself`)
      const files = (await readFiles()).under(blockName)
      if (files.length === 0) throw new Error(`The path ${path} does not exist`)
      for (const { id } of files) await scope.forget(id)
      return `Successfully deleted ${path}`
    },
    async rename({ old_path: from, new_path: to }) {
      const blockName = readPath(from)
      const target = readPath(to)
      if (blockName === '') throw new Error(`Cannot rename the ${ROOT} directory itself`)
      const files = await readFiles()
      if (files.has(target)) throw new Error(`The destination ${to} already exists`)
      const movedFiles = files.under(blockName)
      if (movedFiles.length === 0) throw new Error(`The path ${from} does not exist`)
      if (target.startsWith(`${blockName}/`)) throw new Error(`Cannot rename ${from} to a path inside itself`)
      files.requireParents(target)
      for (const { name } of movedFiles)
        await scope.editBlock(name, { rename: `${target}${name.slice(blockName.length)}` })
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

/** The blocks of a scope as files. Leaves out blocks whose names are not file paths. */
class Files {
  readonly #files: readonly BlockFile[]

  constructor(blocks: readonly Memory[]) {
    this.#files = blocks
      .map(({ id, name, text, limit }) => ({ id, name: name ?? '', text, limit: limit ?? DEFAULT_LIMIT }))
      .filter(({ name }) => isPathOfFile(name))
      .toSorted((left, right) => compareNames(left.name, right.name))
  }

  textOf(blockName: string): string | undefined {
    return this.#files.find(({ name }) => name === blockName)?.text
  }

  isDirectory(blockName: string): boolean {
    return blockName === '' || this.#files.some(({ name }) => name.startsWith(`${blockName}/`))
  }

  has(blockName: string): boolean {
    return this.textOf(blockName) !== undefined || this.isDirectory(blockName)
  }

  /** Returns the file of that path, or the files in the directory. */
  under(blockName: string): readonly BlockFile[] {
    return this.#files.filter(
      ({ name }) => name === blockName || blockName === '' || name.startsWith(`${blockName}/`),
    )
  }

  /** Returns a file to edit. @throws Error when there is none, or it is a directory */
  file(path: string): { readonly blockName: string; readonly text: string; readonly limit: number } {
    const blockName = readPath(path)
    const file = this.#files.find(({ name }) => name === blockName)
    if (file !== undefined) return { blockName, text: file.text, limit: file.limit }
    throw this.isDirectory(blockName) ? new Error(`The path ${path} is not a file.`) : noSuchPath(path)
  }

  /** Checks the parent directories of a path. @throws Error when one of them is a file */
  requireParents(blockName: string): void {
    const steps = blockName.split('/')
    for (let depth = 1; depth < steps.length; depth += 1) {
      const parent = steps.slice(0, depth).join('/')
      if (this.textOf(parent) !== undefined) throw new Error(`The path ${ROOT}/${parent} is not a directory.`)
    }
  }

  /** Lists a directory with the size of each entry in bytes. */
  list(blockName: string): string {
    const directory = blockName === '' ? ROOT : `${ROOT}/${blockName}`
    const sizes = new Map([[directory, 0]])
    for (const { name, text } of this.under(blockName)) {
      const steps = name.slice(blockName === '' ? 0 : blockName.length + 1).split('/')
      if (steps.some((step) => step.startsWith('.') || step === 'node_modules')) continue
      const bytes = Buffer.byteLength(text)
      sizes.set(directory, (sizes.get(directory) ?? 0) + bytes)
      // The file counts for each directory above it that is listed.
      for (const depth of steps.slice(0, MAX_LISTED_LEVELS).keys()) {
        const isFile = depth === steps.length - 1
        const entry = `${directory}/${steps.slice(0, depth + 1).join('/')}${isFile ? '' : '/'}`
        sizes.set(entry, (sizes.get(entry) ?? 0) + bytes)
      }
    }
    const lines = [...sizes].map(([entry, bytes]) => `${formatSize(bytes)}\t${entry}`)
    return `Here're the files and directories up to ${MAX_LISTED_LEVELS} levels deep in ${directory}, excluding hidden items and node_modules:\n${lines.join('\n')}`
  }
}

/** Compares names directory by directory: a slash is sorted before all other characters. */
function compareNames(left: string, right: string): number {
  return left.replaceAll('/', '\0') < right.replaceAll('/', '\0') ? -1 : 1
}

function isPathOfFile(name: string): boolean {
  return name.split('/').every((step) => step !== '' && step !== '.' && step !== '..')
}

/** Returns the path below `/memories`, empty for `/memories` itself. @throws Error for a path outside it, also when URL-encoded */
function readPath(path: string): string {
  if (path !== ROOT && !path.startsWith(`${ROOT}/`))
    throw new Error(`Path must start with ${ROOT}, got: ${path}`)
  const decoded = path.replaceAll(/%2e/gi, '.').replaceAll(/%2f|%5c|\\/gi, '/')
  if (decoded.split('/').some((step) => step === '.' || step === '..'))
    throw new Error(`Path ${path} would escape ${ROOT} directory`)
  return path.slice(ROOT.length).split('/').filter(Boolean).join('/')
}

function noSuchPath(path: string): Error {
  return new Error(`The path ${path} does not exist. Please provide a valid path.`)
}

/** Checks the length of a file. @throws Error when it exceeds the limit of its block */
function requireFits(path: string, text: string, limit: number): void {
  const characters = Array.from(text).length
  if (characters > limit)
    throw new Error(
      `File ${path} would hold ${characters} characters, and at most ${limit} are taken. Nothing was changed: shorten it, or split it into several files.`,
    )
}

/** Returns the line number of each occurrence, from 1. */
function linesContaining(text: string, find: string): readonly number[] {
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

/** Numbers the lines from 1. `to` -1 means the last line. */
function numberLines(text: string, from = 1, to = -1): string {
  const start = Math.max(1, from) - 1
  const lines = text.split('\n')
  return lines
    .slice(start, to === -1 ? lines.length : to)
    .map((line, index) => `${String(start + index + 1).padStart(NUMBER_WIDTH)}\t${line}`)
    .join('\n')
}

/** Formats a size: `0B`, `1.5K`. */
function formatSize(bytes: number): string {
  const power = bytes === 0 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1)
  const size = bytes / 1_024 ** power
  return `${Number.isInteger(size) ? size : size.toFixed(1)}${UNITS[power]}`
}
