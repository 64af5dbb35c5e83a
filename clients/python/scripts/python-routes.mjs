// Writes the routes of the description as methods of Python classes, for the client with and the client without `await`.
import { docWords, pascalCase, refName, snakeCase } from './python-types.mjs'

/** @typedef {import('./python-types.mjs').Schema} Schema */
/** @typedef {{ name: string, key: string, type: string, isRequired: boolean, about: string }} Argument */
/** @typedef {{ kind: 'json' | 'events' | 'reply' | 'lines' | 'pages', type: string, field?: string }} Answer how a route answers, and with what */

const SCOPE_PATH = '/v1/scopes/{user}'
/** Parameters that name a scope. The scope object adds them to each call. */
const SCOPE_PARAMETERS = new Set(['user', 'tenant', 'agent', 'app'])
const INDENT = '        '
const MAX_LINE_LENGTH = 110

/**
 * Returns the methods of all routes: those about one user, and those about the whole server.
 *
 * @param {Schema} document
 * @param {import('./python-types.mjs').PythonTypes} types
 * @param {boolean} isAsync
 */
export function routeMethods(document, types, isAsync) {
  /** @type {{ scope: string[], server: string[] }} */
  const methods = { scope: [], server: [] }
  for (const [path, operations] of Object.entries(document['paths']))
    for (const [verb, operation] of Object.entries(operations)) {
      const owner = path.startsWith(SCOPE_PATH) ? methods.scope : methods.server
      owner.push(...new Route({ document, types, path, verb, operation }).methods(isAsync))
    }
  return methods
}

/**
 * Returns a route's name in Python. As in the TypeScript client, it has no “get” or “list”, and no name of the scope.
 *
 * @param {string} id the operation's name in the description
 * @example
 * methodName('listMemories') // 'memories'
 * methodName('editMemory') // 'edit'
 */
export function methodName(id) {
  const [, verb, object] =
    /^(edit|forget|restore|pin|unpin|release|undo|export)(Memory|Operation|Scope)$/.exec(id) ?? []
  if (verb !== undefined && object !== undefined) return verb
  const short = id.replace(/^(get|list)(Memory|Scope)?(?=[A-Z]|$)/, (whole, _, of) =>
    whole === id ? of : '',
  )
  return snakeCase(short.replace(/^retryScope/, 'retry'))
}

/** Writes the methods of one route. */
class Route {
  #schemas
  #types
  #path
  #verb
  /** @type {Schema} */
  #operation

  /** @param {{ document: Schema, types: import('./python-types.mjs').PythonTypes, path: string, verb: string, operation: Schema }} route */
  constructor({ document, types, path, verb, operation }) {
    this.#schemas = document['components'].schemas
    this.#types = types
    this.#path = path
    this.#verb = verb.toUpperCase()
    this.#operation = operation
  }

  /** Writes one method for each form of the answer. @param {boolean} isAsync */
  methods(isAsync) {
    const name = methodName(this.#operation['operationId'])
    const answers = this.#answers()
    return answers.map((answer) => {
      const isSecond = answers.length > 1 && answer.kind !== 'json'
      return this.#method(isSecond ? `${name}_stream` : name, answer, isAsync)
    })
  }

  /** @returns {Answer[]} */
  #answers() {
    const [, { content }] = Object.entries(this.#operation['responses']).find(([status]) =>
      status.startsWith('2'),
    ) ?? ['', {}]
    return Object.entries(/** @type {Schema} */ (content ?? {})).map(([media, { schema }]) => {
      if (media === 'application/x-ndjson') return { kind: 'lines', type: 'str' }
      if (media !== 'text/event-stream') return this.#pageOf(schema) ?? this.#jsonOf(schema)
      const [, named = 'Event'] = /`(\w+)`/.exec(schema.description ?? '') ?? []
      const events = (this.#schemas[named]?.oneOf ?? []).map(
        (/** @type {Schema} */ one) => one['properties'].event.enum[0],
      )
      return { kind: events.includes('end') ? 'reply' : 'events', type: `models.${named}` }
    })
  }

