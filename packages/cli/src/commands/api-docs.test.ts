import { readFileSync } from 'node:fs'
import { openMemory } from 'keepsake'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../commands.ts'

const read = (path: string): string => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8')

/** The rows of the table of calls: the cells of TypeScript, Python, MCP and the command line. */
const ROWS = read('docs/api.md')
  .split('\n')
  .filter((line) => /^\| (?!does|--)/.test(line))
  .map((line) => line.split('|').slice(2, 6))
const namesOf = (column: number): string[] =>
  ROWS.flatMap((cells) => /`([^`]+)`/.exec(cells[column] ?? '')?.[1] ?? [])

describe('the table of calls', () => {
  it('names methods of the library and of both clients', async () => {
    await using keepsake = await openMemory({ path: ':memory:' })
    const scope = keepsake.scope({ user: 'ana' })
    const client = ['client', 'reading']
      .map((name) => read(`packages/client/src/scope-${name}.ts`))
      .join('\n')
    for (const name of namesOf(0)) {
      const isMarked = ROWS.some(([cell = '']) => cell.includes(`\`${name}\`¹`))
      expect([name, name in (isMarked ? scope.admin : scope)]).toEqual([name, true])
      expect(client).toMatch(new RegExp(`^  (?:async )?\\*?${name}\\(`, 'm'))
    }
    const routes = read('clients/python/src/keepsake_client/routes.py')
    for (const name of namesOf(1)) expect(routes).toContain(`    def ${name}(`)
  })

  it('names tools and commands that there are', () => {
    const files = ['block-tools', 'change-tools', 'due', 'entities', 'list-memories', 'recall', 'remember']
    const tools = files.map((name) => read(`packages/server/src/mcp/tools/${name}.ts`)).join('\n')
    for (const name of namesOf(2)) expect(tools).toContain(`  name: '${name}',`)
    const commands = Object.values(COMMANDS).flatMap((group) => Object.keys(group))
    expect(namesOf(3).filter((name) => !commands.includes(name))).toEqual([])
    expect(ROWS.length).toBeGreaterThan(20)
  })
})
