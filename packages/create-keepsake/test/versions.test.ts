import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import {
  currentVersion,
  nameCurrentVersion,
  staleVersions,
} from '../../../scripts/package/raise-versions.mjs'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const copy = mkdtempSync(join(tmpdir(), 'keepsake-versions-'))
afterAll(() => rmSync(copy, { recursive: true, force: true }))

const TEMPLATE = 'packages/create-keepsake/template/package.json'
const NAMING = [
  'packages/keepsake/package.json',
  TEMPLATE,
  'examples/quickstart-next/package.json',
  'examples/quickstart-next/README.md',
  'clients/python/pyproject.toml',
]

describe('the version of the packages', () => {
  it('is the one that the chat to be made, the quickstarts, the pages and the Python client name', () => {
    expect(staleVersions(ROOT)).toEqual([])
  })

  it('is named by all of them once it is raised, and by none before', () => {
    for (const file of NAMING) {
      mkdirSync(join(copy, dirname(file)), { recursive: true })
      cpSync(join(ROOT, file), join(copy, file))
    }
    const [described = ''] = NAMING
    const text = readFileSync(join(copy, described), 'utf8')
    writeFileSync(join(copy, described), text.replace(/("version": ")[^"]+/, '$198.7.6-next.5'))
    for (const file of NAMING.slice(1)) expect(staleVersions(copy).join('\n')).toContain(file)
    nameCurrentVersion(copy)
    expect(staleVersions(copy)).toEqual([])
    const { dependencies } = JSON.parse(readFileSync(join(copy, TEMPLATE), 'utf8')) as {
      dependencies: object
    }
    expect(dependencies).toMatchObject({ '@keepsake/models': '^98.7.6-next.5', keepsake: '^98.7.6-next.5' })
    const page = readFileSync(join(copy, 'examples/quickstart-next/README.md'), 'utf8')
    expect(page).toContain('keepsake-models-98.7.6-next.5.tgz')
    expect(page).not.toContain(currentVersion(ROOT))
  })
})