  /** @param {Schema} schema @returns {Answer} */
  #jsonOf(schema) {
    const name = pascalCase(this.#operation['operationId'])
    return { kind: 'json', type: this.#types.typeOf(schema, `${name}Answer`, { prefix: 'models.' }) }
  }

  /** Recognises an answer in pages: a list with `next` and no other field, by a route with a cursor. @param {Schema} schema @returns {Answer | null} */
  #pageOf(schema) {
    const name = refName(schema['$ref'] ?? '')
    const { next, ...others } = this.#schemas[name]?.properties ?? {}
    const [[field, list] = ['', undefined], ...more] = Object.entries(others)
    const takesCursor = this.#parameters('query').some(({ key }) => key === 'cursor')
    if (!takesCursor || next === undefined || more.length > 0 || list?.items === undefined) return null
    return {
      kind: 'pages',
      type: this.#types.typeOf(list.items, `${name}Item`, { prefix: 'models.' }),
      field,
    }
  }

  /** @param {'path' | 'query'} place @returns {Argument[]} */
  #parameters(place) {
    const isScope = this.#path.startsWith(SCOPE_PATH)
    return (this.#operation['parameters'] ?? [])
      .filter((/** @type {Schema} */ { in: where }) => where === place)
      .filter((/** @type {Schema} */ { name }) => !isScope || !SCOPE_PARAMETERS.has(name))
      .map((/** @type {Schema} */ { name, schema, required, description }) =>
        this.#argument(
          name,
          { description, ...schema },
          required === true,
          pascalCase(this.#operation['operationId']),
        ),
      )
  }

