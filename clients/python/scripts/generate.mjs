// Generates models.py, routes.py and async_routes.py of the Python client from the server's openapi.json, unless they are up to date with it
// and with these programs. The files are not in git: the build generates them. With --check it generates nothing, and fails when they are
// out of date.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { routeMethods } from './python-routes.mjs'
import { PythonTypes } from './python-types.mjs'

const pathOf = (/** @type {string} */ relative) => fileURLToPath(new URL(relative, import.meta.url))
const DESCRIPTION = readFileSync(pathOf('../../../packages/server/openapi.json'), 'utf8')
const PROGRAMS = ['generate.mjs', 'python-routes.mjs', 'python-types.mjs'].map((file) =>
  readFileSync(pathOf(file), 'utf8'),
)
const HASH = createHash('sha256')
  .update([DESCRIPTION, ...PROGRAMS].join('\n'))
  .digest('hex')
const HEADER = `# Made from the server's description by clients/python/scripts/generate.mjs; not to be edited.
# sha256 of both: ${HASH}
from __future__ import annotations

`

/** @param {PythonTypes} types */
function writeModels(types) {
  const definitions = types.definitions()
  const names = definitions.map(([name]) => `    "${name}",`).join('\n')
  return `"""Types of the JSON that requests and answers contain, with the names of the server's description."""
${HEADER}from datetime import datetime
from typing import Any, Literal, NotRequired, Sequence, TypeAlias, TypedDict

__all__ = [
${names}
]

${definitions.map(([, text]) => text).join('\n\n\n')}
`
}

/** @param {object} document @param {PythonTypes} types @param {boolean} isAsync */
function writeRoutes(document, types, isAsync) {
  const { scope, server } = routeMethods(document, types, isAsync)
  const caller = isAsync ? 'AsyncCaller' : 'Caller'
  const prefix = isAsync ? 'Async' : ''
  return `"""Every route of the server${isAsync ? ', to be awaited' : ''}."""
${HEADER}from collections.abc import ${isAsync ? 'AsyncGenerator' : 'Iterator'}, Sequence
from datetime import datetime
from typing import Any, Literal

from . import models
from ._call import UNSET, Call, Lines, Unset, given, listed, nullable
from ._${isAsync ? 'async_' : ''}caller import ${caller}${isAsync ? '' : ', Stream'}


class ${prefix}ScopeRoutes(${caller}):
    """The routes about one user's memory."""

${scope.join('\n\n')}


class ${prefix}ServerRoutes(${caller}):
    """The routes about the whole server, for a key with \`admin\`."""

${server.join('\n\n')}
`
}

/** @returns {[string, string][]} */
function filesOf() {
  const document = JSON.parse(DESCRIPTION)
  const types = new PythonTypes(document)
  return [
    ['routes.py', writeRoutes(document, types, false)],
    ['async_routes.py', writeRoutes(document, types, true)],
    ['models.py', writeModels(types)],
  ]
}

const folder = pathOf('../src/keepsake_client/')
const isCurrent = ['models.py', 'routes.py', 'async_routes.py'].every(
  (file) => existsSync(folder + file) && readFileSync(folder + file, 'utf8').includes(HASH),
)
if (process.argv.includes('--check')) {
  if (!isCurrent) {
    console.error('The Python client is not of openapi.json: node clients/python/scripts/generate.mjs')
    process.exitCode = 1
  }
} else if (!isCurrent) for (const [file, text] of filesOf()) writeFileSync(folder + file, text)
