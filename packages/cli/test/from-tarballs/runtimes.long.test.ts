import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Tarballs } from './tarballs.ts'

const LIBRARY = `
import { openMemory } from 'keepsake'
const keepsake = await openMemory({ path: 'memory.db' })
const ana = keepsake.scope({ user: 'ana' })
await ana.remember({ role: 'user', text: 'I moved to Lyon last week.' })
await ana.drain()
console.log((await ana.recall('Where does Ana live?')).context.text)
console.log('turns erased:', (await ana.erase({ everything: true })).turns)
await keepsake.close()
console.log('closed')
`
const SERVER = `
import { createKeepsakeClient } from '@keepsake/client'
import { openServer } from '@keepsake/server'
import { openMemory } from 'keepsake'
const keepsake = await openMemory({ path: ':memory:' })
const server = await openServer({ keepsake, port: 0, unlocked: true })
const ana = createKeepsakeClient({ baseUrl: server.url }).scope({ user: 'ana' })
await ana.remember({ role: 'user', text: 'I moved to Lyon last week.' })
console.log((await ana.recall('Where does Ana live?')).context.text)
await server.close()
await keepsake.close()
console.log('closed')
`
/** The package that holds the program, for Linux with glibc on x64: nothing else is loaded at its install. */
const RUNTIMES = [
  { name: 'Deno', bundled: '@deno/linux-x64-glibc', at: 'deno', args: ['run', '--allow-all', '--no-prompt'] },
  { name: 'Bun', bundled: '@oven/bun-linux-x64', at: join('bin', 'bun'), args: ['run'] },
] as const

let tarballs: Tarballs
let project = ''
let problem: string | null = null
beforeAll(() => {
  tarballs = new Tarballs()
  project = join(tarballs.folder, 'project')
  mkdirSync(project)
  const dependencies = { '@keepsake/client': '*', '@keepsake/server': '*', keepsake: '*' }
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies }),
  )
  problem = tarballs.install(project)
  writeFileSync(join(project, 'library.mjs'), LIBRARY)
  writeFileSync(join(project, 'server.mjs'), SERVER)
})
afterAll(() => tarballs.remove(), 120_000)

describe.each(RUNTIMES)('$name, from the tarballs', ({ name, bundled, at, args }) => {
  let runtime: string | null = null

  beforeAll(() => {
    const npm = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']
    const home = join(tarballs.folder, name)
    mkdirSync(home)
    writeFileSync(join(home, 'package.json'), '{ "private": true }')
    spawnSync('npm', [...npm, bundled], { cwd: home })
    const own = join(home, 'node_modules', bundled, at)
    runtime = existsSync(own) && spawnSync(own, ['--version']).status === 0 ? own : onPath(name.toLowerCase())
    if (runtime === null) process.stderr.write(`Skipped: ${name} cannot be had here.\n`)
  })

  for (const program of ['library.mjs', 'server.mjs'])
    it(`runs ${program}`, (context) => {
      context.skip(runtime === null || problem !== null, problem ?? `${name} cannot be had here`)
      rmSync(join(project, 'memory.db'), { force: true })
      const ran = spawnSync(runtime ?? '', [...args, program], {
        cwd: project,
        encoding: 'utf8',
        timeout: 100_000,
      })
      expect(ran.status, ran.stdout + ran.stderr).toBe(0)
      expect(ran.stdout).toContain('Lyon')
      expect(ran.stdout).toContain('closed')
    })
})

function onPath(program: string): string | null {
  return spawnSync(program, ['--version']).status === 0 ? program : null
}
