// Describes the schema of a value in words.
export type JsonSchema = Readonly<Record<string, unknown>>

const WORDS = {
  en: {
    string: 'a text',
    number: 'a number',
    integer: 'a whole number',
    boolean: 'true or false',
    list: 'a list; each entry: ',
    choice: 'one of ',
    unit: (unit: string) => ` in ${unit}`,
    json: 'JSON of the schema ',
    other: 'as described',
  },
  zh: {
    string: '文字',
    number: '数字',
    integer: '整数',
    boolean: 'true 或 false',
    list: '列表，每项：',
    choice: '下列之一：',
    unit: (unit: string) => `，单位 ${unit}`,
    json: '符合此 schema 的 JSON：',
    other: '如描述',
  },
} as const

/** Fields of a schema that the description contains already. */
const PLAIN = ['type', 'enum', 'items', 'title', 'description']

/** Removes the bounds that zod adds to every whole number. */
const withoutBounds = (_: string, value: unknown): unknown =>
  typeof value === 'number' && Math.abs(value) === Number.MAX_SAFE_INTEGER ? undefined : value

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null

/** Describes the form of a value in words, for prompts and errors: “a number in km”. */
export function describeForm(
  { json, unit }: { readonly json: JsonSchema | null; readonly unit?: string },
  language: 'en' | 'zh',
): string {
  const words = WORDS[language]
  if (json === null) return words.other
  const { type, enum: choices, items } = json
  if (Array.isArray(choices))
    return `${words.choice}${choices.map((choice) => JSON.stringify(choice)).join(', ')}`
  if (type === 'array' && isSchema(items))
    return `${words.list}${describeForm({ json: items, ...(unit === undefined ? {} : { unit }) }, language)}`
  if (type !== 'string' && type !== 'number' && type !== 'integer' && type !== 'boolean')
    return `${words.json}${JSON.stringify(json, withoutBounds)}`
  const otherFields = Object.entries(json).filter(
    ([name, value]) => !PLAIN.includes(name) && withoutBounds(name, value) !== undefined,
  )
  const limits = otherFields.length === 0 ? '' : ` ${JSON.stringify(Object.fromEntries(otherFields))}`
  return `${words[type]}${unit === undefined ? '' : words.unit(unit)}${limits}`
}

export function isListSchema({ type }: JsonSchema): boolean {
  return type === 'array'
}

export function isNumberSchema(json: JsonSchema | null): boolean {
  return json?.['type'] === 'number' || json?.['type'] === 'integer'
}
