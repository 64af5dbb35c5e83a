// Writes schemas of the description as Python types. An object becomes a TypedDict, named after the schema and field that contain it.

/** @typedef {Record<string, any>} Schema */

const KEYWORDS = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
)

/** Converts a name to snake case: `listMemories` gives `list_memories`. A keyword gets an underscore. @param {string} name */
export function snakeCase(name) {
  const snake = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/\W+/g, '_')
    .toLowerCase()
  return KEYWORDS.has(snake) ? `${snake}_` : snake
}

/** @param {string} name */
export const pascalCase = (name) =>
  name.replaceAll(/(^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, __, c) => c.toUpperCase())

/** Escapes a text of the description for a docstring. @param {string} words */
export const docWords = (words) => words.replaceAll('\\', '\\\\').replaceAll('"""', "'''").trim()

/** @param {Schema} document @param {string} ref */
export const refName = (ref) => ref.split('/').at(-1) ?? ''

/** Returns the names of schemas in requests. Callers may pass times in them as `datetime`. @param {Schema} document */
export function schemasOfRequests(document) {
  const schemas = document['components'].schemas
  /** @type {Set<string>} */
  const found = new Set()
  const visit = (/** @type {unknown} */ node) => {
    if (typeof node !== 'object' || node === null) return
    const ref = /** @type {Schema} */ (node)['$ref']
    if (typeof ref === 'string' && !found.has(refName(ref))) {
      found.add(refName(ref))
      visit(schemas[refName(ref)])
    }
    for (const inner of Object.values(node)) visit(inner)
  }
  for (const methods of Object.values(document['paths']))
    for (const operation of Object.values(methods)) visit(operation.requestBody)
  return found
}

/** Writes types, and collects the definitions that they need. */
export class PythonTypes {
  /** @type {Map<string, string>} */
  #definitions = new Map()
  #document
  #requestSchemas

  /** @param {Schema} document */
  constructor(document) {
    this.#document = document
    this.#requestSchemas = schemasOfRequests(document)
  }

  /** Returns all definitions with their names, in alphabetical order. */
  definitions() {
    for (const [name, schema] of Object.entries(this.#document['components'].schemas))
      this.#defineNamed(name, schema)
    return [...this.#definitions].toSorted(([one], [other]) => (one < other ? -1 : 1))
  }

  /**
   * @param {Schema} schema
   * @param {string} name the name of the type, if the schema is an object
   * @param {{ isInput?: boolean, prefix?: string }} [how] `isInput`: callers pass it, and may pass times as `datetime`; `prefix`: of type names
   * @returns {string}
   */
  typeOf(schema, name, how = {}) {
    const { isInput = false, prefix = '' } = how
    if (schema['$ref'] !== undefined) return `${prefix}${refName(schema['$ref'])}`
    const choices = schema['oneOf'] ?? schema['anyOf']
    if (choices !== undefined) return this.#unionOf(choices, name, how)
    if (schema['enum'] !== undefined)
      return `Literal[${schema['enum'].map((/** @type {unknown} */ value) => asPython(value)).join(', ')}]`
    if (Array.isArray(schema['type'])) {
      const types = schema['type'].map((type) => this.typeOf({ ...schema, type }, name, how))
      return [...new Set(types)].join(' | ')
    }
    if (schema['type'] === 'array') {
      const item = this.typeOf(schema['items'] ?? {}, `${name}Item`, how)
      return isInput ? `Sequence[${item}]` : `list[${item}]`
    }
    if (schema['type'] === 'object') return this.#objectOf(schema, name, how)
    if (schema['type'] === 'string' && schema['format'] === 'date-time' && isInput) return 'str | datetime'
    /** @type {Record<string, string>} */
    const plain = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' }
    return plain[schema['type']] ?? 'Any'
  }

  /** @param {Schema[]} choices @param {string} name @param {{ isInput?: boolean, prefix?: string }} how */
  #unionOf(choices, name, how) {
    const types = choices.map((choice, index) => {
      const [event] = choice['properties']?.event?.enum ?? []
      return this.typeOf(choice, event === undefined ? `${name}${index + 1}` : name + pascalCase(event), how)
    })
    return [...new Set(types)].join(' | ')
  }

  /** @param {Schema} schema @param {string} name @param {{ isInput?: boolean, prefix?: string }} how */
  #objectOf(schema, name, how) {
    const { additionalProperties: valueSchema, properties } = schema
    if (properties !== undefined) {
      this.#definitions.set(name, this.#classOf(schema, name, how.isInput === true))
      return `${how.prefix ?? ''}${name}`
    }
    const hasSchema = typeof valueSchema === 'object' && Object.keys(valueSchema).length > 0
    return `dict[str, ${hasSchema ? this.typeOf(valueSchema, `${name}Value`, how) : 'Any'}]`
  }

  /** @param {string} name @param {Schema} schema */
  #defineNamed(name, schema) {
    const isInput = this.#requestSchemas.has(name)
    if (schema['properties'] !== undefined) {
      this.#definitions.set(name, this.#classOf(schema, name, isInput))
      return
    }
    const type = this.typeOf(schema, name, { isInput })
    const about = schema['description'] === undefined ? '' : `\n"""${docWords(schema['description'])}"""`
    this.#definitions.set(name, `${name}: TypeAlias = "${type}"${about}`)
  }

  /** @param {Schema} schema @param {string} name @param {boolean} isInput */
  #classOf(schema, name, isInput) {
    const required = new Set(schema['required'] ?? [])
    const fields = Object.entries(schema['properties']).map(([key, property]) => {
      const type = this.typeOf(property, name + pascalCase(key), { isInput })
      return { key, type: required.has(key) ? type : `NotRequired[${type}]`, about: property.description }
    })
    if (fields.some(({ key }) => !/^[A-Za-z_]\w*$/.test(key) || KEYWORDS.has(key)))
      return writeDictCall(name, fields)
    const written = fields.map(
      ({ key, type, about }) =>
        `    ${key}: ${type}${about === undefined ? '' : `\n    """${docWords(about)}"""`}`,
    )
    const about =
      schema['description'] === undefined ? '' : `    """${docWords(schema['description'])}"""\n\n`
    return `class ${name}(TypedDict):\n${about}${written.length === 0 ? '    pass' : written.join('\n')}`
  }
}

/** Writes a TypedDict as a call, for fields whose names a class body cannot have. @param {string} name @param {{ key: string, type: string }[]} fields */
function writeDictCall(name, fields) {
  const written = fields.map(({ key, type }) => `    ${JSON.stringify(key)}: ${JSON.stringify(type)},`)
  return `${name} = TypedDict(\n    "${name}",\n    {\n${written.map((line) => `    ${line}`).join('\n')}\n    },\n)`
}

/** Writes a JSON value as a Python literal. @param {unknown} value */
function asPython(value) {
  if (value === null) return 'None'
  return typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value)
}
