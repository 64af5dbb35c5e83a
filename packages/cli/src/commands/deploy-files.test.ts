import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Deployment, type IDeployment } from 'kubernetes-models/apps/v1'
import {
  PersistentVolumeClaim,
  Service,
  type IPersistentVolumeClaim,
  type IService,
} from 'kubernetes-models/v1'
import { parse as parseToml } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { run } from '../testing/run-command.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const read = (path: string) => readFileSync(ROOT + path, 'utf8')

interface ComposeService {
  readonly image?: string
  readonly command?: readonly string[]
  readonly build?: { readonly context: string; readonly dockerfile: string }
  readonly depends_on?: Readonly<Record<string, unknown>>
  readonly secrets?: readonly string[]
  readonly volumes?: readonly string[]
}
interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>
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

describe('the manifests of Kubernetes and Fly.io', () => {
  it('fit the schemas of Kubernetes and start the server with options that it has', async () => {
    const documents = parseAllDocuments(read('deploy/kubernetes.yaml')).map(
      (document) => document.toJS() as object,
    )
    const [claim, deployment, service] = documents as [IPersistentVolumeClaim, IDeployment, IService]
    new PersistentVolumeClaim(claim).validate()
    new Deployment(deployment).validate()
    new Service(service).validate()
    // The schemas refuse what they do not know.
    expect(() => new Deployment({ ...deployment, spec: { replicas: 'one' } as never }).validate()).toThrow()

    const { containers, volumes } = deployment.spec?.template.spec ?? { containers: [] }
    const [container] = containers
    const options = await serveOptions()
    expect(container?.args?.[0]).toBe('serve')
    for (const option of container?.args?.filter((word) => word.startsWith('--')) ?? [])
      expect(options).toContain(option)
    expect(volumes?.map(({ name }) => name)).toEqual(container?.volumeMounts?.map(({ name }) => name))
    expect(volumes?.[0]?.persistentVolumeClaim?.claimName).toBe(claim.metadata?.name)
    expect(service.spec?.selector).toEqual(deployment.spec?.selector.matchLabels)
  })

  it('name the port, the folder and the health route of the image', () => {
    const fly = parseToml(read('deploy/fly.toml')) as unknown as {
      readonly build: { readonly dockerfile: string }
      readonly mounts: readonly { readonly destination: string }[]
      readonly http_service: {
        readonly internal_port: number
        readonly checks: readonly { readonly path: string }[]
      }
    }
    const image = read('deploy/Dockerfile')
    expect(existsSync(`${ROOT}deploy/${fly.build.dockerfile}`)).toBe(true)
    expect(image).toContain(`EXPOSE ${fly.http_service.internal_port}`)
    expect(image).toContain(`VOLUME ${fly.mounts[0]?.destination}`)
    expect(image).toContain(fly.http_service.checks[0]?.path)
  })
})
