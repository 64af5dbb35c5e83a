import { mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  explainNpmFailure,
  isInstalled,
  nodeBinary,
  npmCommand,
  withOwnNode,
} from '../../../scripts/setup-steps.mjs'
import { temporaryFolder } from '../src/testing/temporary-folder.ts'

const folder = temporaryFolder()

type Packages = Record<string, { version?: string; link?: boolean; optional?: boolean }>

/** A repository with this lockfile, and these packages installed. */
function repository(name: string, locked: Packages, installed: Packages | null, hasNode = true): string {
  const root = join(folder, name)
  mkdirSync(dirname(nodeBinary(root)), { recursive: true })
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: locked }))
  if (installed !== null)
    writeFileSync(join(root, 'node_modules', '.package-lock.json'), JSON.stringify({ packages: installed }))
  if (hasNode) writeFileSync(nodeBinary(root), '')
  return root
}

const LOCKED: Packages = {
  '': {},
  'node_modules/a': { version: '1.0.0' },
  'node_modules/b': { version: '2.0.0', optional: true },
}

describe('whether the repository is installed', () => {
  it('is so when every package that is not optional is there at its locked version', () => {
    expect(isInstalled(repository('whole', LOCKED, { 'node_modules/a': { version: '1.0.0' } }))).toBe(true)
  })

  it('is not on a fresh clone, after an interrupted install, with another version, or without its Node', () => {
    expect(isInstalled(join(folder, 'nowhere'))).toBe(false)
    expect(isInstalled(repository('interrupted', LOCKED, null))).toBe(false)
    expect(isInstalled(repository('older', LOCKED, { 'node_modules/a': { version: '0.9.0' } }))).toBe(false)
    expect(
      isInstalled(repository('nodeless', LOCKED, { 'node_modules/a': { version: '1.0.0' } }, false)),
    ).toBe(false)
  })

  it('is not while a half-written record lies there', () => {
    const root = repository('broken', LOCKED, {})
    writeFileSync(join(root, 'node_modules', '.package-lock.json'), '{"packa')
    expect(isInstalled(root)).toBe(false)
  })
})

describe('which npm is called', () => {
  it('is the one that runs us, by the Node that runs us', () => {
    const cli = join(folder, 'npm-cli.js')
    writeFileSync(cli, '')
    expect(npmCommand('/r', { npm_execpath: cli }, ['ci'], '/usr/bin/node')).toMatchObject({
      command: '/usr/bin/node',
      args: [cli, 'ci'],
    })
  })

  it('is the one on PATH otherwise, also under another package manager', () => {
    expect(npmCommand('/r', {}, ['ci'], '/usr/bin/node')).toMatchObject({ command: 'npm', args: ['ci'] })
    expect(npmCommand('/r', { npm_execpath: '/opt/yarn/yarn.js' }, ['ci'], '/usr/bin/node').command).toBe(
      'npm',
    )
  })

  it("is not run by the repository's own Node, which the install replaces", () => {
    const bin = join('/r', 'node_modules', '.bin')
    const env = { npm_execpath: join(folder, 'npm-cli.js'), PATH: [bin, '/usr/bin'].join(delimiter) }
    const npm = npmCommand('/r', env, ['ci'], join('/r', 'node_modules', 'node', 'bin', 'node'))
    expect(npm).toMatchObject({ command: 'npm', env: { PATH: '/usr/bin' } })
  })
})

it("the repository's own Node comes first on PATH, whatever PATH is called", () => {
  expect(withOwnNode('/r', { Path: '/usr/bin' })['Path']).toBe(
    `${join('/r', 'node_modules', '.bin')}${delimiter}/usr/bin`,
  )
})

describe('a failed npm', () => {
  it.each([
    'npm error code ENOTFOUND',
    'npm error network request failed, reason: connect ECONNREFUSED 127.0.0.1:9',
    'npm error code E503',
  ])('is one sentence about the network for: %s', (output) =>
    expect(explainNpmFailure(output)).toMatch(/^The package registry could not be reached \(\w+\)/),
  )

  it('is not explained away when the cause is another', () => {
    expect(explainNpmFailure('npm error code EUSAGE')).toBeNull()
  })
})
