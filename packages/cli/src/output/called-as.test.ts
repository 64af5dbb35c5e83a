import { expect, it } from 'vitest'
import { calledAs } from './print.ts'

it.each([
  [{ PATH: '/usr/bin' }, 'keepsake'],
  [{ npm_command: 'exec', PATH: '/home/ana/app/node_modules/.bin:/usr/bin' }, 'npx keepsake'],
  [{ npm_command: 'run-script', PATH: '/home/ana/app/node_modules/.bin:/usr/bin' }, 'npx keepsake'],
  [{ npm_command: 'exec', PATH: '/home/ana/.npm/_npx/ab12/node_modules/.bin:/usr/bin' }, 'npx @keepsake/cli'],
  [{ npm_command: 'exec', Path: 'C:\\npm\\_npx\\ab12\\node_modules\\.bin;C:\\bin' }, 'npx @keepsake/cli'],
])('in %j the command is run again by %s', (env, name) => {
  expect(calledAs({ env })).toBe(name)
})
