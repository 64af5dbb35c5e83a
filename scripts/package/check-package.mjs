// Tests the packages in the form in which they would be published. Packs each package and checks it with publint and attw
// (“are the types wrong”). Then installs all of them in an empty project, imports and requires them, runs the command, bundles them, traces
// their files as serverless hosts do, and checks their types under every module resolution, also with TypeScript 5.4.
// Importing the engine must open no file and load no model.
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { build } from 'esbuild'
import { publint } from 'publint'
import { build as viteBuild } from 'vite'
import { nodeFileTrace } from '@vercel/nft'
import { packInto, publishedPackages, ROOT } from './pack.mjs'

const BIN = join(ROOT, 'node_modules', '.bin')
const PROJECT = join(ROOT, 'scripts', 'package', 'project')
const env = { ...process.env, PATH: [BIN, process.env['PATH']].join(delimiter), NO_COLOR: '1' }
/** @type {string[]} */
const failures = []

/** @param {string} what @param {string} problem */
function fail(what, problem) {
  failures.push(what)
  console.error(`${what}:\n${problem}`)
}

/** @param {string} what @param {string[]} command @param {string} cwd */
function step(what, [command = '', ...args], cwd) {
  const run = spawnSync(command, args, { cwd, encoding: 'utf8', env })
  if (run.status !== 0) fail(what, `${run.stdout ?? ''}${run.stderr ?? ''}${run.error?.message ?? ''}`)
}

/** Checks a tarball as `publint --strict` and `attw --profile node16` do. Their commands would load TypeScript for each package. @param {string} name @param {string} tarball */
async function lintTarball(name, tarball) {
  const bytes = new Uint8Array(readFileSync(tarball))
  const { messages } = await publint({ pack: { tarball: bytes.buffer }, strict: true })
  if (messages.length > 0) fail(`publint ${name}`, JSON.stringify(messages, null, 2))
  // The command line has no exports, which attw would report.
  if (name === '@keepsake/cli') return
  const checked = await checkPackage(createPackageFromTarballData(bytes))
  const problems = checked.types === false ? ['no types'] : checked.problems.filter(isProblemOfModules)
  if (problems.length > 0) fail(`attw ${name}`, JSON.stringify(problems, null, 2))
}

/** Ignores Node 10, and that `require` of an ES module needs Node 20.19. @param {import('@arethetypeswrong/core').Problem} problem */
function isProblemOfModules(problem) {
  if (problem.kind === 'CJSResolvesToESM') return false
  return !('resolutionKind' in problem) || problem.resolutionKind !== 'node10'
}

/** Unpacks tarballs. @param {string} project @param {{ name: string, folder: string, tarball: string }[]} packages */
function install(project, packages) {
  const modules = join(project, 'node_modules')
  for (const { name, tarball } of packages) {
    mkdirSync(join(modules, name), { recursive: true })
    step(
      `unpack ${name}`,
      ['tar', '-xzf', tarball, '--strip-components=1', '-C', join(modules, name)],
      project,
    )
  }
  // Links no other @types package than Node's, since users of a package do not have its development dependencies.
  mkdirSync(join(modules, '@types'))
  symlinkSync(join(ROOT, 'node_modules', '@types', 'node'), join(modules, '@types', 'node'))
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (!name.startsWith('.') && !existsSync(join(modules, name)))
      symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
  for (const { name, folder } of packages) {
    const ownModules = join(folder, 'node_modules')
    if (existsSync(ownModules)) linkOwnDependencies(ownModules, join(modules, name))
  }
}

/** Links the versions of dependencies that a package does not share with the workspace. @param {string} from @param {string} to */
function linkOwnDependencies(from, to) {
  for (const name of readdirSync(from, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && !entry.name.startsWith('.'),
  )) {
    mkdirSync(join(to, 'node_modules'), { recursive: true })
    symlinkSync(join(from, name.name), join(to, 'node_modules', name.name))
  }
}

/** Checks that a package has README and licence, no test files, and no source maps. @param {string} modules @param {string} name */
function checkFiles(modules, name) {
  const files = readdirSync(join(modules, name), { recursive: true, encoding: 'utf8' }).filter(
    (file) => !file.startsWith('node_modules'),
  )
  for (const required of ['README.md', 'LICENSE'])
    if (!files.includes(required)) fail(`${name} has its ${required}`, 'it is not in the tarball')
  // The Postgres package exports its folder `testing`, which starts a private server for other packages' tests.
  const isForTests = (/** @type {string} */ file) =>
    /(^|\/)testing\//.test(file) && name !== '@keepsake/postgres'
  const unwanted = files.filter((file) => /\.map$|\.test\.|tsbuildinfo/.test(file) || isForTests(file))
  if (unwanted.length > 0) fail(`${name} has no unneeded files`, unwanted.slice(0, 5).join('\n'))
  const dangling = files.filter(
    (file) =>
      file.endsWith('.js') && readFileSync(join(modules, name, file), 'utf8').includes('sourceMappingURL'),
  )
  if (dangling.length > 0) fail(`${name} names no missing source map`, dangling.slice(0, 5).join('\n'))
}

