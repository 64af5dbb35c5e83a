import type { JsonSchema } from './language-model.ts'

const HAN = /\p{Script=Han}/u

/**
 * The system text with the answer's shape written into it, for models that take no schema beside the prompt.
 * In the language of the text it is added to.
 */
export function withSchemaInstruction(system: string, schema: JsonSchema): string {
  const instruction = HAN.test(system)
    ? '只回答一个完整的 JSON 值，前后不要有任何文字，也不要放进代码块。它必须符合这个 JSON Schema：'
    : 'Answer with one whole JSON value and nothing else: no text before or after it, no code fence. It must fit this JSON Schema:'
  return `${system}\n\n${instruction}\n${JSON.stringify(schema)}`
}
