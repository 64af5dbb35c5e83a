import { readFileSync } from 'node:fs'
import type { Prompt, PromptLanguage } from 'keepsake/preset'
import { fence, type Shown } from './fence.ts'

interface DataPromptParts<Input, Output> extends Omit<Prompt<Input, Output>, 'render'> {
  /** An example of a valid answer. The prompt shows it after the rules. */
  readonly shape: string
  /** Returns the text to judge or read, as data by tag or as finished text. */
  readonly show: (input: Input, language: PromptLanguage) => Shown | string
}

const RULES = new URL('../../data/prompts/', import.meta.url)

/** Makes a prompt of a judge or reader. Its rules are in `data/prompts/<id>.<language>.txt`. The text to judge or read follows them. */
export function dataPrompt<Input, Output>(parts: DataPromptParts<Input, Output>): Prompt<Input, Output> {
  const { shape, show, ...rest } = parts
  return {
    ...rest,
    render: (input, language) => {
      const shown = show(input, language)
      return {
        system: `${promptRules(RULES, parts.id, language)}\n${shape}`,
        user: typeof shown === 'string' ? shown : fence(shown),
      }
    },
  }
}

/** Reads the rules of a prompt from a file, without the last newline. */
export function promptRules(folder: URL, id: string, language: PromptLanguage): string {
  return readFileSync(new URL(`${id}.${language}.txt`, folder), 'utf8').replace(/\n$/, '')
}