  /** @param {string} key @param {Schema} schema @param {boolean} isRequired @param {string} owner @returns {Argument} */
  #argument(key, schema, isRequired, owner) {
    const type = this.#types.typeOf(schema, owner + pascalCase(key), { isInput: true, prefix: 'models.' })
    return { name: snakeCase(key), key, type, isRequired, about: schema['description'] ?? '' }
  }

  /** Returns the arguments for the body, and how they are passed to the call. @returns {{ taken: Argument[], callArguments: string[] }} */
  #body() {
    const content = this.#operation['requestBody']?.content ?? {}
    if ('application/x-ndjson' in content) {
      const about = 'JSON lines: text, bytes, or pieces of either, such as an open file.'
      return {
        taken: [{ name: 'lines', key: 'lines', type: 'Lines', isRequired: true, about }],
        callArguments: ['lines=lines'],
      }
    }
    if ('application/octet-stream' in content) {
      const about = 'The file: text, bytes, or pieces of either, such as an open file.'
      return {
        taken: [{ name: 'file', key: 'file', type: 'Lines', isRequired: true, about }],
        callArguments: ['lines=file', 'media_type="application/octet-stream"'],
      }
    }
    const schema = content['application/json']?.schema
    if (schema === undefined) return { taken: [], callArguments: [] }
    const name = refName(schema['$ref'] ?? '') || `${pascalCase(this.#operation['operationId'])}Body`
    const { properties, required = [], description = '' } = this.#schemas[name] ?? schema
    if (properties === undefined) {
      const type = this.#types.typeOf(schema, name, { isInput: true, prefix: 'models.' })
      return {
        taken: [{ name: 'body', key: 'body', type, isRequired: true, about: description }],
        callArguments: ['body=body'],
      }
    }
    const taken = Object.entries(properties).map(([key, property]) =>
      this.#argument(key, property, required.includes(key), name),
    )
    return { taken, callArguments: [`body=${givenBy(taken)}`] }
  }

  /** @param {string} name @param {Answer} answer @param {boolean} isAsync */
  #method(name, answer, isAsync) {
    const path = this.#parameters('path')
    const query = this.#parameters('query').filter(({ key }) => answer.kind !== 'pages' || key !== 'cursor')
    const body = this.#body()
    const all = [...path, ...query, ...body.taken]
    const callArguments = [
      JSON.stringify(this.#verb),
      JSON.stringify(this.#path),
      ...(path.length === 0 ? [] : [`path=${dictOf(path)}`]),
      ...(query.length === 0 ? [] : [`query=${givenBy(query)}`]),
      ...body.callArguments,
      ...(this.#isRepeatable() ? ['repeatable=True'] : []),
      ...(this.#takesKey() ? ['once=True', 'idempotency_key=idempotency_key'] : []),
      ...(this.#takes('query', 'tenant') && !this.#takes('query', 'agent') ? ['whole_person=True'] : []),
    ]
    const docs = docsOf(this.#operation, all, this.#takesKey())
    return methodOf({
      name,
      isAsync,
      answer,
      arguments: argumentsOf(all, this.#takesKey()),
      docs,
      callArguments,
    })
  }

  /** @param {string} place @param {string} name */
  #takes(place, name) {
    const parameters = this.#operation['parameters'] ?? []
    return parameters.some((/** @type {Schema} */ taken) => taken['in'] === place && taken['name'] === name)
  }

  #takesKey() {
    return this.#takes('header', 'idempotency-key')
  }

  /** Whether a call without an answer may be sent again: it only reads, or the server does it once under an idempotency key. */
  #isRepeatable() {
    return (
      this.#takesKey() ||
      this.#verb === 'GET' ||
      (this.#operation['description'] ?? '').endsWith('Needs `read`.')
    )
  }
}

/** @param {Argument[]} all */
const dictOf = (all) => `{${all.map(({ key, name }) => `${JSON.stringify(key)}: ${name}`).join(', ')}}`

/** @param {Argument[]} all */
function givenBy(all) {
  const items = all.map(({ key, name, type, isRequired }) => {
    if (isRequired && type.startsWith('Sequence[models.')) return `${JSON.stringify(key)}: listed(${name})`
    return `${JSON.stringify(key)}: ${/\bNone\b/.test(type) ? `nullable(${name})` : name}`
  })
  return inBrackets('given({', items, '})', `${INDENT}        `)
}

/** @param {Argument[]} all @param {boolean} takesKey */
function argumentsOf(all, takesKey) {
  const first = all
    .filter(({ isRequired }) => isRequired)
    .map(({ name, type }) => {
      // A single item may be passed in place of a list.
      const [, item] = /^Sequence\[(models\.\w+)\]$/.exec(type) ?? []
      return `${name}: ${item === undefined ? type : `${item} | ${type}`}`
    })
  const named = all
    .filter(({ isRequired }) => !isRequired)
    .map(({ name, type }) =>
      /\bNone\b/.test(type) ? `${name}: ${type} | Unset = UNSET` : `${name}: ${type} | None = None`,
    )
  if (takesKey) named.push('idempotency_key: str | None = None')
  return ['self', ...first, ...(named.length === 0 ? [] : ['*', ...named])]
}

/** @param {Schema} operation @param {Argument[]} all @param {boolean} takesKey */
function docsOf(operation, all, takesKey) {
  const docLines = all
    .filter(({ about }) => about !== '')
    .map(({ name, about }) => `${name}: ${docWords(about)}`)
  if (takesKey)
    docLines.push('idempotency_key: The same request under the same key is done once; generated when absent.')
  const lines = [
    `${docWords(operation['summary'] ?? '')}.`,
    ...(operation['description'] === undefined ? [] : ['', docWords(operation['description'])]),
    ...(docLines.length === 0 ? [] : ['', 'Args:', ...docLines.map((line) => `    ${line}`)]),
    '',
    'Raises:',
    '    KeepsakeError: the server could not be reached, refused, or failed.',
  ]
  return [...lines.map((line, at) => (line === '' || at === 0 ? line : INDENT + line)), INDENT].join('\n')
}

/** @param {{ name: string, isAsync: boolean, answer: Answer, arguments: string[], docs: string, callArguments: string[] }} method */
function methodOf({ name, isAsync, answer: { kind, type, field }, arguments: taken, docs, callArguments }) {
  const waits = isAsync && kind === 'json'
  const iterator = isAsync ? 'AsyncGenerator' : kind === 'pages' ? 'Iterator' : 'Stream'
  const returned = kind === 'json' ? type : `${iterator}[${type}${isAsync ? ', None' : ''}]`
  const head = inBrackets(`${waits ? 'async ' : ''}def ${name}(`, taken, `) -> ${returned}:`, '    ')
  const call = inBrackets('Call(', callArguments, ')', INDENT)
  const more = field === undefined ? '' : `, ${JSON.stringify(field)}`
  return `    ${head}\n${INDENT}"""${docs}"""\n${INDENT}return ${waits ? 'await ' : ''}self._${kind}(${call}${more})`
}

/** Writes items in brackets: on one line if they fit, else one per line. @param {string} open @param {string[]} items @param {string} close @param {string} indent */
function inBrackets(open, items, close, indent) {
  const line = `${open}${items.join(', ')}${close}`
  if (indent.length + line.length <= MAX_LINE_LENGTH && !line.includes('\n')) return line
  return `${open}\n${items.map((item) => `${indent}    ${item},\n`).join('')}${indent}${close}`
}
