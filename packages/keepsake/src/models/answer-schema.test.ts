import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { PROMPTS } from '../prompts/all-prompts.ts'
import { leftOut } from '../prompts/check-answer.ts'
import { segmentPrompt } from '../prompts/segment.ts'
import { answerSchema, hasOptional, schemaName } from './answer-schema.ts'

/** Every object in a schema document, however deep. */
function objectsIn(document: unknown): object[] {
  if (typeof document !== 'object' || document === null) return []
  const inside = Object.values(document).flatMap(objectsIn)
  return 'properties' in document ? [document, ...inside] : inside
}

describe('answerSchema', () => {
  it('describes what the model writes, in closed objects', () => {
    const schema = z.object({
      day: z
        .string()
        .describe('YYYY-MM-DD')
        .transform((day) => new Date(day)),
      inner: z.array(z.object({ note: z.string().nullable() })),
    })
    expect(answerSchema(schema)).toEqual({
      type: 'object',
      properties: {
        day: { type: 'string', description: 'YYYY-MM-DD' },
        inner: {
          type: 'array',
          items: {
            type: 'object',
            properties: { note: { type: ['string', 'null'] } },
            required: ['note'],
            additionalProperties: false,
          },
        },
      },
      required: ['day', 'inner'],
      additionalProperties: false,
    })
    expect(answerSchema(schema)).toBe(answerSchema(schema))
  })

  it.each(PROMPTS.map((prompt) => [prompt.id, prompt.schema] as const))(
    'makes of the prompt "%s" a shape that strict modes take, but where fields may be left out',
    (id, schema) => {
      const objects = objectsIn(answerSchema(schema))
      expect(hasOptional(answerSchema(schema))).toBe(id === 'segment')
      expect(objects.length).toBeGreaterThan(0)
      for (const object of objects) {
        expect(object).toMatchObject({ additionalProperties: false })
        if (id !== 'segment')
          expect(Reflect.get(object, 'required')).toEqual(Object.keys(Reflect.get(object, 'properties')))
      }
    },
  )

  it('requires no field that an answer may leave out, and shows no mark of it', () => {
    const schema = z.object({ text: z.string(), note: leftOut(z.string().nullable()).describe('or none') })
    expect(answerSchema(schema)).toMatchObject({
      properties: { note: { description: 'or none' } },
      required: ['text'],
    })
    expect(JSON.stringify(answerSchema(schema))).not.toContain('leftOut')
    expect(answerSchema(segmentPrompt.schema)).toMatchObject({
      properties: { memories: { items: { required: ['evidence', 'text'] } } },
      required: ['memories', 'summary'],
    })
  })
})

describe('schemaName', () => {
  it('has letters, digits and underscores alone', () => {
    expect(schemaName({ id: 'renew-portrait' })).toBe('renew_portrait')
  })
})
