import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { run } from '../testing/run-command.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const read = (path: string) => readFileSync(ROOT + path, 'utf8')

interface Service {
  readonly image?: string
  readonly command?: readonly string[]
  readonly build?: { readonly context: string; readonly dockerfile: string }
  readonly depends_on?: Readonly<Record<string, unknown>>
  readonly secrets?: readonly string[]
  readonly volumes?: readonly string[]
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: object
  readonly secrets: object
}

/** Options of `keepsake serve` as its help has them. */
async function serveOptions(): Promise<ReadonlySet<string>> {
  const { out } = await run(['serve', '--help'])
  return new Set(out.match(/--[\w-]+/g))
}

describe('the compose file', () => {
  const compose = parse(read('deploy/compose.yaml')) as Compose
  const services = Object.values(compose.services)

  it('names only what it has: services, volumes, secrets, files', () => {
    for (const { depends_on = {}, secrets = [], volumes = [], build } of services) {
      for (const name of Object.keys(depends_on)) expect(Object.keys(compose.services)).toContain(name)
      for (const name of secrets) expect(Object.keys(compose.secrets)).toContain(name)
      for (const volume of volumes) expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0])
      if (build !== undefined) expect(existsSync(ROOT + build.dockerfile)).toBe(true)
    }
  })

  it('starts the server with options that it has', async () => {
    const options = await serveOptions()
    const given = compose.services['server']?.command?.filter((one) => one.startsWith('--')) ?? []
    expect(given.length).toBeGreaterThan(2)
    for (const option of given) expect(options).toContain(option)
  })
})

describe('the image and the units', () => {
  it('start what is there, with options that it has', async () => {
    const options = await serveOptions()
    const starts = [
      /^CMD \["serve".*$/m.exec(read('deploy/Dockerfile'))?.[0],
      /^ExecStart=.*serve.*$/m.exec(read('deploy/systemd/keepsake.service'))?.[0],
    ]
    for (const start of starts) {
      const given = start?.match(/--[\w-]+/g) ?? []
      expect(given.length).toBeGreaterThan(0)
      for (const option of given) expect(options).toContain(option)
    }
    expect(existsSync(`${ROOT}packages/cli/bin/keepsake.mjs`)).toBe(true)
  })
})
