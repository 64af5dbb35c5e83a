import { expect, it } from 'vitest'
import { CliError } from './cli-error.ts'
import { loadPackage } from './load-package.ts'

/** As Node says it: the message names what was looked for. */
function notFound(name: string): Error {
  const message = `Cannot find package '${name}' imported from /a/b.js`
  return Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' })
}

it('hands out what was loaded', async () => {
  expect(await loadPackage('node:path', () => import('node:path'))).toHaveProperty('join')
})

it('says how to install what is not there', async () => {
  const name = '@keepsake/nowhere'
  const failed: unknown = await loadPackage(name, () => Promise.reject(notFound(name))).catch(
    (error) => error,
  )
  expect(failed).toBeInstanceOf(CliError)
  expect(String(failed)).toMatch(
    /The package @keepsake\/nowhere is not installed\. Run "npm install @keepsake\/nowhere"/,
  )
})

it('passes on any other failure, that of a package which the package itself needs included', async () => {
  const inner = notFound('zod')
  await expect(loadPackage('@keepsake/bench', () => Promise.reject(inner))).rejects.toBe(inner)
  const broken = new SyntaxError('Unexpected token')
  await expect(loadPackage('@keepsake/bench', () => Promise.reject(broken))).rejects.toBe(broken)
})
