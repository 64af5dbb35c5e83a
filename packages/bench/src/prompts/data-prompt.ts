import type { Prompt, PromptLanguage } from 'keepsake/parts'

interface DataPromptParts<Input, Output> extends Omit<Prompt<Input, Output>, 'render'> {
  readonly rules: Readonly<Record<PromptLanguage, string>>
  /** An answer of the right shape: the rules end with it. */
  readonly shape: string
  /** What is judged or read, as data. */
  readonly show: (input: Input, language: PromptLanguage) => string
}

/** A prompt of a judge or reader: its rules in both languages, and under them what it is about. */
export function dataPrompt<Input, Output>(parts: DataPromptParts<Input, Output>): Prompt<Input, Output> {
  const { rules, shape, show, ...rest } = parts
  return {
    ...rest,
    render: (input, language) => ({
      system: `${rules[language]}\n${shape}`,
      user: show(input, language),
    }),
  }
}
