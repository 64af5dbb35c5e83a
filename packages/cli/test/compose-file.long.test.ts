import { execFile, spawnSync } from 'node:child_process'
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { findPostgres, PostgresServer, whyNoServer } from '@keepsake/postgres/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { endPrograms, Program } from './from-tarballs/programs.ts'
import { temporaryFolder } from '../src/testing/temporary-folder.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const SECRET = '/run/secrets/postgres-password'
const PASSWORD = 'a "word" with $igns and spaces'
const reason = whyNoServer()
// oxlint-disable-next-line no-console -- whoever reads the run is told what it left out
if (reason !== null) console.warn(`The compose file on a real Postgres is left out: ${reason}.`)

interface Compose {
  readonly services: {
    readonly postgres: {
      readonly environment: Readonly<Record<string, string>>
      readonly healthcheck: { readonly test: readonly [string, string] }
    }
    readonly server: {
      readonly entrypoint: readonly string[]
      readonly command: readonly string[]
      readonly ports: readonly string[]
    }
  }
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
}

/** What Compose makes of a value: variables with their defaults, and `$$` for a sign. */
function interpolated(value: string, env: Readonly<Record<string, string>>): string {
  return value.replaceAll(/\$(?:\$|\{(\w+):-([^}]*)\})/g, (_, name?: string, otherwise = '') =>
    name === undefined ? '$' : (env[name] ?? otherwise),
  )
}

const folder = temporaryFolder()
const { services, secrets } = parse(readFileSync(join(ROOT, 'deploy/compose.yaml'), 'utf8')) as Compose
let postgres: PostgresServer

/**
 * The words that the container of the server would be started with, as the file says: its secret, its host and its ports are this machine's.
 * @param command in place of the file's, as `docker compose run --rm server …` has it
 */
function started(command: readonly string[], env: Readonly<Record<string, string>> = {}): string[] {
  return [...services.server.entrypoint, ...command].map((word) =>
    interpolated(word, env)
      .replaceAll(SECRET, join(folder, 'postgres-password'))
      .replace('@postgres/', `@127.0.0.1:${postgres.port}/`)
      .replace(/^0\.0\.0\.0$/, '127.0.0.1'),
  )
}

/** The image puts the command where it is found: `ln -s … /usr/local/bin/keepsake`. */
const PATH = [folder, process.env['PATH']].join(delimiter)

async function serve(env: Readonly<Record<string, string>>): Promise<{ server: Program; url: string }> {
  const [command = '', ...args] = started(services.server.command, env)
  const server = new Program(command, [...args, '--port', '0'], { cwd: folder, env: { PATH } })
  const [url = ''] = await server.says(/http:\/\/127\.0\.0\.1:\d+/, 240_000)
  return { server, url }
}

describe.skipIf(reason !== null)('the compose file, followed line by line', () => {
  beforeAll(async () => {
    const { POSTGRES_USER: user = '', POSTGRES_DB: database = '' } = services.postgres.environment
    symlinkSync(join(ROOT, 'packages/cli/bin/keepsake.mjs'), join(folder, 'keepsake'))
    writeFileSync(join(folder, 'postgres-password'), `${PASSWORD}\n`)
    postgres = await PostgresServer.start()
    // As its image makes it: one user with the secret for a password, which is asked for, and one database.
    await postgres.ask(`ALTER USER ${user} PASSWORD '${PASSWORD}'`, user)
    await postgres.ask(`CREATE DATABASE ${database}`, user)
    writeFileSync(join(postgres.data, 'pg_hba.conf'), 'host all all 127.0.0.1/32 scram-sha-256\n')
    await postgres.ask('SELECT pg_reload_conf()', user)
  })
  afterAll(async () => {
    endPrograms()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('has its secret in the file that it names, and asks whether Postgres is ready as it says', () => {
    expect(Object.values(secrets)).toEqual([{ file: './postgres-password' }])
    expect(services.postgres.environment['POSTGRES_PASSWORD_FILE']).toBe(SECRET)
    const [kind, test] = services.postgres.healthcheck.test
    expect(kind).toBe('CMD-SHELL')
    const env = {
      PATH: [findPostgres(), PATH].join(delimiter),
      PGHOST: '127.0.0.1',
      PGPORT: String(postgres.port),
    }
    const asked = spawnSync('sh', ['-c', test], { env, encoding: 'utf8' })
    expect(asked.status, asked.stdout + asked.stderr).toBe(0)
  })

  it('serves with as many processes as are asked for, by the password of its secret, and ends when it is told', async () => {
    const [command = '', ...args] = started(['keys', 'create', '--name', 'app', '--db', databaseOf()])
    const made = await promisify(execFile)(command, args, { cwd: folder, env: { ...process.env, PATH } })
    const headers = { Authorization: `Bearer ${made.stdout.trim()}`, 'Content-Type': 'application/json' }
    const first = await serve({ KEEPSAKE_WORKERS: '2' })
    const ready = (await (await fetch(`${first.url}/readyz`)).json()) as { workers: object }
    expect(ready.workers).toMatchObject({ serving: 2, wanted: 2 })
    const turns = [{ role: 'user', text: 'I keep four hives of bees on my roof.' }]
    const kept = await fetch(`${first.url}/v1/scopes/ana/turns`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ turns }),
    })
    expect(kept.status, await kept.text()).toBe(201)
    expect(await first.server.end()).toBe(0)
    // Started again, it has what it had; without keys it answers nobody.
    const again = await serve({ KEEPSAKE_WORKERS: '1' })
    const question = JSON.stringify({ question: 'Where are my bees?' })
    const path = `${again.url}/v1/scopes/ana/recall`
    const found = await fetch(path, { method: 'POST', headers, body: question })
    expect(await found.text()).toContain('four hives')
    const { Authorization: _key, ...without } = headers
    expect((await fetch(path, { method: 'POST', headers: without, body: question })).status).toBe(401)
    expect(await again.server.end()).toBe(0)
  }, 600_000)

  it('is refused by Postgres with another password', async () => {
    writeFileSync(join(folder, 'postgres-password'), 'another\n')
    const [command = '', ...args] = started(['keys', 'list', '--db', databaseOf()])
    const asked = promisify(execFile)(command, args, { cwd: folder, env: { ...process.env, PATH } })
    await expect(asked).rejects.toThrow(/password authentication failed/)
  })

  it('has four processes where nobody says how many, at a port of this machine alone', () => {
    const words = started(services.server.command)
    expect(words[words.indexOf('--workers') + 1]).toBe('4')
    expect(services.server.ports).toEqual(['127.0.0.1:4150:4150'])
  })
})

/** The address that its command names. */
function databaseOf(): string {
  const { command } = services.server
  return command[command.indexOf('--db') + 1] ?? ''
}
