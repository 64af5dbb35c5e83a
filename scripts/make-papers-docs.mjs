// Writes docs/papers.md from the registry of papers and from the results in docs/benchmarks/raw/papers/. `--check` writes nothing and fails if the page is out of date.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { readReport, renderPapers } from '../packages/bench/dist/papers/doc/render-papers.js'
import { PAPERS } from '../packages/bench/dist/papers/papers.js'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const RAW = join(ROOT, 'docs', 'benchmarks', 'raw', 'papers')

const reports = globSync('*.json', { cwd: RAW })
  .toSorted()
  .map((name) => readReport(basename(name, '.json'), readFileSync(join(RAW, name), 'utf8')))
/** @type {[string, string][]} */
const documents = [['docs/papers.md', renderPapers(PAPERS, reports)]]

const isCheck = process.argv.includes('--check')
let stale = 0
for (const [name, text] of documents) {
  const file = join(ROOT, name)
  const options = await resolveConfig(file)
  const written = await format(text, { ...options, filepath: file })
  if (!isCheck) writeFileSync(file, written)
  else if (readOrNothing(file) !== written) {
    stale++
    console.error(`${name} is stale: run node scripts/make-papers-docs.mjs`)
  }
}
console.log(
  `${documents.length} documents of ${PAPERS.length} papers and ${reports.length} results, ${stale} stale`,
)
process.exitCode = stale === 0 ? 0 : 1

/** @param {string} file */
function readOrNothing(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}
