import type { z } from 'zod'
import { jsonRule, writingRule } from './common-rules.ts'
import type { Prompt, PromptLanguage } from './prompt.ts'

/** What every such prompt says in a language. */
interface Words {
  readonly rules: string
  /** The last line, after what is to be read. */
  readonly ask: string
}

export interface WritingPrompt<Input, Output, InWords extends Words> {
  readonly id: string
  readonly version: number
  readonly schema: z.ZodType<Output>
  /** The answer as it is shown. */
  readonly shape: string
  readonly words: Readonly<Record<PromptLanguage, InWords>>
  /** The rules that what is asked calls for; those in the words, when absent. */
  readonly rules?: (input: Input, words: InWords, language: PromptLanguage) => readonly string[]
  /** What is to be read. */
  readonly material: (input: Input, language: PromptLanguage) => string
  readonly problems: (output: Output, input: Input) => readonly string[]
}

/** A prompt by which something is written that is kept: rules, the rule on data, the answer's shape, the material, the question. */
export function writingPrompt<Input, Output, InWords extends Words>({
  shape,
  words: inLanguages,
  rules = (_, words) => [words.rules],
  material,
  ...prompt
}: WritingPrompt<Input, Output, InWords>): Prompt<Input, Output> {
  return {
    ...prompt,
    render: (input, language) => {
      const words = inLanguages[language]
      const all = rules(input, words, language).join('\n')
      return {
        system: [all, writingRule(language), jsonRule(shape, language)].join('\n\n'),
        user: `${material(input, language)}\n\n${words.ask}`,
      }
    },
  }
}