/** Writes the READMEs' programs to files, whose types are checked. @param {string} project @param {string[]} names */
function writeReadmePrograms(project, names) {
  for (const name of names) {
    const text = readFileSync(join(project, 'node_modules', name, 'README.md'), 'utf8')
    for (const [at, [, program = '']] of [...text.matchAll(/```(?:ts|js)\n([\s\S]*?)```/g)].entries())
      writeFileSync(join(project, `readme-${name.replace(/\W+/g, '-')}-${at}.ts`), program)
  }
}

/** @param {string} project */
function checkTypes(project) {
  const options = ['--noEmit', '--strict', '--target', 'es2022', '--types', 'node']
  const library = ['--lib', 'es2023,dom,dom.iterable,esnext.disposable']
  for (const [module, resolution] of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])
    step(
      `types under ${resolution}`,
      [
        'tsc',
        ...options,
        ...library,
        '--skipLibCheck',
        '--module',
        module ?? '',
        '--moduleResolution',
        resolution ?? '',
        ...readdirSync(project).filter((file) => file.endsWith('.ts')),
      ],
      project,
    )
  const old = join(ROOT, 'scripts', 'package', 'typescript-5.4', 'node_modules', 'typescript', 'bin', 'tsc')
  step(
    'types by TypeScript 5.4',
    [
      process.execPath,
      old,
      ...options,
      ...library,
      '--module',
      'nodenext',
      '--skipLibCheck',
      'false',
      '--moduleResolution',
      'nodenext',
      'types.ts',
    ],
    project,
  )
}

/** Checks a bundle that keeps the engine as an external module, as docs/quickstart.md recommends. @param {string} project */
async function checkBundle(project) {
  await build({
    absWorkingDir: project,
    entryPoints: ['use.mjs'],
    outfile: 'bundled/use.mjs',
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['keepsake', 'keepsake/*'],
    logLevel: 'silent',
  })
  step('use from a bundle', [process.execPath, 'bundled/use.mjs'], project)
}

/** @param {string} project */
async function checkVite(project) {
  await viteBuild({
    root: project,
    logLevel: 'silent',
    configFile: false,
    build: { ssr: 'use.mjs', outDir: 'by-vite', emptyOutDir: true },
  })
  step('use from a bundle of Vite', [process.execPath, 'by-vite/use.js'], project)
}

/** Checks that the files found by a file tracer are complete and sufficient to run. @param {string} project @param {string} folder */
async function checkTrace(project, folder) {
  const { fileList } = await nodeFileTrace([join(project, 'use.mjs')], { base: '/' })
  const copy = join(folder, 'traced')
  for (const file of fileList)
    cpSync(join('/', file), join(copy, file), { recursive: true, verbatimSymlinks: true })
  const missing = readdirSync(join(project, 'node_modules', 'keepsake', 'data'))
    .filter((file) => /\.(bin|json)$/.test(file))
    .filter((file) => ![...fileList].some((traced) => traced.endsWith(`keepsake/data/${file}`)))
  if (missing.length > 0) fail('files that a tracer finds', missing.join('\n'))
  step('use of the traced files', [process.execPath, join(copy, project, 'use.mjs')], copy)
}

async function main(/** @type {string} */ folder) {
  const project = join(folder, 'project')
  cpSync(PROJECT, project, { recursive: true })
  const packages = packInto(publishedPackages(), folder)
  for (const { name, tarball } of packages) await lintTarball(name, tarball)
  install(project, packages)
  for (const { name } of packages) checkFiles(join(project, 'node_modules'), name)
  step('use from an ES module', [process.execPath, 'use.mjs'], project)
  step('the contract of stores', [process.execPath, 'contract.mjs'], project)
  step('use through require', [process.execPath, 'use.cjs'], project)
  step(
    'the command line',
    [process.execPath, join('node_modules', '@keepsake', 'cli', 'bin', 'keepsake.mjs'), 'recall', '--help'],
    project,
  )
  writeReadmePrograms(project, ['keepsake', '@keepsake/server', '@keepsake/client'])
  checkTypes(project)
  await checkBundle(project)
  await checkVite(project)
  await checkTrace(project, folder)
  console.log(
    failures.length === 0
      ? `${packages.length} packages packed, installed, imported, required, bundled, traced, type-checked`
      : `failed: ${failures.join(', ')}`,
  )
  process.exitCode = failures.length === 0 ? 0 : 1
}

const folder = mkdtempSync(join(tmpdir(), 'keepsake-package-'))
try {
  await main(folder)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
