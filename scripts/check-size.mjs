// Checks budgets: source lines without tests, per package, and words of documentation. Raising a ceiling takes a reason beside it.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const SOURCE = /\.(ts|tsx|mjs|js|py|css|wat)$/
const NOT_SOURCE = /\.(test|spec)\.|(^|\/)(tests?|testing|fixtures?|contract)\/|-fixtures?\.|\.d\.ts$/

/**
 * Ceilings in lines. A comment names the target of the redesign if it is lower, and what the package holds beyond it.
 *
 * @type {Record<string, number>}
 */
const BUDGETS = {
  'clients/python': 1_731,
  examples: 800,
  integrations: 410, // a filter for Open WebUI, an extension for SillyTavern, a node for n8n
  'packages/agent-sdks': 590, // adapters for three agent frameworks and Anthropic's memory tool
  'packages/ai-sdk': 970,
  'packages/bench': 22_360, // target 21,000 with generators and peers; conditions of each table of the papers
  'packages/bench-generators': 3_406,
  'packages/bench-http-peers': 1_755,
  'packages/browser': 463, // a sentence per file; stand-ins for what the engine uses of Node
  'packages/cli': 7_800, // target 5,500; relations, own keys, guidelines, pictures, appointments
  'packages/client': 1_302,
  'packages/create-keepsake': 765, // a failed installation leaves nothing and says what to do
  'packages/importing': 4_561, // target 8,500 with the clients and adapters; 23 formats
  'packages/inspector': 8_180, // target 8,000; sections for own keys, blocks and guidelines
  'packages/keepsake': 42_753, // target 24,000; relations, attachments, blocks, guidelines, topics, corrections
  'packages/langchain': 589,
  'packages/libsql': 433, // a sentence per file; libSQL and Turso as a store, which the engine does not bring
  'packages/mem0-compat': 2_530, // target 1,800; categories, pictures, lists of older clients
  'packages/models': 1_741,
  'packages/papers': 2_543, // target 5,000; prompts and compressors that were in the engine
  'packages/postgres': 950, // target 1,600
  'packages/search': 2_192, // target 1,800; a kernel in WebAssembly
  'packages/server': 13_876, // target 8,500; attachments, blocks, guidelines, clients that rewrite history
  'packages/text': 19_590, // target 8,500; requests and attribution in eight languages, secrets, corrections
  'packages/train': 2_796, // target 4,000 with tools/data
  scripts: 2_076,
  site: 280,
  'tools/data': 2_480,
  'tools/golden': 1_031,
  'tools/perf': 2_525, // target 2,500
}

/** Maximum of words in all pages, without the changelog and descriptions of data. */
const MAX_WORDS_OF_PAGES = 45_000
const NO_PAGE = /^CHANGELOG\.md$|(^|\/)data\//

/** @param {string} file */
const countLines = (file) => readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1

/** The package, or the top folder; null for a file of the root. @param {string} file */
const folderOf = (file) => /^((?:packages|tools|clients)\/[^/]+|[^/]+)\//.exec(file)?.[1] ?? null

const trackedFiles = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).split('\n')

/** @type {Map<string, { files: number, lines: number }>} */
const sizes = new Map()
for (const file of trackedFiles) {
  const folder = folderOf(file)
  if (folder === null || !SOURCE.test(file) || NOT_SOURCE.test(file) || !existsSync(join(ROOT, file)))
    continue
  const size = sizes.get(folder) ?? { files: 0, lines: 0 }
  sizes.set(folder, { files: size.files + 1, lines: size.lines + countLines(file) })
}

let failures = 0
let total = 0
for (const [folder, { files, lines }] of [...sizes].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
  total += lines
  const budget = BUDGETS[folder] ?? 0
  const isOver = lines > budget
  if (isOver) failures++
  const row = `${folder.padEnd(28)} ${String(files).padStart(4)} files ${String(lines).padStart(6)} lines of ${budget}`
  console.log(
    isOver ? `${row}  OVER BUDGET: remove lines, or raise its ceiling in scripts/check-size.mjs` : row,
  )
}
console.log(`${total} lines, ${failures} over budget`)

const pages = trackedFiles.filter((file) => file.endsWith('.md') && !NO_PAGE.test(file))
const words = pages
  .filter((file) => existsSync(join(ROOT, file)))
  .flatMap((file) => readFileSync(join(ROOT, file), 'utf8').split(/\s+/).filter(Boolean)).length
console.log(`${words} words of documentation of ${MAX_WORDS_OF_PAGES}`)
if (words > MAX_WORDS_OF_PAGES) failures++
process.exitCode = failures === 0 && total > 0 ? 0 : 1
