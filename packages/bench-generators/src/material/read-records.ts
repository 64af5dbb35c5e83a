import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { z } from 'zod'
import { GenerateError } from '../generate-error.ts'

/** Where the word material of that name lies: as far from the sources as from what is built of them. */
export function materialFile(name: string): string {
  return fileURLToPath(new URL(`../../data/material/${name}`, import.meta.url))
}

/** The lines of a file, with where each stands. Blank ones and comments (`#`) are left out. */
export function readLines(file: string): { text: string; place: string }[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((text, index) => ({ text, place: `${file}:${index + 1}` }))
    .filter(({ text }) => text.trim() !== '' && !text.startsWith('#'))
}

/** A file of JSON lines, each checked. @throws GenerateError naming the file, the line and the field. */
export function readRecords<Line>(file: string, schema: z.ZodType<Line>): Line[] {
  return readLines(file).map(({ text, place }) => parse(text, place, schema))
}

/** A file that is one JSON value, checked. @throws GenerateError naming the file and the field. */
export function readRecord<Value>(file: string, schema: z.ZodType<Value>): Value {
  return parse(readFileSync(file, 'utf8'), file, schema)
}

function parse<Value>(text: string, place: string, schema: z.ZodType<Value>): Value {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new GenerateError(`${place} is not JSON.`, { cause })
  }
  const read = schema.safeParse(value)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new GenerateError(`${place}: "${issue?.path.join('.') ?? ''}" is wrong: ${issue?.message ?? ''}.`)
}
